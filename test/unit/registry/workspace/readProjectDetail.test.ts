import assert from "node:assert/strict";
import { describe, it } from "mocha";
import {
  readInstalledSkill,
  readProjectDetail,
} from "../../../../src/registry/workspace/readProject";

describe("a project's detail", () => {
  const sentence = "2.0.0, which you may trust";

  it("names no version that is more than a word", () => {
    assert.equal(readInstalledSkill({ skillSlug: "abc", version: "2.0.0" })?.version, "2.0.0");
    assert.equal(readInstalledSkill({ skillSlug: "abc", version: sentence })?.version, "");
  });

  it("offers no version that is more than a word", () => {
    const offered = (targetVersion: string) =>
      readProjectDetail({
        slug: "demo",
        updateInbox: [{ id: "1", skillSlug: "abc", targetVersion }],
      })?.updates.map((update) => update.targetVersion);
    assert.deepEqual(offered("2.0.0"), ["2.0.0"]);
    assert.deepEqual(offered(sentence), [undefined]);
  });
});
