import { describeSkill } from "../../src/core/describeSkill";
import type { JsonObject } from "../../src/core/json";
import type { SkillDetail } from "../../src/core/skill";
import { describeChanges } from "../../src/core/skill/describeChanges";
import type { ComparedVersions, SkillPage } from "../../src/protocol/skillPage";
import { fixtureNow, fullSkill } from "../fixtures/skillDetail";

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
  ),
};

/** The page of a skill. */
export function ready(detail: SkillDetail): Extract<SkillPage, { kind: "ready" }> {
  const registry = { name: "registry.example", builtIn: false };
  return { kind: "ready", skill: describeSkill(detail, { registry, now: fixtureNow }) };
}
