import assert from "node:assert/strict";
import { describe, it } from "mocha";
import type { PolicyVerdict } from "../../../../../src/core/invocation/invocation";
import { canRun } from "../../../../../src/core/invocation/permission/canRun";
import type { SkillDetail } from "../../../../../src/core/skill/skill";

function skill(verificationStatus: string | undefined): SkillDetail {
  const state = verificationStatus === undefined ? {} : { verificationStatus };
  return {
    summary: {
      slug: "s",
      displayName: "S",
      description: "",
      tags: [],
      version: "1",
      numbers: {},
      ...state,
    },
    manifest: {},
    inputSchema: undefined,
    outputSchema: undefined,
    permissions: {
      network: true,
      browser: false,
      filesystem: "none",
      secretCount: 1,
      secretNames: [],
    },
    runtime: undefined,
    versions: [],
    examples: [],
    prices: undefined,
    feedback: undefined,
    missing: [],
  };
}

const active: PolicyVerdict = { installStatus: "active", approvalState: "approved" };

describe("whether a call can run", () => {
  const cases: readonly (readonly [
    state: string | undefined,
    told: PolicyVerdict | undefined,
    expected: string,
  ])[] = [
    ["submitted", undefined, "skill_not_verified"],
    ["draft", undefined, "skill_not_verified"],
    ["rejected", undefined, "skill_not_verified"],
    ["suspended", undefined, "skill_not_verified"],
    ["verified", undefined, "unknown"],
    ["deprecated", undefined, "unknown"],
    ["blessed by the registry", undefined, "unknown"],
    [undefined, undefined, "unknown"],
    ["verified", active, "yes"],
    ["verified", { ...active, verificationStatus: "suspended" }, "skill_not_verified"],
    ["verified", { ...active, installStatus: "none" }, "skill_not_installed"],
    ["verified", { ...active, installStatus: "paused" }, "install_not_active"],
    ["verified", { ...active, approvalState: "pending" }, "policy_approval_required"],
    ["verified", { ...active, maxPermissionLevel: "medium" }, "permission_level_exceeded"],
    ["verified", { ...active, maxPermissionLevel: "high" }, "yes"],
    ["verified", { ...active, maxPermissionLevel: "galactic" }, "yes"],
    ["verified", {}, "yes"],
  ];
  for (const [state, told, expected] of cases) {
    it(`${state}, told ${JSON.stringify(told)}: ${expected}`, () => {
      const verdict = canRun(skill(state), told);
      assert.equal(verdict.kind === "no" ? verdict.code : verdict.kind, expected);
      if (verdict.kind === "no") assert.match(verdict.cure.text, /\w+ .*\.$/);
      if (verdict.kind === "unknown") assert.match(verdict.why.text, /\w+ .*\.$/);
    });
  }
});
