import assert from "node:assert/strict";
import { describe, it } from "mocha";
import { keptPair, type SkillPage } from "../../../src/protocol/pageMessages";
import { bareSkill } from "../../fixtures/skillDetail";
import { ready } from "../../webview/samplePages";

describe("the versions that a page compares", () => {
  const pair = { before: "1.1.0", after: "2.0.0" };
  const page = (chosenVersion: string): SkillPage => ({
    ...ready(bareSkill),
    chosenVersion,
    compared: { kind: "loading", ...pair },
  });

  it("stay if the same version is read again", () => {
    assert.deepEqual(keptPair(page(""), ""), pair);
    assert.deepEqual(keptPair(page("2.0.0"), "2.0.0"), pair);
  });

  it("are reset when the page shows another version", () => {
    assert.equal(keptPair(page(""), "1.0.0"), undefined);
    assert.equal(keptPair(page("1.0.0"), ""), undefined);
    assert.equal(keptPair({ kind: "loading", slug: "a" }, ""), undefined);
  });
});
