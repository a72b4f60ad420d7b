import assert from "node:assert/strict";
import { describe, it } from "mocha";
import { judgeReview } from "../../../../src/core/readiness/judgeTeam";
import type { Review } from "../../../../src/core/review/files/reviewFiles";
import { english } from "../../../../src/core/text/language";
import { facts, now, statement, team } from "./readinessFacts";

describe("the readiness of a skill", () => {
  it("dates its review by the last valid entry, or by now without one", async () => {
    const ofReview = async (reviews: readonly Review[]) => {
      const folder = await team();
      assert.ok(folder.isKnown);
      const files = { ...folder.value.files, reviews };
      const judging = { at: now, facts: await facts(), language: english };
      const { evidence } = judgeReview({ ...folder.value, files }, judging);
      return evidence.map(({ at }) => new Date(at).toISOString());
    };
    const folder = await team();
    assert.ok(folder.isKnown);
    const [first] = folder.value.files.reviews;
    assert.ok(first !== undefined);
    const later = { ...first, when: "2026-11-10T09:00:00Z" };
    const other = { ...first, skill: "json-diff", when: "2026-11-12T09:00:00Z" };
    const stated = statement("owner", { when: "2026-11-15T09:00:00Z" });
    assert.deepEqual(await ofReview([first, later, other, stated]), ["2026-11-10T09:00:00.000Z"]);
    assert.deepEqual(await ofReview([stated]), ["2026-11-22T05:00:00.000Z"]);
  });
});
