import assert from "node:assert/strict";
import { describe, it } from "mocha";
import {
  canInvoke,
  canInvokeAsListed,
  type ListedSkill,
} from "../../../../../src/core/invocation/permission/canInvoke";
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
      permissionLevel: "high",
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
  };
}

const installed: ListedSkill = { installStatus: "installed", approvalState: "approved" };

describe("whether an invocation can run", () => {
  const cases: readonly (readonly [state: string | undefined, expected: string])[] = [
    ["submitted", "skill_not_verified"],
    ["draft", "skill_not_verified"],
    ["rejected", "skill_not_allowed"],
    ["suspended", "skill_not_allowed"],
    ["verified", "unknown"],
    ["deprecated", "unknown"],
    ["blessed by the registry", "unknown"],
    [undefined, "unknown"],
  ];
  for (const [state, expected] of cases) {
    it(`is ${expected} for a skill that is ${state}`, () => {
      const verdict = canInvoke(skill(state));
      assert.equal(verdict.kind === "no" ? verdict.code : verdict.kind, expected);
      assert.match((verdict.kind === "no" ? verdict.text : verdict.why).text, /\w+ .*\.$/);
    });
  }

  const listings: readonly (readonly [listed: ListedSkill, expected: string])[] = [
    [installed, "Installed and approved"],
    [{ ...installed, installStatus: "active" }, "Installed and approved"],
    [{ installStatus: "installed" }, "Installed"],
    [{ callable: true }, "Listed as callable"],
    [{ callable: false }, "no "],
    [{ ...installed, callable: false }, "no "],
    [{ ...installed, verificationStatus: "suspended" }, "no skill_not_allowed"],
    [{ ...installed, verificationStatus: "submitted" }, "no skill_not_verified"],
    [{ ...installed, installStatus: "suspended" }, "no install_not_active"],
    [{ ...installed, installStatus: "removed" }, "no install_not_active"],
    [{ ...installed, installStatus: "paused" }, "unknown"],
    [{ ...installed, approvalState: "owner_required" }, "no skill_not_approved"],
    [{ ...installed, approvalState: "pending" }, "no skill_not_approved"],
    [{ ...installed, approvalState: "odd" }, "unknown"],
    [{ ...installed, maxPermissionLevel: "medium" }, "no permission_level_exceeded"],
    [{ ...installed, maxPermissionLevel: "high" }, "Installed and approved"],
    [{ ...installed, maxPermissionLevel: "galactic" }, "Installed and approved"],
    [{ ...installed, version: "1" }, "Installed and approved"],
    [{ ...installed, version: "0.9" }, "no skill_not_installed"],
    [{ ...installed, version: "0.9", verificationStatus: "suspended" }, "no skill_not_installed"],
  ];
  for (const [listed, expected] of listings) {
    it(`is “${expected.trim()}” for a skill that is listed as ${JSON.stringify(listed)}`, () => {
      const verdict = canInvokeAsListed(skill("verified"), listed);
      const said = {
        no: () => `no ${verdict.kind === "no" && verdict.code}`,
        unknown: () => "unknown",
        notBlocked: () => (verdict.kind === "notBlocked" ? verdict.facts.text : ""),
      };
      assert.equal(said[verdict.kind](), expected);
    });
  }

  const blind: readonly (readonly [what: string, Partial<SkillDetail>, unknown: string])[] = [
    ["no price", {}, "policyApproval network secrets rate budget subscription"],
    ["a free skill", { prices: price("free") }, "policyApproval network secrets rate"],
    [
      "a price per invocation",
      { prices: price("per_call") },
      "policyApproval network secrets rate budget",
    ],
    [
      "a subscription",
      { prices: price("subscription") },
      "policyApproval network secrets rate budget subscription",
    ],
    [
      "unknown permissions",
      { prices: price("free"), permissions: undefined },
      "policyApproval network browser filesystem secrets rate",
    ],
  ];
  for (const [what, change, unknown] of blind) {
    it(`names the checks that no list can answer: ${what}`, () => {
      const verdict = canInvokeAsListed({ ...skill("verified"), ...change }, installed);
      assert.ok(verdict.kind === "notBlocked");
      assert.equal(verdict.unknown.join(" "), unknown);
    });
  }
});

function price(billingModel: string) {
  return [{ billingModel, unitAmountCents: 5, currency: "USD" }];
}
