import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import type { InvocationRecord } from "../../../../src/core/invocation/record/invocationRecord";
import type { InstalledSkill } from "../../../../src/core/project/project";
import { readinessOf } from "../../../../src/core/readiness/readiness";
import {
  type ProjectFacts,
  type ReadinessFacts,
  teamFacts,
} from "../../../../src/core/readiness/readinessFacts";
import { skillAtRegistry } from "../../../../src/core/review/checkTeam";
import type { ReviewFiles } from "../../../../src/core/review/coverage";
import {
  readReviews,
  type Statement,
  writeTeamFile,
} from "../../../../src/core/review/files/reviewFiles";
import { firstPolicy, newReview } from "../../../../src/core/review/newReview";
import type { SkillDetail } from "../../../../src/core/skill/skill";
import { runSync } from "../../../../src/core/text/chunked";
import { english } from "../../../../src/core/text/language";
import { pastInvocation } from "../../../fixtures/pastInvocation";
import { strictPolicy } from "../../../fixtures/strictPolicy";
import { reviewedSkill } from "../review/reviewedSkill";

const digest = (text: string) => createHash("sha256").update(text, "utf8").digest("hex");

/** The time of the questions, in milliseconds. */
export const now = Date.parse("2026-11-22T05:00:00Z");

/** A day in milliseconds. */
export const day = 86_400_000;

/** Returns a skill without a fault, with changes. */
export const readySkill = (summary: Partial<SkillDetail["summary"]> = {}, changes = {}) =>
  reviewedSkill(
    { supportUrl: "https://plainworks.example/support", ...changes },
    { publisher: { name: "Plainworks", slug: "plainworks", status: "active" }, ...summary },
  );

/** Returns a statement of the team, with changes. */
export const statement = (about: Statement["about"], more: Partial<Statement> = {}): Statement => ({
  kind: "statement",
  skill: "text-stats",
  about,
  who: "Ann <ann@example.com>",
  when: "2026-11-01T09:00:00Z",
  until: "2027-06-30",
  notes: "The payments team.",
  ...more,
});

/** A statement about each question that needs one. */
export const allStatements = [
  statement("owner"),
  statement("retry-rule"),
  statement("logs"),
  statement("runbook", { file: "docs/runbook.md", tried: "2026-10-20" }),
];

/** Returns a team that reviewed the skill for customers, with statements; `docs/runbook.md` exists. */
export async function team(
  statements: readonly Statement[] = allStatements,
  skill = readySkill(),
  criteria = ["customer-facing"],
) {
  const none: ReviewFiles = { policy: firstPolicy(), reviews: [], contracts: new Map() };
  const made = newReview(none, {
    slug: "text-stats",
    registry: "https://registry.example",
    skill: skillAtRegistry(skill, digest),
    criteria,
    who: "Ann <ann@example.com>",
    when: "2026-11-01T09:00:00Z",
    isWhole: false,
  });
  assert.ok(made !== undefined);
  const { review, contract } = made;
  const reviews = [review, ...statements];
  const reviewsText = writeTeamFile({ format: 1, reviews });
  const read = runSync(readReviews(reviewsText, english));
  assert.ok(read.ok, JSON.stringify(read));
  const hash = review.contract;
  const kept = { slug: "text-stats", version: "1.0.0", contract, hash };
  const contracts = new Map([["text-stats@1.0.0", kept]]);
  const sources = {
    files: { policy: firstPolicy(), reviews, contracts },
    reviewsText,
    read: async () => ({ ok: true as const, value: skill }),
    digest,
    registry: "https://registry.example",
    exists: async (file: string) => file === "docs/runbook.md",
  };
  return teamFacts({ slug: "text-stats", version: "" }, sources, now);
}

/** The project's policy. */
export const policy = { ...strictPolicy, monthlyBudgetCents: 1000, rateLimitPerMinute: 60 };

/** The skill as installed in the project. */
export const installed: InstalledSkill = {
  slug: "text-stats",
  name: "Text",
  version: "1.0.0",
  status: "installed",
  approvalState: "approved",
  verificationStatus: "verified",
  permissionLevel: "low",
  permissions: readySkill().permissions ?? assert.fail(),
  usage: { invocations: 25, succeeded: 24, failed: 1, cents: 50, currency: "USD" },
  price: { billingModel: "free" },
};

/** Returns the facts of a project, with changes. */
export function project(
  changes: Partial<ProjectFacts> = {},
  invocations: ProjectFacts["detail"]["invocations"] = [],
) {
  const value: ProjectFacts = {
    detail: {
      summary: { slug: "shop", name: "Shop" },
      skills: [installed],
      keys: [],
      updates: [],
      invocations,
      subscriptions: [],
    },
    policy,
    permissions: readySkill().permissions,
    keys: [{ id: "1", name: "Production", last4: "c0de" }],
    ...changes,
  };
  return value;
}

/** Returns a successful invocation two days ago, with changes. */
export const record = (changes: Partial<InvocationRecord> = {}): InvocationRecord =>
  pastInvocation(now - 2 * day, {
    id: "20261120-a",
    endsBefore: now - day,
    registry: "https://registry.example",
    skillSlug: "text-stats",
    version: "1.0.0",
    status: "success",
    durationMs: 5,
    invocationId: "inv-1",
    projectSlug: "shop",
    requestSha256: "aa",
    ...changes,
  });

/** Returns complete evidence, with changes. */
export async function facts(changes: Partial<ReadinessFacts> = {}): Promise<ReadinessFacts> {
  return {
    now,
    skill: readySkill(),
    registry: "https://registry.example",
    team: await team(),
    project: project({}, [{ id: "inv-1", status: "success", createdAt: now - 2 * day }]),
    key: { last4: "c0de", isRefused: false, at: now },
    keyOccurrences: { found: [], searched: 12, isComplete: true },
    record: [record(), record({ startedAt: now - 91 * day, skillSlug: "other" })],
    ...changes,
  };
}

/** Returns the answer to a question by these facts. */
export const answer = (given: ReadinessFacts, question: string) => {
  const found = readinessOf(given, english).answers.find((one) => one.question === question);
  assert.ok(found !== undefined, question);
  return found;
};

/** Returns the facts of a project with this skill or none, with changes. */
export function withSkill(skill?: InstalledSkill, changes: Partial<ProjectFacts> = {}) {
  const skills = skill === undefined ? [] : [skill];
  return project({ ...changes, detail: { ...project().detail, skills } });
}
