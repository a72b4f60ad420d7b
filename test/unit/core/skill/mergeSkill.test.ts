import assert from "node:assert/strict";
import { describe, it } from "mocha";
import { mergeSkill } from "../../../../src/core/registry/mergeSkill";
import type { SkillSummary } from "../../../../src/core/skill/skill";
import { fullSkill } from "../../../fixtures/skillDetail";

const { permissionLevel: _, ...summary } = fullSkill.summary;
const row: SkillSummary = { ...summary, permissionLevel: "low" };
const none = { prices: undefined, feedback: undefined, publishers: undefined };

describe("mergeSkill, of permission levels", () => {
  const { missing: __, prices: ___, feedback: ____, statedPermissionLevel, ...rest } = fullSkill;
  assert.equal(statedPermissionLevel, "medium");
  const cases: [string, SkillSummary, SkillSummary | undefined, boolean, string | undefined][] = [
    ["its own answer's", { ...summary, permissionLevel: "high" }, row, true, "high"],
    ["the list's, for the same version", summary, row, true, "low"],
    ["none, for another version", { ...summary, version: "1.0.0" }, row, true, undefined],
    ["the list's, where the skill does not say", { ...summary, version: "1" }, row, false, "low"],
    ["none, where it was derived here", summary, { ...row, isLevelDerived: true }, true, undefined],
    ["none, where nobody says", summary, undefined, true, undefined],
  ];
  for (const [what, own, listed, says, expected] of cases) {
    it(`keeps of the stated levels ${what}`, () => {
      const permissions = says ? fullSkill.permissions : undefined;
      const merged = mergeSkill({
        own: { ...rest, permissions, summary: own },
        row: listed,
        ...none,
      });
      assert.equal(merged.statedPermissionLevel, expected);
    });
  }
});
