import assert from "node:assert/strict";
import { describe, it } from "mocha";
import { mergeSkill } from "../../../../src/core/registry/mergeSkill";
import type { SkillSummary } from "../../../../src/core/skill/skill";
import { fullSkill } from "../../../fixtures/skillDetail";

const { permissionLevel: _, ...summary } = fullSkill.summary;
const row: SkillSummary = { ...summary, permissionLevel: "low" };
const none = { prices: undefined, feedback: undefined, publisher: undefined };

describe("mergeSkill, of permission levels", () => {
  const { prices: _prices, feedback: _feedback, statedPermissionLevel, ...rest } = fullSkill;
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

describe("mergeSkill, of reviews", () => {
  const { prices: _p, feedback: _f, statedPermissionLevel: _s, ...own } = fullSkill;
  const cases: [string, own: string, latest: string | undefined, row: string, string][] = [
    ["the latest version's", "2.1.0", "2.1.0", "", "approved, latest 2.1.0"],
    [
      "none of an older version, by its own answer",
      "2.0.0",
      "2.1.0",
      "2.0.0",
      "none, latest 2.1.0",
    ],
    ["none of an older version, by the list", "2.0.0", undefined, "2.1.0", "none, latest 2.1.0"],
    ["none of an older version, by the versions", "2.0.0", undefined, "", "none, latest 2.1.0"],
  ];
  for (const [what, version, latestVersion, listed, expected] of cases) {
    it(`keeps ${what}`, () => {
      const merged = mergeSkill({
        own: {
          ...own,
          ...(latestVersion !== undefined && { latestVersion }),
          summary: { ...summary, version },
        },
        row: listed === "" ? undefined : { ...row, version: listed },
        ...none,
      });
      const said = `${merged.reviewState ?? "none"}, latest ${merged.latestVersion}`;
      assert.equal(said, expected);
      assert.equal(merged.reviewedAt === undefined, merged.reviewState === undefined);
    });
  }
});
