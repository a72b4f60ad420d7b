import assert from "node:assert/strict";
import { describe, it } from "mocha";
import {
  assumedLevel,
  barsOf,
  fileAccessRank,
  levelBasis,
  levelRank,
  type Permissions,
  permissionLevels,
  permissionLevelText,
  skillLevel,
  withPermissions,
} from "../../../../src/core/skill/permissions";
import type { SkillSummary } from "../../../../src/core/skill/skill";
import { english } from "../../../../src/core/text/language";
import { fullSkill } from "../../../fixtures/skillDetail";

const network: Permissions = {
  network: true,
  browser: false,
  filesystem: "none",
  secretCount: 0,
  secretNames: [],
};
const nothing: Permissions = { ...network, network: false };

const unstated: SkillSummary = {
  slug: "abc",
  displayName: "abc",
  description: "",
  tags: [],
  version: "1.0.0",
  numbers: {},
};

/** Returns a skill with this stated level, and with permissions if they are known. */
function skillWith(permissions: Permissions | undefined, stated: string | undefined): SkillSummary {
  const row = stated === undefined ? unstated : { ...unstated, permissionLevel: stated };
  return permissions === undefined ? row : withPermissions(row, permissions);
}

describe("permission levels", () => {
  const cases: [string, Permissions | undefined, string | undefined, string, number, boolean][] = [
    ["agreeing permissions and level", network, "medium", "Medium permissions", 2, false],
    ["permissions alone", network, undefined, "Medium permissions", 2, false],
    ["nothing granted", nothing, "low", "Low permissions", 1, false],
    ["a level that is too low", { ...network, secretCount: 1 }, "low", "High permissions", 3, true],
    ["one of an unknown name", { ...nothing, others: ["gpu"] }, "low", "High permissions", 3, true],
    ["a level that is higher than the permissions", nothing, "high", "High permissions", 3, true],
    ["a level of its own beside permissions", network, "galactic", "Medium permissions", 2, true],
    ["a level alone", undefined, "high", "High permissions", 3, false],
    ["a level of the registry's own", undefined, "galactic", "galactic", 0, false],
    ["nothing known", undefined, undefined, "Permissions not provided", 0, false],
    ["an empty level", undefined, "", "Permissions not provided", 0, false],
  ];
  for (const [what, permissions, stated, word, bars, conflict] of cases) {
    it(`describe ${what}`, () => {
      const words = permissionLevelText(skillWith(permissions, stated), english);
      assert.equal(words.word, word);
      assert.equal(words.bars, bars);
      assert.equal(words.conflict !== undefined, conflict);
    });
  }

  const told: readonly (readonly [
    permissions: Permissions | undefined,
    stated: string | undefined,
    level: string | undefined,
    counted: string,
    basis: "permissions" | "listing" | undefined,
  ])[] = [
    [network, undefined, "medium", "medium", "permissions"],
    [network, "low", "medium", "medium", "permissions"],
    [network, "High", "high", "high", "permissions"],
    [network, "galactic", "medium", "medium", "permissions"],
    [undefined, "low", "low", "high", "listing"],
    [undefined, "galactic", "galactic", "high", "listing"],
    [undefined, undefined, undefined, "high", undefined],
  ];
  for (const [permissions, stated, level, counted, basis] of told) {
    const known = permissions === undefined ? "unknown permissions" : "access to the network";
    it(`of a skill with ${known} that is listed as ${stated} are shown as ${level}, and count as ${counted}`, () => {
      const summary = skillWith(permissions, stated);
      assert.equal(skillLevel(permissions, stated), level);
      assert.equal(summary.permissionLevel, level);
      assert.equal(assumedLevel({ ...fullSkill, summary, permissions }), counted);
      assert.equal(levelBasis(summary), basis);
    });
  }

  it("are ranked, the lowest first", () => {
    assert.deepEqual(permissionLevels.map(levelRank), [0, 1, 2]);
    assert.deepEqual(["High", "galactic", "", undefined].map(levelRank), [2, -1, -1, -1]);
    assert.deepEqual(["low", "high", "galactic"].map(barsOf), [1, 3, 0]);
    assert.deepEqual(
      ["none", "read", "write", "all", undefined].map(fileAccessRank),
      [0, 1, 2, -1, -1],
    );
  });

  it("give a reason if nothing is granted; grants are listed separately", () => {
    const reason = (permissions: Permissions) =>
      permissionLevelText(skillWith(permissions, "low"), english).reason;
    assert.equal(reason(network), "");
    assert.equal(
      reason({ ...network, network: false }),
      "No files, no network, no browser, no secrets.",
    );
  });
});
