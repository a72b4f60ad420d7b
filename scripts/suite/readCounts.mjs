import { readFile } from "node:fs/promises";

/**
 * Reads the results of a mocha run, as countingReporter.cjs wrote them: the number of `passed` tests, and a line for
 * each of the `failures` (with its reason) and `skipped`; `slowest` are tests with their seconds. A run without counts or tests is one failure called `name`.
 */
export async function readCounts(file, name) {
  const text = await readFile(file, "utf8").catch(() => undefined);
  const counts =
    text === undefined ? { passed: 0, failures: [], skipped: [], slowest: [] } : JSON.parse(text);
  if (counts.passed + counts.failures.length + counts.skipped.length > 0) return counts;
  return { ...counts, failures: [`${name}: ended before any test had`] };
}
