import assert from "node:assert/strict";
import { describe, it } from "mocha";
import { reasonOfCode } from "../../../../../src/core/invocation/errorCodes";
import type {
  CachedPolicy,
  ListedSkill,
} from "../../../../../src/core/invocation/permission/canInvoke";
import type { InvocationRecord } from "../../../../../src/core/invocation/record/invocationRecord";
import type { PredictedResponse } from "../../../../../src/core/project/gateway/projectChecks";
import { describeCallability } from "../../../../../src/core/skill/description/callability";
import type {
  CallabilityFacts,
  ProjectVerdict,
} from "../../../../../src/core/skill/description/callabilityFacts";
import type { SkillDetail } from "../../../../../src/core/skill/skill";
import { english } from "../../../../../src/core/text/language";
import { pastInvocation } from "../../../../fixtures/pastInvocation";
import { fixtureNow, fullSkill } from "../../../../fixtures/skillDetail";

const now = fixtureNow;
const success: InvocationRecord = pastInvocation(now - 3_600_000, {
  id: "00000000000001-abcd",
  endsBefore: now,
  registry: "https://registry.example",
  skillSlug: "csv-profile",
  version: "2.1.0",
  status: "success",
  durationMs: 10,
});
const blocked = (code: string, change: Partial<InvocationRecord> = {}): InvocationRecord => {
  const reason = reasonOfCode(code);
  return {
    ...{ ...success, status: "blocked", ran: "no", code },
    ...(reason !== undefined && { reason }),
    ...change,
  };
};
const rejected = (code: string) => blocked(code, { status: "refused" });
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
      "Billed, not executed",
    ],
    [
      "a free invocation that was not executed",
      "mcp",
      { invocations: [{ ...metered, amountCents: 0 }] },
      false,
      "Accepted, not executed",
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

  const earlier = now - 7_200_000;
  const later = now - 60_000;
  const pending = listed({ installStatus: "installed", approvalState: "owner_required" });
  const fine = listed({ installStatus: "installed", approvalState: "approved", version: "2.1.0" });
  const answers: [string, CachedCheck, number, InvocationRecord[], string][] = [
    ["pending, without an invocation", pending, later, [], "No skill_not_approved check"],
    ["pending, after a success", pending, later, [success], "No skill_not_approved check"],
    ["pending, before a success", pending, earlier, [success], "Yes call"],
    ["an installed skill, without an invocation", fine, later, [], "Installed and approved check"],
    ["an installed skill, after a success", fine, later, [success], "Yes call"],
    [
      "an installed skill, after a rejection because it was not installed",
      fine,
      later,
      [blocked("skill_not_installed")],
      "Installed and approved check",
    ],
    [
      "an installed skill, after a refused key",
      fine,
      later,
      [rejected("invalid_api_key")],
      "Installed and approved check",
    ],
    [
      "an installed skill, after a block by a fact that the check does not read",
      fine,
      later,
      [blocked("budget_exceeded")],
      "No budget_exceeded call",
    ],
    [
      "an installed skill, before a block",
      fine,
      earlier,
      [blocked("skill_not_installed")],
      "No skill_not_installed call",
    ],
    [
      "another installed version",
      listed({ installStatus: "installed", version: "2.0.0" }),
      later,
      [],
      "No skill_not_installed check",
    ],
    [
      "a suspended skill",
      listed({ installStatus: "installed", verificationStatus: "suspended" }),
      later,
      [],
      "No skill_not_allowed check",
    ],
    [
      "an unknown install status",
      listed({ installStatus: "parked" }),
      later,
      [],
      "Not known check",
    ],
    [
      "a list without the skill",
      { kind: "notListed" },
      later,
      [success],
      "No, not installed skill_not_installed check",
    ],
    [
      "an empty list, after a success",
      { kind: "notListed", isEmptyList: true },
      later,
      [success],
      "Yes call",
    ],
    [
      "an empty list, after an invocation that was not executed",
      { kind: "notListed", isEmptyList: true },
      later,
      [{ ...success, status: "not executed", ran: "acceptedOnly" }],
      "Billed, not executed call",
    ],
    [
      "an empty list, without an invocation",
      { kind: "notListed", isEmptyList: true },
      later,
      [],
      "No, not installed skill_not_installed check",
    ],
    [
      "an empty list, after a block",
      { kind: "notListed", isEmptyList: true },
      later,
      [blocked("skill_not_installed")],
      "No, not installed skill_not_installed check",
    ],
    [
      "an installed skill, after that rejection in another spelling",
      fine,
      later,
      [blocked("SkillNotInstalled")],
      "Installed and approved check",
    ],
    [
      "an installed skill, after a refused key in another spelling",
      fine,
      later,
      [rejected("INVALID-API-KEY")],
      "Installed and approved check",
    ],
    ["a refused key", { kind: "refused" }, later, [success], "No invalid_api_key check"],
    ["a refused key, before a success", { kind: "refused" }, earlier, [success], "Yes call"],
  ];
  for (const [what, said, at, invocations, expected] of answers) {
    it(`uses a check of the key: ${what}`, () => {
      const summary = { ...fullSkill.summary, verificationStatus: "verified" };
      const facts = { hasKey: true, invocations, policy: { ...said, at }, now };
      const advice = describeCallability({ ...fullSkill, summary }, facts, english);
      const source = /: the Project Key/.test(advice.source) ? "check" : "call";
      assert.equal([advice.word, advice.code, source].filter(Boolean).join(" "), expected);
      assert.match(advice.source, /\S/);
      assert.equal(advice.needsKey, advice.code === "invalid_api_key");
    });
  }

  const overtaken: [what: string, answer: PredictedResponse, at: number, expected: string][] = [
    ["approved since", { kind: "allowed", unknown: [] }, now, "yes "],
    [
      "approved, by a project that was read before the block",
      { kind: "allowed", unknown: [] },
      0,
      "no skill_not_approved",
    ],
    [
      "blocked as before",
      { kind: "blocked", code: "skill_not_approved" },
      now,
      "no skill_not_approved",
    ],
    [
      "blocked otherwise now",
      { kind: "blocked", code: "budget_exceeded" },
      now,
      "no budget_exceeded",
    ],
  ];
  for (const [what, answer, at, expected] of overtaken) {
    it(`describes an unapproved skill that is ${what}`, () => {
      const facts: CallabilityFacts = {
        hasKey: true,
        invocations: [blocked("skill_not_approved")],
        project: { prediction: answer, status: "installed", at },
        now,
      };
      const { kind, code } = describeCallability(fullSkill, facts, english);
      assert.equal(`${kind} ${code}`, expected);
    });
  }

  const allowed: PredictedResponse = { kind: "allowed", unknown: [] };
  const used: PredictedResponse = { kind: "blocked", code: "budget_exceeded" };
  const forecasts: [
    what: string,
    answer: PredictedResponse,
    at: number,
    code: string,
    kind: string,
  ][] = [
    ["blocks", used, now, "budget_exceeded", "no"],
    ["allows", allowed, now, "", "yes"],
    ["was read before the check", used, later - 1, "", "unknown"],
  ];
  for (const [what, answer, at, code, kind] of forecasts) {
    it(`answers “${kind}” if the project ${what}, and predicts no rejection for a test run`, () => {
      const policy: CachedPolicy = { ...fine, at: later };
      const project = { prediction: answer, status: "installed", at };
      const facts = { hasKey: true, invocations: [], policy, project, now };
      const testRun = describeCallability(fullSkill, { ...facts, isTestRun: true }, english);
      assert.equal(testRun.code, "");
      const advice = describeCallability(fullSkill, facts, english);
      assert.equal(advice.code, code);
      assert.equal(advice.kind, kind);
    });
  }

  const partly: PredictedResponse = { kind: "allowed", unknown: ["rate", "budget"] };
  const refused: CachedPolicy = { kind: "refused", at: earlier };
  const keyRefused = rejected("invalid_api_key");
  const onPage: [
    what: string,
    project: Partial<ProjectVerdict>,
    facts: Partial<CallabilityFacts>,
    expected: string,
  ][] = [
    ["allows it", {}, {}, "Yes: Nothing blocks an invocation."],
    [
      "knows only some checks",
      { prediction: partly },
      {},
      "Not known: Nothing is known to block an invocation. Unknown: rate limit, monthly budget.",
    ],
    ["runs this version", { version: "2.1.0" }, {}, "Yes: Nothing blocks an invocation."],
    ["runs another version", { version: "2.0.0" }, {}, "No: skill_not_installed"],
    [
      "allows it, after an invocation with a refused key",
      {},
      { invocations: [keyRefused] },
      "No: invalid_api_key",
    ],
    ["allows it, after a check with a refused key", {}, { policy: refused }, "No: invalid_api_key"],
    ["allows it, without a key", {}, { hasKey: false }, "No: missing_api_key"],
    [
      "allows it, with an unreadable key",
      {},
      { hasKey: undefined },
      "Not known: The project's policy decides when the invocation arrives.",
    ],
    [
      "knows only some checks, after a success",
      { prediction: partly },
      { invocations: [success] },
      "Yes: Your last invocation succeeded, Nov 20, 2026 (today).",
    ],
  ];
  for (const [what, said, facts, expected] of onPage) {
    it(`shows on a page, with a project that ${what}: ${expected}`, () => {
      const project: ProjectVerdict = {
        prediction: allowed,
        status: "installed",
        at: now,
        ...said,
      };
      const known = { hasKey: true, invocations: [], project, now, ...facts };
      const { word, code, text } = describeCallability(fullSkill, known, english);
      assert.equal(`${word}: ${code || text}`, expected);
    });
  }

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
        "unknown",
        "Nothing in the list blocks it. Unknown: approval that the policy requires, network access, file access, rate limit, monthly budget.",
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
    ["spending of an earlier day", policyOfAll, now - 86_400_000, "Installed and approved "],
    ["no network", { ...policyOfAll, allowNetwork: false }, later, "No network_not_allowed"],
    ["no files", { ...policyOfAll, filesystemAccess: "none" }, later, "No filesystem_not_allowed"],
    [
      "an unknown word",
      { ...policyOfAll, filesystemAccess: "some" },
      later,
      "Installed and approved ",
    ],
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
    ["it is not told whether the policy requires an approval", freeSample, ofGateway, "unknown"],
    ["it is not told whether there is a policy", freeSample, withoutPolicy, "unknown"],
    ["its price may exceed a budget", { ...freeSample, prices: [] }, whole, "unknown"],
    ["its permissions may exceed the policy", fullSkill, whole, "unknown"],
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

type CachedCheck = CachedPolicy extends infer Each
  ? Each extends CachedPolicy
    ? Omit<Each, "at">
    : never
  : never;

function listed(skill: ListedSkill) {
  return { kind: "listed", listed: skill } as const;
}
