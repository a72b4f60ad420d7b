import assert from "node:assert/strict";
import { describe, it } from "mocha";
import { english } from "../../../../src/core/text/language";
import {
  approvalQuestion,
  approvalRequest,
  mayApprove,
  needsApproval,
} from "../../../../src/core/workspace/policies";
import type { InstalledSkill } from "../../../../src/core/workspace/project";

const skill: InstalledSkill = { slug: "abc", name: "Abc", version: "1.0.0", status: "installed" };
const policy = {
  maxPermissionLevel: "high",
  allowNetwork: true,
  allowBrowser: false,
  filesystemAccess: "write",
  allowSecretAccess: true,
  monthlyBudgetCents: 0,
  rateLimitPerMinute: 10,
  approvalRequired: true,
};
const project = { slug: "demo", name: "Demo" };

describe("the approval of a skill", () => {
  it("is needed where the install or the policy says so, and the skill was not removed", () => {
    const waiting = { ...skill, approvalState: "owner_required" };
    assert.ok(needsApproval(waiting));
    assert.ok(needsApproval({ ...waiting, status: "suspended" }));
    assert.ok(!needsApproval({ ...waiting, status: "removed" }));
    assert.ok(needsApproval({ ...skill, policy: { approvalRequired: true } }));
    assert.ok(!needsApproval({ ...skill, policy: { approvalRequired: true, approvedAt: 1 } }));
    assert.ok(needsApproval({ ...skill, approvalState: "pending" }));
    assert.ok(!needsApproval({ ...skill, approvalState: "approved" }));
  });

  const rows: readonly [role: string, level: string | undefined, may: boolean][] = [
    ["owner", "high", true],
    ["admin", "high", true],
    ["developer", "high", false],
    ["developer", undefined, false],
    ["developer", "medium", true],
    ["", "high", true],
  ];
  for (const [role, permissionLevel, may] of rows) {
    it(`of ${permissionLevel} permissions is ${may ? "" : "not "}for the role "${role}"`, () => {
      const one = { ...skill, ...(permissionLevel !== undefined && { permissionLevel }) };
      assert.equal(mayApprove(one, role), may);
    });
  }

  it("is asked for with all that the policy then allows", () => {
    assert.deepEqual(approvalQuestion(skill, project, policy, english), {
      message: "Approve abc@1.0.0 in Demo?",
      detail: [
        "The policy allows at most high permissions.",
        "Allowed: network, files: write, secrets.",
        "At most 10 invocations a minute.",
        "Its monthly budget has no limit.",
      ],
      agree: "Approve",
    });
    const none = { allowNetwork: false, filesystemAccess: "none", allowSecretAccess: false };
    const low = { ...policy, ...none, maxPermissionLevel: "low", monthlyBudgetCents: 12_345 };
    const { detail } = approvalQuestion(skill, project, low, english);
    assert.equal(detail[1], "Allowed: compute only.");
    assert.equal(detail[3], "Its monthly budget is limited to 123.45.");
  });

  it("is asked of an owner in words that say which, where and why", () => {
    const text = approvalRequest(
      { ...skill, permissionLevel: "high" },
      project,
      "https://a.example",
      english,
    );
    assert.match(text, /abc@1\.0\.0 \(high\) in the project Demo \(demo\) at https:\/\/a\.example/);
  });
});
