import { readFile } from "node:fs/promises";

/**
 * Reads how many tests of a mocha run passed and failed, as countingReporter.cjs wrote it. A run that
 * left no counts, or had no test, is one failed.
 */
export async function readCounts(file) {
  const text = await readFile(file, "utf8").catch(() => undefined);
  const { passed, failed } = text === undefined ? { passed: 0, failed: 0 } : JSON.parse(text);
  return { passed, failed: passed + failed === 0 ? 1 : failed };
}
