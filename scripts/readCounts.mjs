import { readFile } from "node:fs/promises";

/**
 * Reads how many tests of a mocha run passed, and which failed and why in a line each, as
 * countingReporter.cjs wrote it. A run that left no counts, or had no test, is a failure called `name`.
 */
export async function readCounts(file, name) {
  const text = await readFile(file, "utf8").catch(() => undefined);
  const { passed, failures } = text === undefined ? { passed: 0, failures: [] } : JSON.parse(text);
  const ranNothing = passed + failures.length === 0;
  return { passed, failures: ranNothing ? [`${name}: ended before any test had`] : failures };
}
