import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { describe, it } from "mocha";
import type { ReportItem } from "../../../../src/core/findings/report";
import { skillAtRegistry } from "../../../../src/core/review/checkTeam";
import { driftRemedy } from "../../../../src/core/review/drift";
import { filesToReview, type NewReview, newReview } from "../../../../src/core/review/newReview";
import {
  attestPrompt,
  checkedSkillsText,
  recordingProblem,
  reviewTitle,
} from "../../../../src/core/review/reviewText";
import { english } from "../../../../src/core/text/language";
import { reviewedSkill } from "./reviewedSkill";

const digest = (text: string) => createHash("sha256").update(text, "utf8").digest("hex");
const nothing = filesToReview({ kind: "none" });

function draftOf(skill = reviewedSkill()): NewReview {
  const made = newReview(nothing, {
    slug: "text-stats",
    registry: "built-in",
    skill: skillAtRegistry(skill, digest),
    criteria: ["safe-to-try"],
    who: "Ann",
    when: "2026-11-20T10:00:00.000Z",
    isWhole: false,
  });
  return made ?? assert.fail("no review");
}

describe("the texts of a review", () => {
  const draft = draftOf();
  const file = { skill: "text-stats", version: "1.0.0", contract: draft.contract };
  const since = (before: Partial<NewReview["before"]>): NewReview => ({
    ...draft,
    before: { ...file, hash: draft.review.contract, registry: undefined, ...before } as NonNullable<
      NewReview["before"]
    >,
  });

  it("name the version, or the step to it", () => {
    assert.equal(reviewTitle(draft, english), "Review text-stats@1.0.0");
    const step = { ...draft, review: { ...draft.review, from: "0.9.0" } };
    assert.equal(reviewTitle(step, english), "Review text-stats: changes from 0.9.0 to 1.0.0");
  });

  it("ask for the criteria after showing the changes", () => {
    assert.equal(attestPrompt(draft, english), "What do you attest?");
    assert.match(attestPrompt(since({}), english), /^Its contract is unchanged\./);
    assert.match(attestPrompt(since({ hash: "other" }), english), /^Nothing that a caller/);
    const { contract } = draftOf(reviewedSkill({ inputSchema: { type: "string" } }));
    assert.match(attestPrompt(since({ hash: "other", contract }), english), /^Changed: input/i);
  });

  it("explain why no review was recorded", () => {
    const problems = [
      [{ kind: "broken", broken: [] }, /^A review file is invalid/],
      [
        { kind: "refused", file: "reviews.json", problem: "No." },
        /registry\/reviews\.json .* No\.$/,
      ],
      [{ kind: "failed", file: "reviews.json", error: new Error("EROFS") }, /not written\. EROFS$/],
    ] as const;
    for (const [recording, said] of problems) {
      assert.match(recordingProblem(recording, english), said);
    }
  });
});

describe("the summary of a check of skills", () => {
  const item = (state: ReportItem["state"]): ReportItem => ({
    name: "a",
    file: "",
    state,
    findings: [],
  });
  const cases: readonly (readonly [states: ReportItem["state"][], areGood: boolean, RegExp])[] = [
    [[], true, /^No skill is used or reviewed/],
    [["good"], true, /^The skill matches/],
    [["good", "good"], true, /^All 2 skills match/],
    [["good", "findings"], false, /^a differs/],
    [["unknown", "findings", "good"], false, /^2 of 3 skills differ/],
    [["good", "broken"], false, /^A review file is invalid/],
  ];
  for (const [states, areGood, text] of cases) {
    it(`of ${states.join(", ") || "none"}`, () => {
      const sum = checkedSkillsText(states.map(item), english);
      assert.equal(sum.areGood, areGood);
      assert.match(sum.text, text);
    });
  }
});

describe("the remedy for a finding", () => {
  it("exists for each kind of drift, and for nothing else", () => {
    const rules = ["contract-changed", "expired", "violation", "unread", "toString"];
    assert.deepEqual(rules.map(driftRemedy), ["compare", "review", null, null, null]);
  });
});
