import assert from "node:assert/strict";
import { describe, it } from "mocha";
import { withPermissions } from "../../../../src/core/skill/permissions";
import type { SkillSummary } from "../../../../src/core/skill/skill";
import { ignoredFilters, skillMatches } from "../../../../src/core/skillList/skillFilters";

const row: SkillSummary = {
  slug: "a",
  displayName: "A",
  description: "",
  tags: ["CSV", "text"],
  version: "1.0.0",
  verificationStatus: "Verified",
  permissionLevel: "low",
  runtimeType: "http",
  numbers: {},
};

describe("skillMatches", () => {
  const cases = [
    ["no filter", {}, true],
    ["an empty filter", { runtime: [] }, true],
    ["its value", { runtime: ["http"] }, true],
    ["its value in another case", { verification: ["verified"] }, true],
    ["one of several values", { permissionProfile: ["high", "low"] }, true],
    ["another value", { permissionProfile: ["high"] }, false],
    ["one of two filters", { runtime: ["http"], verification: ["submitted"] }, false],
    ["a filter on a fact that the row does not state", { task: ["data"] }, true],
    ["a publisher that the row does not name", { publisher: ["Plainworks"] }, false],
    ["all of several tags", { tags: ["csv", "text"] }, true],
    ["one of several tags", { tags: ["csv", "json"] }, false],
  ] as const;
  for (const [name, filters, passes] of cases) {
    it(`${passes ? "passes" : "stops at"} ${name}`, () => {
      assert.equal(skillMatches(row, filters), passes);
    });
  }

  it("accepts a publisher by its name or its slug", () => {
    const published = { ...row, publisher: { name: "Plainworks Ltd", slug: "plainworks" } };
    assert.equal(skillMatches(published, { publisher: ["plainworks ltd"] }), true);
    assert.equal(skillMatches(published, { publisher: ["plainworks"] }), true);
    assert.equal(skillMatches(published, { publisher: ["other"] }), false);
  });

  it("finds the filters that a registry ignored", () => {
    const filters = { runtime: ["mcp"], permissionProfile: ["low"], task: ["data"] };
    assert.deepEqual(ignoredFilters([row], filters), ["runtime"]);
    assert.deepEqual(ignoredFilters([], filters), []);
  });

  it("uses the permissions' level, and does not blame a registry that uses its stated level", () => {
    const permissions = {
      network: false,
      browser: false,
      filesystem: "none",
      secretCount: 1,
      secretNames: [],
    } as const;
    const { permissionLevel: _, ...unstated } = row;
    const understated = withPermissions({ ...unstated, permissionLevel: "low" }, permissions);
    assert.ok(!skillMatches(understated, { permissionProfile: ["low"] }));
    assert.ok(skillMatches(understated, { permissionProfile: ["high"] }));
    assert.deepEqual(ignoredFilters([understated], { permissionProfile: ["low"] }), []);
    assert.deepEqual(ignoredFilters([understated], { permissionProfile: ["high"] }), [
      "permissionProfile",
    ]);
  });
});
