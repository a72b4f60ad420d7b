import type { TestableSchema } from "../read/testableSchema";
import type { SchemaRules } from "../schemaRules";
import { type EvaluableSchema, fitsSchema } from "./evaluateSchema";
import { EvaluationStopped } from "./evaluation";

/** The budget for one whole sample. */
const oneSample = { tries: 4000, steps: 500_000 };

/** Evaluates values against parts of a schema until the budget is spent. */
export class EvaluationBudget {
  readonly #schema: TestableSchema;
  /** The remaining steps, which evaluations may share. */
  readonly steps: { remaining: number };
  #triesLeft: number;

  /** Creates a budget, by default for one sample. */
  constructor(schema: TestableSchema, { tries, steps } = oneSample) {
    this.#schema = schema;
    this.steps = { remaining: steps };
    this.#triesLeft = tries;
  }

  get root(): SchemaRules {
    return this.#schema.root;
  }

  get isSpent(): boolean {
    return this.#triesLeft <= 0 || this.steps.remaining <= 0;
  }

  /** Counts one try. Returns whether it is allowed. */
  spend(): boolean {
    this.#triesLeft -= 1;
    return !this.isSpent;
  }

  /** Returns whether a value satisfies all of the rules. False if that is undecided. */
  fits(list: readonly SchemaRules[], value: unknown): boolean {
    if (!this.spend()) return false;
    const { steps } = this;
    return list.every((rules) => fitsSchema(this.schemaAt(rules), value, { steps }) === true);
  }

  /** Returns the rules as a schema of their own. */
  schemaAt(root: SchemaRules): EvaluableSchema {
    const { all, patterns, traits } = this.#schema;
    return { root, all, traits, testOf: (pattern) => patterns.linearTestOf(pattern) };
  }

  /** Returns whether a pattern matches in a string. Undefined if only a backtracking engine can tell. */
  isFound(pattern: string, text: string): boolean | undefined {
    try {
      return this.#schema.patterns.linearTestOf(pattern)(text);
    } catch (error) {
      if (error instanceof EvaluationStopped) return undefined;
      throw error;
    }
  }
}
