import assert from "node:assert/strict";
import { describe, it } from "mocha";
import { readPageState } from "../../../src/protocol/pageMessages";

describe("readPageState", () => {
  it("reads a page's stored state", () => {
    const state = { slug: "text-stats", version: "1.0.0", tab: "input", scrollTop: 40 };
    assert.deepEqual(readPageState(state), state);
    const ofForm = { ...state, document: "file:///a.skill-input.json" };
    assert.deepEqual(readPageState(ofForm), ofForm);
  });

  it("replaces invalid values", () => {
    const state = {
      slug: "text-stats",
      version: 1,
      tab: "gone",
      scrollTop: -3,
      document: 7,
      more: true,
    };
    assert.deepEqual(readPageState(state), {
      slug: "text-stats",
      version: "",
      tab: "overview",
      scrollTop: 0,
    });
  });

  for (const value of [undefined, null, "text-stats", 3, {}, { slug: "" }, { slug: 7 }]) {
    it(`finds no skill in ${JSON.stringify(value)}`, () =>
      assert.equal(readPageState(value), undefined));
  }
});
