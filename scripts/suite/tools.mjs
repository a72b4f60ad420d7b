import { readFileSync } from "node:fs";

/**
 * The programs that tests use and a machine need not have; nothing else that a test needs comes from outside a clone
 * and npm. Each has the `commands` that it may be called by, the arguments of a `trial` that ends with 0 if it is good
 * enough (default: it starts), the `debian` package that has it, and what is tested `for` it. `skipWithout` of
 * test/fixtures/tools.ts skips a test whose program is missing.
 */
export const tools = JSON.parse(readFileSync(new URL("./tools.json", import.meta.url), "utf8"));

/** Returns the tool for whose lack a test was skipped, by its line, or undefined if it was skipped for another reason. */
export function missingTool(line) {
  return Object.keys(tools).find((name) => line.endsWith(` (without ${name})`));
}

/**
 * Describes skipped tests, with a line for each missing tool and each other suite, and their numbers. Takes the
 * `skipped` of counts.
 */
export function skippedLines(skipped) {
  const counts = new Map();
  for (const line of skipped) {
    const missing = missingTool(line);
    const title =
      missing === undefined
        ? `: ${line.replace(/ › [^›]*$/, "")}`
        : ` without ${missing}: ${tools[missing].for}`;
    counts.set(title, (counts.get(title) ?? 0) + 1);
  }
  return [...counts].map(([title, count]) => `– ${count} skipped${title}`);
}
