import assert from "node:assert/strict";
import { describe, it } from "mocha";
import { compareArgument } from "../../../../src/core/skill/compareArgument";

const slugOf = (value: unknown) =>
  typeof value === "string" && /^[a-z]+$/.test(value) ? value : undefined;

describe("compareArgument", () => {
  const cases: [string, unknown, unknown, string, boolean][] = [
    ["nothing", undefined, undefined, "", false],
    ["one skill", "a", undefined, "a", false],
    ["a list", ["a", "b"], undefined, "a b", true],
    ["a list of one", ["a"], undefined, "a", false],
    ["a list with a skill twice", ["a", "a"], undefined, "a", false],
    ["a list of too many", ["a", "b", "c", "d", "e"], undefined, "a b c d", true],
    ["a list of other things", ["a", 5, null, "A/B", "b"], undefined, "a b", true],
    ["a start", { start: ["a", "b"] }, undefined, "a b", false],
    ["a row among selected ones", "a", ["a", "b", "c"], "a b c", true],
    ["a row that is selected alone", "a", ["a"], "a", false],
    ["something else", { slug: "a" }, { rows: ["b"] }, "", false],
  ];
  for (const [what, argument, option, slugs, enough] of cases) {
    it(`reads ${what}`, () => {
      const found = compareArgument(argument, option, slugOf);
      assert.deepEqual([found.slugs.join(" "), found.enough], [slugs, enough]);
    });
  }
});
