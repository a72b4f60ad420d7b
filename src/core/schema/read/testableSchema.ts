import { linearRegExp } from "../../linearRegExp/linearRegExp";
import { EvaluationStopped, type PatternTest } from "../evaluate/evaluation";
import type { SchemaRules } from "../schemaRules";
import { type ReadSchema, readSchema } from "./readSchema";
import { removePatterns } from "./schemaDefects";

/** A schema with the tests of its patterns: read once, and kept for all that is asked about it. */
export interface TestableSchema extends ReadSchema {
  readonly patterns: SchemaPatterns;
}

/**
 * Reads a schema and its patterns. One that is no regular expression is left out. `watch` is called with the index
 * of a native pattern right before it is tried, and -1 after, so that somebody outside can name the one that got
 * stuck.
 */
export function testableSchema(
  schema: unknown,
  watch: (native: number) => void = () => undefined,
): TestableSchema {
  const read = readSchema(schema);
  const patterns = new SchemaPatterns(read.all, watch);
  if (patterns.malformed.size > 0) removePatterns(read.all, patterns.malformed, read.defects);
  return { ...read, patterns };
}

/** The tests of a schema's patterns. */
class SchemaPatterns {
  /** Patterns that only the native engine can search, and that may so take for ever. */
  readonly native: string[] = [];
  /** Patterns that are no regular expressions; they are found in no text. */
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

  /** Returns the test of a pattern, whatever it takes. */
  testOf(pattern: string): PatternTest {
    return this.#linear.get(pattern) ?? this.#native.get(pattern) ?? (() => false);
  }

  /** Returns the test of a pattern. One that needs backtracking is not tried, but stops the evaluation. */
  linearTestOf(pattern: string): PatternTest {
    return this.#linear.get(pattern) ?? (this.#native.has(pattern) ? stop : () => false);
  }
}

function stop(): never {
  throw new EvaluationStopped("steps");
}
