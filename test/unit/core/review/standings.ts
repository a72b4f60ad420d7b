import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import type { ReviewFiles } from "../../../../src/core/review/coverage";
import { driftText, notKnownText } from "../../../../src/core/review/driftText";
import { contractKey, readContractFile } from "../../../../src/core/review/files/contractFiles";
import { readReviews } from "../../../../src/core/review/files/reviewFiles";
import { firstPolicy, newReview, reviewFileTexts } from "../../../../src/core/review/newReview";
import {
  type CheckedSkill,
  type SkillAtRegistry,
  skillStanding,
} from "../../../../src/core/review/skillStanding";
import { standingName } from "../../../../src/core/review/standing";
import { readContract } from "../../../../src/core/skill/compare/contract";
import type { Permissions } from "../../../../src/core/skill/permissions";
import type { SkillDetail } from "../../../../src/core/skill/skill";
import { runSync } from "../../../../src/core/text/chunked";
import { english } from "../../../../src/core/text/language";
import { reviewedSkill } from "./reviewedSkill";

/** Returns the SHA-256 digest of a text, as the contract needs it. */
export const digest = (text: string) => createHash("sha256").update(text, "utf8").digest("hex");

/** The day of a check. */
export const today = "2026-11-22";

/** Permissions that allow nothing. */
export const none: Permissions = {
  network: false,
  browser: false,
  filesystem: "none",
  secretCount: 0,
  secretNames: [],
};

/** Returns the reviewed skill as its registry returns it, with changes. */
export function atRegistry(
  changes: Partial<SkillDetail> = {},
  summary: Partial<SkillDetail["summary"]> = {},
): SkillAtRegistry {
  const skill = reviewedSkill(changes, summary);
  const { version, verificationStatus: verification } = skill.summary;
  return { version, verification, contract: readContract(skill, digest) };
}

/** The address of the reviewed registry. */
export const registry = "https://registry.example";

/** The files of a folder without reviews. */
export const nothing: ReviewFiles = { policy: firstPolicy(), reviews: [], contracts: new Map() };

/** Adds a review like the command, and reads its files again. */
export function reviewed(
  files: ReviewFiles,
  skill: SkillAtRegistry = atRegistry(),
  more: { until?: string; criteria?: string[]; isWhole?: boolean; registry?: string } = {},
): ReviewFiles {
  const made = newReview(files, {
    slug: "text-stats",
    registry: more.registry ?? registry,
    skill,
    criteria: more.criteria ?? ["safe-to-try"],
    who: "Ann <ann@example.com>",
    when: "2026-01-01T00:00:00Z",
    isWhole: more.isWhole ?? false,
    until: more.until,
  });
  assert.ok(made);
  const contracts = new Map(files.contracts);
  const texts = reviewFileTexts(files, made);
  const [path, text] = texts.contract;
  const read = readContractFile(path.slice("contracts/".length), text, digest, english);
  assert.ok(read.ok, JSON.stringify(read));
  contracts.set(contractKey(read.value), read.value);
  const reviews = runSync(readReviews(texts.reviews, english));
  assert.ok(reviews.ok, JSON.stringify(reviews));
  return { ...files, reviews: reviews.value, contracts };
}

/** Returns the standing of a skill, described in English. */
export function check(
  files: ReviewFiles,
  skill: SkillAtRegistry,
  more: Partial<CheckedSkill> = {},
) {
  const checked = {
    slug: "text-stats",
    registry,
    usedVersions: [""],
    current: { ok: true as const, value: skill },
    others: [],
    ...more,
  };
  const standing = skillStanding(files, checked, today);
  return {
    name: standingName(standing),
    kinds: standing.drift.map(({ kind }) => kind),
    texts: standing.drift.map((drift) => driftText("text-stats", drift, english)),
    notKnown: standing.notKnown.map((one) => notKnownText("text-stats", one, english)),
  };
}

/** The files after the first review. */
export const first = reviewed(nothing);
