import type { PatternTest } from "../core/jsonSchema/evaluation/evaluation";
import type { SchemaRules } from "../core/jsonSchema/reading/schemaRules";
import { linearRegExp } from "../core/linearRegExp/linearRegExp";

/** The tests of a schema's patterns. */
export interface PatternTests {
  testOf(pattern: string): PatternTest;
  /** Patterns that only the native engine can search, and that may so take for ever. */
  native: string[];
  /** Patterns that are no regular expressions; they are found in no text. */
  malformed: Set<string>;
}

/**
 * Prepares the test of every pattern of a schema. `watch` is told the number of a native pattern
 * right before it is tried, and -1 after, so that somebody outside can name the one that got stuck.
 */
export function patternTests(
  all: readonly SchemaRules[],
  watch: (native: number) => void,
): PatternTests {
  const tests = new Map<string, PatternTest>();
  const native: string[] = [];
  const malformed = new Set<string>();
  const patterns = all.flatMap(({ pattern, patternProperties = [] }) => [
    ...(pattern === undefined ? [] : [pattern]),
    ...patternProperties.map((entry) => entry.pattern),
  ]);
  for (const pattern of new Set(patterns)) {
    const read = linearRegExp(pattern);
    if (read.kind === "malformed") malformed.add(pattern);
    else if (read.kind === "linear") tests.set(pattern, read.test);
    else {
      const number = native.push(pattern) - 1;
      tests.set(pattern, (text) => {
        watch(number);
        const isFound = read.native.test(text);
        watch(-1);
        return isFound;
      });
    }
  }
  return { native, malformed, testOf: (pattern) => tests.get(pattern) ?? (() => false) };
}
