import assert from "node:assert/strict";
import { describe, it } from "mocha";
import {
  type Approval,
  approvalQuestion,
  approvalRequest,
  isSameApproval,
  mayApprove,
  mayChangePolicy,
  mergePolicy,
  needsApproval,
  type PolicyAccess,
  policyAccess,
  policyChanges,
  policyQuestion,
  policyText,
  readPolicyText,
} from "../../../../src/core/project/policies";
import type { InstalledSkill, PolicyRow } from "../../../../src/core/project/project";
import { english } from "../../../../src/core/text/language";

const skill: InstalledSkill = { slug: "abc", name: "Abc", version: "1.0.0", status: "installed" };
const policy: PolicyRow = {
  approvalRequired: false,
  maxPermissionLevel: "medium",
  allowNetwork: true,
  allowBrowser: false,
  filesystemAccess: "read",
  allowSecretAccess: false,
  monthlyBudgetCents: 10_000,
  rateLimitPerMinute: 60,
};

describe("a policy as a document", () => {
  it("has all its members in a fixed order, and is read unchanged", () => {
    const text = policyText(policy);
    assert.equal(text.split("\n")[1], '  "maxPermissionLevel": "medium",');
    assert.deepEqual(readPolicyText(text, english), { ok: true, value: policy });
  });

  it("shows hidden characters, which cannot be saved", () => {
    const text = policyText({ ...policy, maxPermissionLevel: 'lo\u202Ew"\u{1F600}\u0007' });
    assert.match(text, /^[\n\x20-\x7e]*$/);
    assert.equal(JSON.parse(text).maxPermissionLevel, 'lo\u202Ew"\u{1F600}\u0007');
    assert.ok(!readPolicyText(text, english).ok);
  });

  const broken: readonly [what: string, edit: (text: string) => string, code: string][] = [
    ["a comment", (text) => `// mine\n${text}`, "json"],
    ["a missing member", (text) => text.replace(/ {2}"allowBrowser".*\n/, ""), "required"],
    ["an unknown member", (text) => text.replace("{", '{"note": 1,'), "additionalProperties"],
    ["a negative budget", (text) => text.replace("10000", "-1"), "minimum"],
    ["a rate of none", (text) => text.replace("60", "0"), "minimum"],
    ["half an invocation", (text) => text.replace("60", "1.5"), "type"],
    ["a number too large for the registry", (text) => text.replace("60", "9e9"), "maximum"],
    ["an unknown level", (text) => text.replace("medium", "extreme"), "enum"],
    ["a member twice", (text) => text.replace("{", '{"allowNetwork": false,'), "json"],
    ["too much", (text) => text + " ".repeat(20_000), "size"],
  ];
  for (const [what, edit, code] of broken) {
    it(`is not saved with ${what}`, () => {
      const read = readPolicyText(edit(policyText(policy)), english);
      assert.equal(read.ok ? "" : read.problems[0]?.code, code);
    });
  }

  it("keeps members that others changed meanwhile, unless the user edited the same member", () => {
    const edited = { ...policy, rateLimitPerMinute: 5, allowBrowser: true };
    const now = { ...policy, rateLimitPerMinute: 7, monthlyBudgetCents: 1 };
    assert.deepEqual(mergePolicy(policy, edited, now), { ...edited, monthlyBudgetCents: 1 });
    assert.deepEqual(policyChanges(now, mergePolicy(policy, policy, now)), []);
  });

  it("is saved after each change and its consequences were agreed to", () => {
    const after = { ...policy, monthlyBudgetCents: 0, approvalRequired: true };
    const change = { now: policy, after, isChangedElsewhere: true };
    const project = { slug: "demo", name: "My Demo" };
    assert.deepEqual(policyQuestion(skill, project, change, english), {
      message: "Change the policy for abc in My Demo?",
      detail: [
        ["monthlyBudgetCents: 10000 → 0", "approvalRequired: false → true"],
        "Its invocations are rejected until it is approved.",
        "A budget of 0 is no limit.",
        "It was changed elsewhere since you opened it. Those changes are kept where you edited nothing.",
        "This may rename the project from “My Demo” to “Demo”.",
      ],
      agree: "Save Policy",
    });
    const approved = { now: after, after: { ...after, approvalRequired: false } };
    const { detail } = policyQuestion(
      skill,
      { slug: "demo", name: "Demo" },
      { ...approved, isChangedElsewhere: false },
      english,
    );
    assert.deepEqual(detail, [["approvalRequired: true → false"], "This approves the skill."]);
  });

  const roles: readonly [role: string, level: string, waits: boolean, PolicyAccess][] = [
    ["owner", "high", false, "all"],
    ["admin", "high", true, "all"],
    ["", "high", false, "all"],
    ["developer", "medium", false, "all"],
    ["developer", "high", true, "notApproval"],
    ["developer", "high", false, "none"],
    ["developer", "extreme", false, "none"],
    ["finance", "low", false, "none"],
  ];
  for (const [role, permissionLevel, approvalRequired, access] of roles) {
    const waits = approvalRequired ? "waiting for approval" : "approved";
    it(`of a skill with ${permissionLevel} permissions, ${waits}: "${role}" may change ${access}`, () => {
      const one = { ...skill, permissionLevel };
      const now = { ...policy, approvalRequired };
      assert.equal(policyAccess(one, now, role), access);
      const slower = { ...now, rateLimitPerMinute: 1 };
      assert.equal(mayChangePolicy(one, now, slower, role), access !== "none");
      if (!approvalRequired) return;
      const approved = { ...now, approvalRequired: false };
      assert.equal(mayChangePolicy(one, now, approved, role), access === "all");
    });
  }
});

describe("the approval of a skill", () => {
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

  it("is needed if the install or the policy requires it, and the skill was not removed", () => {
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
    ["developer", "extreme", false],
    ["developer", "medium", true],
    ["", "high", true],
  ];
  for (const [role, permissionLevel, may] of rows) {
    it(`of ${permissionLevel} permissions is ${may ? "" : "not "}for the role "${role}"`, () => {
      const one = { ...skill, ...(permissionLevel !== undefined && { permissionLevel }) };
      assert.equal(mayApprove(one, role), may);
    });
  }

  it("is asked for with everything that the policy then allows", () => {
    assert.deepEqual(approvalQuestion({ skill, policy }, project, undefined, english), {
      message: "Approve abc@1.0.0 in Demo?",
      detail: [
        [
          "The policy allows at most high permissions.",
          "Allowed: network, files: write, secrets.",
          "At most 10 invocations a minute.",
          "Its monthly budget has no limit.",
        ],
      ],
      agree: "Approve",
    });
    const none = { allowNetwork: false, filesystemAccess: "none", allowSecretAccess: false };
    const low = { ...policy, ...none, maxPermissionLevel: "low", monthlyBudgetCents: 12_345 };
    const { detail } = approvalQuestion({ skill, policy: low }, project, undefined, english);
    const lines = detail.flat();
    assert.equal(lines[1], "Allowed: compute only.");
    assert.equal(lines[3], "Its monthly budget is limited to 123.45.");
  });

  const asked: Approval = { skill, policy };
  const newer = { ...skill, version: "2.0.0" };
  const wider = { ...policy, allowBrowser: true };
  const meanwhile: readonly [what: string, now: Approval, said: RegExp | undefined][] = [
    [
      "nothing",
      { skill: { ...skill, approvalState: "pending" }, policy: { ...policy } },
      undefined,
    ],
    ["the version", { skill: newer, policy }, /^The pinned version was changed elsewhere/],
    ["the policy", { skill, policy: wider }, /^Its policy was changed elsewhere/],
    ["both", { skill: newer, policy: wider }, /^The pinned version was changed elsewhere/],
  ];
  for (const [what, now, said] of meanwhile) {
    it(`is asked for ${said ? "again" : "once"} if ${what} changed meanwhile`, () => {
      assert.equal(isSameApproval(asked, now), said === undefined);
      if (said === undefined) return;
      const { message, detail } = approvalQuestion(now, project, asked, english);
      assert.equal(message, `Approve abc@${now.skill.version} in Demo?`);
      const [what = "", then = ""] = detail.flat();
      assert.match(what, said);
      assert.match(then, /^The policy allows at most/);
    });
  }

  it("is requested from an owner with skill, permission level, project and registry", () => {
    const text = approvalRequest(
      { ...skill, permissionLevel: "high" },
      project,
      "https://a.example",
      english,
    );
    assert.match(text, /abc@1\.0\.0 \(high\) in the project Demo \(demo\) at https:\/\/a\.example/);
  });
});
