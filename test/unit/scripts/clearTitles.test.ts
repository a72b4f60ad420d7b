import assert from "node:assert/strict";
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import Mocha, { describe, it } from "mocha";

/** Titles of a suite and of its tests, and which of the tests cannot be understood alone, with the reason. */
const cases: readonly (readonly [suite: string, tests: readonly string[], unclear: string[]])[] = [
  ["a list", ["is empty at first", "grows"], []],
  ["a list", ["grows", "grows"], ["a list › grows: another test has the same"]],
  ["a list", ["is "], ["a list › is : a value is missing"]],
  ["", ["grows"], [" › grows: a value is missing"]],
  ["a list", ["is a\nb"], ["a list › is a\nb: it breaks the line, or acts on a terminal"]],
  ["list.ts", ["grows"], ["list.ts › grows: it names a source file, not what is tested"]],
  ["a list", ["Should grow"], ["a list › Should grow: it does not say what is expected"]],
];

describe("the titles of tests", () => {
  for (const [suite, tests, unclear] of cases) {
    const line = JSON.stringify([suite, ...tests]);
    it(`are ${unclear.length === 0 ? "" : "not "}understood alone: ${line}`, async () => {
      // Loaded from its own place, like everything that runs the tests.
      const { href } = pathToFileURL(resolve("scripts/suite/clearTitles.cjs"));
      const { unclearTitles } = (await import(href)).default;
      const root = new Mocha().suite;
      const inner = new Mocha.Suite(suite);
      root.addSuite(inner);
      for (const title of tests) inner.addTest(new Mocha.Test(title));
      assert.deepEqual(unclearTitles(root), unclear);
    });
  }
});
