import assert from "node:assert/strict";
import { describe, it } from "mocha";
import {
  barsOf,
  fileAccessRank,
  levelRank,
  type Permissions,
  permissionLevels,
  permissionLevelText,
} from "../../../../src/core/skill/permissions";
import { english } from "../../../../src/core/text/language";

const network: Permissions = {
  network: true,
  browser: false,
  filesystem: "none",
  secretCount: 0,
  secretNames: [],
};
const nothing: Permissions = { ...network, network: false };

describe("permission levels", () => {
  const cases: [string, Permissions | undefined, string | undefined, string, number, boolean][] = [
    ["agreeing permissions and level", network, "medium", "Medium permissions", 2, false],
    ["permissions alone", network, undefined, "Medium permissions", 2, false],
    ["nothing granted", nothing, "low", "Low permissions", 1, false],
    ["a level that is too low", { ...network, secretCount: 1 }, "low", "High permissions", 3, true],
    ["one of an unknown name", { ...nothing, others: ["gpu"] }, "low", "High permissions", 3, true],
    ["a level that is too high", nothing, "high", "Low permissions", 1, true],
    ["a level alone", undefined, "high", "High permissions", 3, false],
    ["a level of the registry's own", undefined, "galactic", "galactic", 0, false],
    ["nothing known", undefined, undefined, "Permissions not provided", 0, false],
    ["an empty level", undefined, "", "Permissions not provided", 0, false],
  ];
  for (const [what, permissions, stated, word, bars, conflict] of cases) {
    it(`judges ${what}`, () => {
      const words = permissionLevelText(permissions, stated, english);
      assert.equal(words.word, word);
      assert.equal(words.bars, bars);
      assert.equal(words.conflict !== undefined, conflict);
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

  it("names the permissions that make the level, and only those", () => {
    const words = permissionLevelText({ ...network, filesystem: "write" }, "high", english);
    assert.equal(words.reason, "Writes files on the machine it runs on.");
  });
});
