import type { AgentNote } from "../../src/core/agents/agentNote";
import { localAddressOf } from "../../src/core/invocation/output/localTrial";
import { describeCallability } from "../../src/core/invocation/permission/callability";
import type { JsonObject } from "../../src/core/json/jsonValue";
import type { ReviewNote } from "../../src/core/review/teamStanding";
import { compareSkills } from "../../src/core/skill/compare/compareSkills";
import { describeChanges } from "../../src/core/skill/compare/describeChanges";
import { describeSkill } from "../../src/core/skill/description/describeSkill";
import type { SkillDetail } from "../../src/core/skill/skill";
import { english } from "../../src/core/text/language";
import type { ComparedVersions, SkillPage } from "../../src/protocol/pageMessages";
import { outlinesOf } from "../fixtures/outlines";
import { bareSkill, fixtureNow, fullSkill, powerfulSkill } from "../fixtures/skillDetail";

/** Two versions of the full skill, compared. */
export const compared: ComparedVersions = {
  kind: "ready",
  before: "2.0.0",
  after: "2.1.0",
  difference: describeChanges(
    { ...fullSkill, summary: { ...fullSkill.summary, version: "2.0.0" } },
    {
      ...fullSkill,
      inputSchema: {
        ...(fullSkill.inputSchema as JsonObject),
        properties: {
          ...((fullSkill.inputSchema as JsonObject)["properties"] as JsonObject),
          limit: { type: "integer", minimum: 1, maximum: 1000, default: 10_000 },
          sheet: { type: "string" },
        },
      },
    },
    english,
  ),
};

/** The page of a skill. */
export function ready(
  detail: SkillDetail,
  language = english,
): Extract<SkillPage, { kind: "ready" }> {
  const registry = { name: "registry.example", builtIn: false };
  const localAddress = localAddressOf(detail);
  const skill = describeSkill(detail, { registry, now: fixtureNow, language, localAddress });
  const run = describeCallability(
    detail,
    { hasKey: true, invocations: [], now: fixtureNow },
    language,
  );
  return {
    kind: "ready",
    skill,
    stale: "",
    run,
    review: undefined,
    chosenVersion: "",
    compared: undefined,
    schemas: Object.fromEntries(
      Object.entries(outlinesOf(detail, language)).map(([side, outline]) => [
        side,
        { outline, sample: undefined },
      ]),
    ),
    trials: {},
  };
}

/** The agent note on the page of a skill that drifted from its review. */
export const allowedForAgents: AgentNote = {
  rows: [
    ["Version", "2.0.0"],
    ["Allowed", "until Feb 23, 2027"],
    ["Mode", "asks each time"],
  ],
  isInForce: true,
};

export const driftedReview: ReviewNote = {
  name: "drifted",
  word: "Not as reviewed",
  lines: [
    "csv-profile@2.1.0 has more permissions than were reviewed: reads files of the workspace; connects to any host.",
    "New price of csv-profile@2.1.0: $0.12 per invocation. When reviewed: Free.",
  ],
};

/** A skill like the full one that may do more and costs more. */
const strongerSkill: SkillDetail = {
  ...fullSkill,
  summary: {
    ...fullSkill.summary,
    slug: "csv-profile-plus",
    displayName: "CSV Profile Plus",
    permissionLevel: "high",
  },
  permissions: powerfulSkill.permissions,
  prices: [{ billingModel: "per_call", unitAmountCents: 12, currency: "USD" }],
};

/** Two skills side by side that have much in common. */
export const pair = compare(fullSkill, strongerSkill);

/** Four skills side by side, one of which could not be read. */
export const comparison = compare(fullSkill, strongerSkill, bareSkill, "gone-skill");

function compare(
  ...given: readonly (SkillDetail | string)[]
): Extract<SkillPage, { kind: "comparison" }> {
  const skills = given.map((each) =>
    typeof each === "string"
      ? ({ ok: false, slug: each, problem: "The registry has no such skill." } as const)
      : ({ ok: true, skill: ready(each).skill, outlines: outlinesOf(each, english) } as const),
  );
  const comparison = compareSkills(skills, english);
  return { kind: "comparison", slugs: comparison.skills.map(({ slug }) => slug), comparison };
}
