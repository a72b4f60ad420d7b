import assert from "node:assert/strict";
import { describe, it } from "mocha";
import { readSkillDetail } from "../../../../src/registry/decode/readSkillDetail";
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

  it("has known words in any spelling, and others as they are", () => {
    const words = (status: string, approvalState: string) => {
      const read = readInstalledSkill({ skillSlug: "abc", status, approvalState });
      return [read?.status, read?.approvalState];
    };
    assert.deepEqual(words("Suspended", " OWNER-REQUIRED "), ["suspended", "owner_required"]);
    assert.deepEqual(words("On hold", "Approved?"), ["On hold", "Approved?"]);
    const read = readSkillDetail({ version: "1.0.0", review: { state: "Rejected" } }, "abc", "");
    assert.equal(read.ok && read.value.reviewState, "rejected");
  });

  it("has no status of an install for which the registry states none", () => {
    assert.equal(readInstalledSkill({ skillSlug: "abc" })?.status, undefined);
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
