import assert from "node:assert/strict";
import { describe, it } from "mocha";
import { describeCallability } from "../../../../../src/core/invocation/permission/callability";
import type {
  CallabilityFacts,
  ProjectVerdict,
} from "../../../../../src/core/invocation/permission/callabilityFacts";
import type {
  CachedPolicy,
  ListedSkill,
} from "../../../../../src/core/invocation/permission/canInvoke";
import type { InvocationRecord } from "../../../../../src/core/invocation/record/invocationRecord";
import type { PredictedResponse } from "../../../../../src/core/project/gateway/projectChecks";
import type { SkillDetail } from "../../../../../src/core/skill/skill";
import { english } from "../../../../../src/core/text/language";
import { fullSkill } from "../../../../fixtures/skillDetail";
import { blocked, fine, later, listed, now, rejected, success } from "./skillFacts";

const { code: _code, ...withoutCode } = blocked("");

describe("describeCallability", () => {
  for (const reviewState of ["rejected", "blocked"]) {
    it(`uses a review that ended ${reviewState}`, () => {
      const advice = describeCallability(
        { ...fullSkill, reviewState },
        { hasKey: true, invocations: [], now },
        english,
      );
      assert.deepEqual([advice.kind, advice.code], ["no", "skill_not_allowed"]);
    });
  }

  const cases: [string, string | undefined, boolean | undefined, InvocationRecord[], string][] = [
    ["a status that no registry runs", "submitted", true, [success], "no skill_not_verified"],
    ["a missing key", "verified", false, [success], "no missing_api_key key"],
    ["an unknown key", "verified", undefined, [], "unknown"],
    ["only the status", "verified", true, [], "unknown"],
    ["no status", undefined, true, [], "unknown"],
    ["a successful invocation", "verified", true, [success], "yes"],
    ["a failed invocation", "verified", true, [{ ...success, status: "error" }], "yes"],
    ["a blocked invocation", "verified", true, [blocked("budget_exceeded")], "no budget_exceeded"],
    [
      "a blocked invocation before a successful one",
      "verified",
      true,
      [success, blocked("x")],
      "yes",
    ],
    ["a blocked invocation without a code", "verified", true, [withoutCode], "unknown"],
    ["an unknown code", "verified", true, [blocked("odd_code")], "no odd_code"],
    ["a refused key", "verified", true, [rejected("invalid_api_key")], "no invalid_api_key key"],
    ["a rejected payload", "verified", true, [rejected("validation_error")], "unknown"],
    [
      "an invocation with an unknown outcome",
      "verified",
      true,
      [{ ...success, status: "outcome unknown" }, success],
      "yes",
    ],
    [
      "an invocation of another version",
      "verified",
      true,
      [blocked("budget_exceeded", { version: "1.0.0" })],
      "unknown",
    ],
    ["a rate limit that has passed", "verified", true, [blocked("rate_limit_exceeded")], "unknown"],
    [
      "a rate limit that is still reached",
      "verified",
      true,
      [blocked("rate_limit_exceeded", { startedAt: now - 5000 })],
      "no rate_limit_exceeded",
    ],
  ];
  for (const [what, verificationStatus, hasKey, invocations, expected] of cases) {
    it(`uses ${what}`, () => {
      const { verificationStatus: _, ...rest } = fullSkill.summary;
      const summary = { ...rest, ...(verificationStatus !== undefined && { verificationStatus }) };
      const advice = describeCallability(
        { ...fullSkill, summary },
        { hasKey, invocations, now },
        english,
      );
      const told = [advice.kind, advice.code, advice.needsKey ? "key" : ""]
        .filter(Boolean)
        .join(" ");
      assert.equal(told, expected);
      assert.match(advice.text, /^\S.*\.$/);
      assert.notEqual(advice.word, "");
    });
  }

  const metered: InvocationRecord = { ...success, status: "not executed", ran: "acceptedOnly" };
  const executions: [string, string, Partial<CallabilityFacts>, warned: boolean, word: string][] = [
    ["an HTTP service", "http", {}, false, "Not known"],
    ["an MCP server", "mcp", {}, true, "Not known"],
    ["a local program", "local", {}, true, "Not known"],
    ["a local program without a key", "local", { hasKey: false }, true, "No"],
    ["a local program of the built-in registry", "local", { isBuiltIn: true }, false, "Not known"],
    ["a local program that ran", "local", { invocations: [success] }, false, "Yes"],
    [
      "a local program that was not executed",
      "local",
      { invocations: [metered, success] },
      false,
      "No",
    ],
    [
      "a free invocation that was not executed",
      "mcp",
      { invocations: [{ ...metered, amountCents: 0 }] },
      false,
      "No",
    ],
  ];
  for (const [what, type, facts, warned, word] of executions) {
    it(`shows whether it is executed: ${what}`, () => {
      const skill = { ...fullSkill, runtime: { type } };
      const advice = describeCallability(
        skill,
        { hasKey: true, invocations: [], now, ...facts },
        english,
      );
      assert.equal(advice.word, word);
      assert.equal(/billed but not executed/.test(advice.warning), warned);
    });
  }

  it("warns if the key's project is unknown", () => {
    const facts = { hasKey: true, invocations: [], now };
    const skill = { ...fullSkill, runtime: { type: "mcp" } };
    const warning = (isOfUnknownProject: boolean) =>
      describeCallability(skill, { ...facts, isOfUnknownProject }, english).warning;
    assert.match(warning(true), /^This editor's Project Key belongs to .* May be billed/);
    assert.match(warning(false), /^May be billed/);
  });

  for (const [code, conflicts] of [
    ["skill_not_allowed", true],
    ["skill_not_verified", true],
    ["SkillNotVerified", true],
    ["budget_exceeded", false],
  ] as const) {
    it(`shows whether ${code} contradicts the stated status`, () => {
      const facts = { hasKey: true, invocations: [blocked(code)], now };
      const { statusConflict } = describeCallability(fullSkill, facts, english);
      assert.equal(statusConflict.includes(code), conflicts);
      const after = { ...facts, invocations: [success, blocked(code)] };
      assert.equal(describeCallability(fullSkill, after, english).statusConflict, "");
    });
  }

  for (const [code, expected] of [
    ["INVALID-API-KEY", "no invalid_api_key key"],
    [undefined, "no invalid_api_key key"],
    ["MissingScope", "no MissingScope key"],
  ] as const) {
    it(`recognizes the code ${code ?? "(none)"} of a rejected key in any spelling`, () => {
      const { code: _, ...record } = success;
      const refused = { ...record, status: "refused", ran: "no", reason: "unauthorized" } as const;
      const invocations = [{ ...refused, ...(code !== undefined && { code }) }];
      const advice = describeCallability(fullSkill, { hasKey: true, invocations, now }, english);
      assert.equal([advice.kind, advice.code, advice.needsKey ? "key" : ""].join(" "), expected);
    });
  }

  for (const version of ["v2.1.0", "2.1.0+5"]) {
    it(`recognizes ${version} as the version 2.1.0, of an invocation and of a project`, () => {
      const known = { hasKey: true, invocations: [{ ...success, version }], now };
      assert.equal(describeCallability(fullSkill, known, english).kind, "yes");
      const answer: PredictedResponse = { kind: "allowed", unknown: [] };
      const project: ProjectVerdict = { prediction: answer, status: "installed", at: now, version };
      const runs = { hasKey: true, invocations: [], project, now };
      assert.equal(describeCallability(fullSkill, runs, english).kind, "yes");
      const policy = { ...listed({ installStatus: "installed", version }), at: now - 1 };
      const checked = { hasKey: true, invocations: [], policy, now };
      assert.equal(describeCallability(fullSkill, checked, english).code, "");
    });
  }

  it("ignores an earlier block, in any spelling, if the project no longer has its cause", () => {
    const facts: CallabilityFacts = {
      hasKey: true,
      invocations: [blocked("SKILL-NOT-APPROVED")],
      project: { prediction: { kind: "allowed", unknown: [] }, status: "installed", at: now },
      now,
    };
    assert.equal(describeCallability(fullSkill, facts, english).kind, "yes");
    const same: PredictedResponse = { kind: "blocked", code: "skill_not_approved" };
    const still = { ...facts, project: { prediction: same, status: "installed", at: now } };
    assert.equal(describeCallability(fullSkill, still, english).kind, "no");
  });

  it("names the checks that a list for the key leaves unknown", () => {
    const policy: CachedPolicy = { ...fine, at: later };
    const { kind, text } = describeCallability(
      fullSkill,
      { hasKey: true, invocations: [], policy, now },
      english,
    );
    assert.deepEqual(
      [kind, text],
      [
        "probably",
        "Installed and approved. Nothing in the list blocks it. Unknown: approval that the policy requires, network access, file access, rate limit, monthly budget.",
      ],
    );
  });

  const policyOfAll: ListedSkill = {
    ...{ installStatus: "installed", approvalState: "approved", verificationStatus: "verified" },
    ...{ version: "2.1.0", maxPermissionLevel: "high", approvalRequired: false },
    ...{ allowNetwork: true, allowBrowser: true, filesystemAccess: "write" },
    ...{ allowSecretAccess: true, monthlyBudgetCents: 100, spentThisMonthCents: 99 },
  };
  const listings: [what: string, ListedSkill, at: number, expected: string][] = [
    ["the whole policy and the spending", policyOfAll, later, "Yes "],
    [
      "a budget that is spent",
      { ...policyOfAll, spentThisMonthCents: 100 },
      later,
      "No budget_exceeded",
    ],
    ["no limit", { ...policyOfAll, monthlyBudgetCents: 0 }, later, "Yes "],
    ["spending of an earlier day", policyOfAll, now - 86_400_000, "Probably "],
    ["no network", { ...policyOfAll, allowNetwork: false }, later, "No network_not_allowed"],
    ["no files", { ...policyOfAll, filesystemAccess: "none" }, later, "No filesystem_not_allowed"],
    ["an unknown word", { ...policyOfAll, filesystemAccess: "some" }, later, "Probably "],
  ];
  for (const [what, skill, at, expected] of listings) {
    it(`uses a list with ${what}`, () => {
      const facts = { hasKey: true, invocations: [], policy: { ...listed(skill), at }, now };
      const { word, code } = describeCallability(fullSkill, facts, english);
      assert.equal(`${word} ${code}`, expected);
    });
  }

  it("shows the code of an unknown reason", () => {
    const facts = { hasKey: true, invocations: [blocked("odd_code")], now };
    assert.match(
      describeCallability(fullSkill, facts, english).text,
      /not known here: odd_code\.$/,
    );
  });

  const freeSample: SkillDetail = {
    ...fullSkill,
    prices: [{ billingModel: "free" }],
    permissions: {
      network: false,
      browser: false,
      filesystem: "none",
      secretCount: 0,
      secretNames: [],
    },
  };
  const whole: ListedSkill = {
    callable: true,
    installStatus: "installed",
    approvalState: "approved",
    verificationStatus: "verified",
    maxPermissionLevel: "high",
    approvalRequired: false,
  };
  const { approvalRequired: _, ...ofGateway } = whole;
  const { maxPermissionLevel: __, ...withoutPolicy } = whole;
  const lists: [what: string, skill: SkillDetail, listed: ListedSkill, expected: string][] = [
    ["nothing is left that could block it", freeSample, whole, "Yes"],
    ["it is not told whether the policy requires an approval", freeSample, ofGateway, "probably"],
    ["it is not told whether there is a policy", freeSample, withoutPolicy, "probably"],
    ["its price may exceed a budget", { ...freeSample, prices: [] }, whole, "probably"],
    ["its permissions may exceed the policy", fullSkill, whole, "probably"],
    ["the policy requires an approval", freeSample, { ...whole, approvalRequired: true }, "No"],
  ];
  for (const [what, skill, listed, expected] of lists) {
    it(`answers “${expected}” by the list for a key, before any invocation, if ${what}`, () => {
      const policy: CachedPolicy = { kind: "listed", listed, at: later };
      const known = { hasKey: true, invocations: [], policy, now };
      const { kind } = describeCallability(skill, known, english);
      assert.equal(kind, expected.toLowerCase());
    });
  }
});
