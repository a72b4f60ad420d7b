import { readFile } from "node:fs/promises";

/**
 * Reads what came of a mocha run, as countingReporter.cjs wrote it: `passed`, how many tests did,
 * `failures`, a line for each with its reason, and `skipped`, a line for each. A run that left no
 * counts, or had no test, is a failure called `name`.
 */
export async function readCounts(file, name) {
  const text = await readFile(file, "utf8").catch(() => undefined);
  const counts = text === undefined ? { passed: 0, failures: [], skipped: [] } : JSON.parse(text);
  if (counts.passed + counts.failures.length + counts.skipped.length > 0) return counts;
  return { ...counts, failures: [`${name}: ended before any test had`] };
}

/** Describes which tests were skipped, a line for each suite with how many. Takes the `skipped` of counts. */
export function skippedBySuite(skipped) {
  const counts = new Map();
  for (const line of skipped) {
    const suite = line.replace(/ › [^›]*$/, "");
    counts.set(suite, (counts.get(suite) ?? 0) + 1);
  }
  return [...counts].map(([suite, count]) => `– ${count} skipped: ${suite}`);
}
