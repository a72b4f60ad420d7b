import { readFile } from "node:fs/promises";

/**
 * Reads the results of a mocha run, as countingReporter.cjs wrote them: the number of `passed` tests, and a line for
 * each of the `failures` (with its reason) and `skipped`. A run without counts or tests is one failure called `name`.
 */
export async function readCounts(file, name) {
  const text = await readFile(file, "utf8").catch(() => undefined);
  const counts = text === undefined ? { passed: 0, failures: [], skipped: [] } : JSON.parse(text);
  if (counts.passed + counts.failures.length + counts.skipped.length > 0) return counts;
  return { ...counts, failures: [`${name}: ended before any test had`] };
}

/** Describes the skipped tests, with a line and a number for each suite. Takes the `skipped` of counts. */
export function skippedBySuite(skipped) {
  const counts = new Map();
  for (const line of skipped) {
    const suite = line.replace(/ › [^›]*$/, "");
    counts.set(suite, (counts.get(suite) ?? 0) + 1);
  }
  return [...counts].map(([suite, count]) => `– ${count} skipped: ${suite}`);
}
