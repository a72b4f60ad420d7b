import { linearRegExp } from "../../linearRegExp/linearRegExp";
import { type EvaluableSchema, fitsSchema } from "../evaluate/evaluateSchema";
import { EvaluationStopped, type PatternTest } from "../evaluate/evaluation";
import type { SchemaRules } from "../schemaRules";

/** What a search for samples may take: values that are tried, and rules that are applied to them. */
interface SampleBounds {
  readonly tries: number;
  readonly steps: number;
}

/** Bounds a whole search for a sample, to some 100 ms. */
const oneSample: SampleBounds = { tries: 4000, steps: 500_000 };

/** Checks candidates against rules, as long as there is anything left to spend. */
export class SampleBudget {
  readonly #all: readonly SchemaRules[];
  readonly #tests = new Map<string, PatternTest>();
  readonly #steps: { left: number };
  #triesLeft: number;

  /** Bounded to one sample unless given other bounds. */
  constructor(all: readonly SchemaRules[], { tries, steps } = oneSample) {
    this.#all = all;
    this.#steps = { left: steps };
    this.#triesLeft = tries;
  }

  get isSpent(): boolean {
    return this.#triesLeft <= 0 || this.#steps.left <= 0;
  }

  /** Counts one try and tells whether it may be made. */
  spend(): boolean {
    this.#triesLeft -= 1;
    return !this.isSpent;
  }

  /** Tells whether a value surely keeps all of the rules; no when that cannot be told. */
  fits(list: readonly SchemaRules[], value: unknown): boolean {
    if (!this.spend()) return false;
    const steps = this.#steps;
    return list.every((rules) => fitsSchema(this.schemaAt(rules), value, { steps }) === true);
  }

  /** The rules as a schema of their own. */
  schemaAt(root: SchemaRules): EvaluableSchema {
    return { root, all: this.#all, testOf: (pattern) => this.testOf(pattern) };
  }

  /** Tells whether a text has a pattern; undefined where only a backtracking engine could tell. */
  isFound(pattern: string, text: string): boolean | undefined {
    try {
      return this.testOf(pattern)(text);
    } catch (error) {
      if (error instanceof EvaluationStopped) return undefined;
      throw error;
    }
  }

  /** The test of a pattern. One that needs backtracking is not tried here, but stops the evaluation. */
  testOf(pattern: string): PatternTest {
    const known = this.#tests.get(pattern);
    if (known !== undefined) return known;
    const read = linearRegExp(pattern);
    const test = read.kind === "linear" ? read.test : stop;
    this.#tests.set(pattern, test);
    return test;
  }
}

function stop(): never {
  throw new EvaluationStopped("steps");
}
