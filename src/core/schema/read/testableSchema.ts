import { linearRegExp } from "../../linearRegExp/linearRegExp";
import { type SchemaTraits, traitsOf } from "../evaluate/evaluateSchema";
import { EvaluationStopped, type PatternTest } from "../evaluate/evaluation";
import type { SchemaRules } from "../schemaRules";
import { type ReadSchema, readSchema } from "./readSchema";
import { removePatterns } from "./schemaDefects";

/** A schema with the tests of its patterns. It is read once for all uses. */
export interface TestableSchema extends ReadSchema {
  readonly patterns: SchemaPatterns;
  readonly traits: SchemaTraits;
}

/**
 * Reads a schema and its patterns. Omits invalid patterns. Calls `watch` with the index of a native pattern before it
 * runs, and with -1 afterwards. So another thread can name a pattern that is stuck.
 */
export function testableSchema(
  schema: unknown,
  watch: (native: number) => void = () => undefined,
): TestableSchema {
  const read = readSchema(schema);
  const patterns = new SchemaPatterns(read.all, watch);
  if (patterns.malformed.size > 0) removePatterns(read.all, patterns.malformed, read.defects);
  return { ...read, patterns, traits: traitsOf(read.all) };
}

/** Creates the tests of a schema's patterns. */
class SchemaPatterns {
  /** Patterns that only the native engine can run, possibly without end. */
  readonly native: string[] = [];
  /** Patterns that are not regular expressions. They match no text. */
  readonly malformed = new Set<string>();
  readonly #linear = new Map<string, PatternTest>();
  readonly #native = new Map<string, PatternTest>();

  constructor(all: readonly SchemaRules[], watch: (native: number) => void) {
    const patterns = all.flatMap(({ pattern, patternProperties = new Map() }) => [
      ...(pattern === undefined ? [] : [pattern]),
      ...patternProperties.keys(),
    ]);
    for (const pattern of new Set(patterns)) {
      const read = linearRegExp(pattern);
      if (read.kind === "malformed") this.malformed.add(pattern);
      else if (read.kind === "linear") this.#linear.set(pattern, read.test);
      else {
        const number = this.native.push(pattern) - 1;
        this.#native.set(pattern, (text) => {
          watch(number);
          const isFound = read.native.test(text);
          watch(-1);
          return isFound;
        });
      }
    }
  }

  /** Returns the test of a pattern, however long it takes. */
  testOf(pattern: string): PatternTest {
    return this.#linear.get(pattern) ?? this.#native.get(pattern) ?? (() => false);
  }

  /** Returns the test of a pattern. Does not run a pattern that needs backtracking, but stops the evaluation. */
  linearTestOf(pattern: string): PatternTest {
    return this.#linear.get(pattern) ?? (this.#native.has(pattern) ? stop : () => false);
  }
}

function stop(): never {
  throw new EvaluationStopped("steps");
}
