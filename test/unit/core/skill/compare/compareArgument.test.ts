import assert from "node:assert/strict";
import { describe, it } from "mocha";
import { compareArgument } from "../../../../../src/core/skill/compare/compareSkills";

const slugOf = (value: unknown) =>
  typeof value === "string" && /^[a-z]+$/.test(value) ? value : undefined;

const group = { kind: "branch" };

describe("compareArgument", () => {
  const cases: [string, unknown, unknown, unknown[], string, boolean][] = [
    ["nothing", undefined, undefined, [], "", false],
    ["one skill", "a", undefined, [], "a", false],
    ["a list", ["a", "b"], undefined, [], "a b", true],
    ["a list of one", ["a"], undefined, [], "a", false],
    ["a list with a skill twice", ["a", "a"], undefined, [], "a", false],
    ["a list of four", ["a", "b", "c", "d"], undefined, [], "a b c d", true],
    ["a list of too many", ["a", "b", "c", "d", "e"], undefined, [], "a b c d e", false],
    ["a list of other things", ["a", 5, null, "A/B", "b"], undefined, [], "a b", true],
    ["a start", { start: ["a", "b"] }, undefined, [], "a b", false],
    ["a row among selected ones", "a", ["a", "b", "c"], [], "a b c", true],
    ["a row among skills and groups", "a", [group, "a", group, "b"], [], "a b", true],
    ["a group among selected skills", group, [group, "a", "b"], [], "a b", true],
    ["a group among groups", group, [group, group], [], "", false],
    ["a row among too many", "a", ["a", "b", "c", "d", "e"], [], "a b c d e", false],
    ["a row that is selected alone", "a", ["a"], [], "a", false],
    ["a row that is not among the selected", "a", undefined, ["b", "c"], "a", false],
    ["nothing, with rows selected", undefined, undefined, ["a", group, "b"], "a b", true],
    ["nothing, with one row selected", undefined, undefined, ["a"], "a", false],
    ["a list, with other rows selected", ["a", "b"], undefined, ["c", "d"], "a b", true],
    ["an empty start, with rows selected", { start: [] }, undefined, ["a", "b"], "", false],
    ["something else", { slug: "a" }, { rows: ["b"] }, ["a", "b"], "", false],
  ];
  for (const [what, argument, option, selected, slugs, enough] of cases) {
    it(`reads ${what}`, () => {
      const found = compareArgument(argument, option, selected, slugOf);
      assert.deepEqual([found.slugs.join(" "), found.isEnough], [slugs, enough]);
    });
  }

  it("reads at most a hundred", () => {
    const many = Array.from({ length: 1000 }, (_, index) => "x".repeat(index + 1));
    assert.equal(compareArgument(many, undefined, [], slugOf).slugs.length, 100);
  });
});
