import assert from "node:assert/strict";
import { describe, it } from "mocha";
import { versionPair } from "../../../../../src/core/skill/compare/versionDifference";

const versions = ["3", "2", "1"].map((version) => ({ version }));

describe("versionPair", () => {
  const cases: [string, string, string | undefined][] = [
    ["the newest", "3", "2 3"],
    ["one in the middle", "2", "1 2"],
    ["the oldest", "1", "1 2"],
    ["one that is not listed", "9", "2 3"],
  ];
  for (const [what, shown, expected] of cases) {
    it(`starts at the earlier one ${what}`, () => {
      const pair = versionPair(versions, shown);
      assert.equal(pair && `${pair.before} ${pair.after}`, expected);
    });
  }

  it("is undefined for a list of fewer than two", () => {
    assert.equal(versionPair([], "1"), undefined);
    assert.equal(versionPair([{ version: "1" }], "1"), undefined);
  });
});
