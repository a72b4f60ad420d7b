import assert from "node:assert/strict";
import { describe, it } from "mocha";
import { readComparisonState } from "../../../src/protocol/pageMessages";

describe("readComparisonState", () => {
  it("reads a page's stored state", () => {
    const state = { slugs: ["a", "b"], onlyDifferences: true, scrollTop: 40 };
    assert.deepEqual(readComparisonState(state), state);
  });

  it("replaces invalid values", () => {
    const state = { slugs: ["a", "b"], onlyDifferences: "yes", scrollTop: -3, more: true };
    const fit = { slugs: ["a", "b"], onlyDifferences: false, scrollTop: 0 };
    assert.deepEqual(readComparisonState(state), fit);
  });

  const unfit = [
    ["a"],
    ["a", "a"],
    ["a", ""],
    ["a", 1],
    ["a", "b", "c", "d", "e"],
    "ab",
    undefined,
  ];
  for (const slugs of unfit) {
    it(`finds nothing to compare in ${JSON.stringify(slugs)}`, () =>
      assert.equal(readComparisonState({ slugs }), undefined));
  }

  for (const value of [undefined, null, 3, {}]) {
    it(`finds no state in ${JSON.stringify(value)}`, () =>
      assert.equal(readComparisonState(value), undefined));
  }
});
