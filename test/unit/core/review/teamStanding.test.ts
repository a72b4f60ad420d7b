import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { describe, it } from "mocha";
import { skillAtRegistry } from "../../../../src/core/review/checkTeam";
import type { ReviewFiles } from "../../../../src/core/review/coverage";
import { contractKey, readContractFile } from "../../../../src/core/review/files/contractFiles";
import {
  type Review,
  type ReviewPolicy,
  readReviews,
} from "../../../../src/core/review/files/reviewFiles";
import { firstPolicy, newReview, reviewFileTexts } from "../../../../src/core/review/newReview";
import {
  reviewNote,
  rowStanding,
  type TeamReviews,
} from "../../../../src/core/review/teamStanding";
import type { SkillDetail } from "../../../../src/core/skill/skill";
import { runSync } from "../../../../src/core/text/chunked";
import { english } from "../../../../src/core/text/language";
import { reviewedSkill } from "./reviewedSkill";

const digest = (text: string) => createHash("sha256").update(text, "utf8").digest("hex");
const today = "2026-11-22";
const skill = reviewedSkill();
const registry = "https://registry.example";
const none: TeamReviews = { files: [], broken: [], registry };
const nothing = filesOf(firstPolicy());
const trusting: ReviewPolicy = {
  ...firstPolicy(),
  trustedPublishers: [
    {
      publisher: "plainworks",
      criteria: ["safe-to-try"],
      reason: "Ours.",
      from: "2026-01-01",
      until: "2026-12-31",
    },
  ],
};
const violation: Review = {
  kind: "violation",
  skill: "text-stats",
  who: "Ann",
  when: "2026-01-02T00:00:00Z",
  notes: "Loses text.",
};

/** Returns a folder in which the skill is reviewed as the registry describes it. */
function reviewed(): ReviewFiles {
  const texts = textsReviewedAt("2026-01-01T00:00:00Z");
  const reviews = runSync(readReviews(texts.reviews, english));
  const [path, text] = texts.contract;
  const file = readContractFile(path.slice("contracts/".length), text, digest, english);
  assert.ok(reviews.ok && file.ok);
  return {
    policy: firstPolicy(),
    reviews: reviews.value,
    contracts: new Map([[contractKey(file.value), file.value]]),
  };
}

function textsReviewedAt(when: string): ReturnType<typeof reviewFileTexts> {
  const made = newReview(nothing, {
    slug: "text-stats",
    registry,
    skill: skillAtRegistry(skill, digest),
    criteria: ["safe-to-try"],
    who: "Ann",
    when,
    isWhole: false,
  });
  assert.ok(made);
  return reviewFileTexts(nothing, made);
}

function filesOf(policy: ReviewPolicy, reviews: readonly Review[] = []): ReviewFiles {
  return { policy, reviews, contracts: new Map() };
}

/** Returns the standing on the page and on the row, as `page | row: first line`. */
function said(reviews: TeamReviews, now: SkillDetail = skill, isTrusted = true): string {
  const note = reviewNote(reviews, now, { today, isTrusted, digest }, english);
  const row = rowStanding(reviews, now.summary, today) ?? "–";
  return `${note?.name ?? "–"} | ${row}: ${note?.lines[0] ?? ""}`;
}

describe("the standing of a skill in a workspace", () => {
  it("reports that only another registry has its review, so that a page can lead there", () => {
    const isElsewhere = (at: string) =>
      reviewNote(
        { files: [reviewed()], broken: [], registry: at },
        skill,
        { today, isTrusted: true, digest },
        english,
      )?.reviewedAt;
    assert.deepEqual(["https://other.example", registry].map(isElsewhere), [registry, undefined]);
  });

  const missing = "text-stats@1.0.0 is not reviewed for safe-to-try. Review this version.";
  const asReviewed = "1.0.0 matches the review by Ann for safe-to-try, Jan 1, 2026.";
  const price = reviewedSkill({ prices: [{ billingModel: "free" }] });
  const newer = reviewedSkill({}, { version: "1.1.0" });
  const submitted = reviewedSkill({}, { verificationStatus: "submitted" });

  for (const [what, reviews, now, expected] of [
    ["nobody reviews", none, skill, "– | –: "],
    [
      "nothing is reviewed",
      { files: [nothing], broken: [], registry },
      skill,
      `unreviewed | unreviewed: ${missing}`,
    ],
    [
      "it is as reviewed",
      { files: [reviewed()], broken: [], registry },
      skill,
      `reviewed | reviewed: ${asReviewed}`,
    ],
    [
      "its price changed, which no row tells",
      { files: [reviewed()], broken: [], registry },
      price,
      "drifted | reviewed: New price of text-stats@1.0.0: Free. When reviewed: $0.02 per invocation.",
    ],
    [
      "a newer version came",
      { files: [reviewed()], broken: [], registry },
      newer,
      "drifted | drifted: text-stats@1.1.0 is not reviewed for safe-to-try. Its contract is the same as in 1.0.0: review the changes since then.",
    ],
    [
      "its verification was lowered",
      { files: [reviewed()], broken: [], registry },
      submitted,
      "drifted | drifted: text-stats@1.0.0 is now “Submitted” at the registry; it was “Verified” when reviewed.",
    ],
    [
      "it must not be used",
      { files: [filesOf(firstPolicy(), [violation])], broken: [], registry },
      skill,
      "drifted | drifted: text-stats@1.0.0 must not be used, according to Ann: Loses text.",
    ],
    [
      "its publisher is trusted",
      { files: [filesOf(trusting)], broken: [], registry },
      skill,
      "reviewed | –: This workspace trusts its publisher, for now.",
    ],
    [
      "one folder of two objects",
      { files: [filesOf(trusting), nothing], broken: [], registry },
      skill,
      `unreviewed | unreviewed: ${missing}`,
    ],
    [
      "a file is broken",
      { files: [reviewed()], broken: [".skill-registry/policy.json"], registry },
      skill,
      "unknown | –: .skill-registry/policy.json is invalid, so reviews cannot be read. Fix it first.",
    ],
  ] as const) {
    it(`is shown if ${what}`, () => assert.equal(said(reviews, now), expected));
  }

  it("is less favorable in an untrusted workspace, whose objections still count", () => {
    assert.equal(
      said({ files: [filesOf(trusting)], broken: [], registry }, skill, false),
      "– | –: ",
    );
    assert.equal(
      said({ files: [reviewed()], broken: [], registry }, skill, false),
      "– | reviewed: ",
    );
    assert.match(said({ files: [nothing], broken: [], registry }, skill, false), /^unreviewed/);
  });

  it("is unknown if a review has an impossible time", () => {
    const read = runSync(readReviews(textsReviewedAt("2026-01-01T25:00:00Z").reviews, english));
    assert.ok(!read.ok);
    const broken = [".skill-registry/reviews.json"];
    assert.match(said({ files: [], broken, registry }), /^unknown/);
  });

  it("is unknown while the publisher is unknown, if some publisher is trusted", () => {
    const { publisher: _, ...summary } = skill.summary;
    const late = { ...reviewedSkill({ unanswered: ["publisher"] }), summary };
    const reviews = { files: [filesOf(trusting)], broken: [], registry };
    assert.equal(
      said(reviews, late),
      "unknown | –: The contract of text-stats@1.0.0 cannot be hashed: the registry did not return its publisher.",
    );
    assert.equal(
      said(reviews, { ...late, loading: ["publisher"] }),
      "unknown | –: Still loading from the registry.",
    );
    // The registry responded without a publisher for it, which does not tell anything.
    assert.equal(said(reviews, { ...skill, summary }), said(reviews, late));
    const other = reviewedSkill({}, { publisher: { name: "Night Shift" } });
    assert.equal(said(reviews, other), `unreviewed | unreviewed: ${missing}`);
  });

  it("is unknown while prices are loading, except on rows", () => {
    const loading = reviewedSkill({
      prices: undefined,
      unanswered: ["prices"],
      loading: ["prices"],
    });
    assert.equal(
      said({ files: [reviewed()], broken: [], registry }, loading),
      "unknown | reviewed: Still loading from the registry.",
    );
  });
});
