import assert from "node:assert/strict";
import { describe, it } from "mocha";
import { describeCallability } from "../../../../../src/core/invocation/permission/callability";
import type {
  CallabilityFacts,
  ProjectVerdict,
} from "../../../../../src/core/invocation/permission/callabilityFacts";
import type { CachedPolicy } from "../../../../../src/core/invocation/permission/canInvoke";
import type { InvocationRecord } from "../../../../../src/core/invocation/record/invocationRecord";
import type { PredictedResponse } from "../../../../../src/core/project/gateway/projectChecks";
import { english } from "../../../../../src/core/text/language";
import { fullSkill } from "../../../../fixtures/skillDetail";
import { blocked, fine, later, listed, now, rejected, success } from "./skillFacts";

describe("describeCallability", () => {
  const earlier = now - 7_200_000;
  const pending = listed({ installStatus: "installed", approvalState: "owner_required" });
  const answers: [string, CachedCheck, number, InvocationRecord[], string][] = [
    ["pending, without an invocation", pending, later, [], "No skill_not_approved check"],
    ["pending, after a success", pending, later, [success], "No skill_not_approved check"],
    ["pending, before a success", pending, earlier, [success], "Yes call"],
    ["an installed skill, without an invocation", fine, later, [], "Probably check"],
    ["an installed skill, after a success", fine, later, [success], "Yes call"],
    [
      "an installed skill, after a rejection because it was not installed",
      fine,
      later,
      [blocked("skill_not_installed")],
      "Probably check",
    ],
    [
      "an installed skill, after a refused key",
      fine,
      later,
      [rejected("invalid_api_key")],
      "Probably check",
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
      "No skill_not_installed check",
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
      "No call",
    ],
    [
      "an empty list, without an invocation",
      { kind: "notListed", isEmptyList: true },
      later,
      [],
      "No skill_not_installed check",
    ],
    [
      "an empty list, after a block",
      { kind: "notListed", isEmptyList: true },
      later,
      [blocked("skill_not_installed")],
      "No skill_not_installed check",
    ],
    [
      "an installed skill, after that rejection in another spelling",
      fine,
      later,
      [blocked("SkillNotInstalled")],
      "Probably check",
    ],
    [
      "an installed skill, after a refused key in another spelling",
      fine,
      later,
      [rejected("INVALID-API-KEY")],
      "Probably check",
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
    ["was read before the check", used, later - 1, "", "probably"],
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
      "Probably: Nothing is known to block an invocation. Unknown: rate limit, monthly budget.",
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

  it("names the project that has no key, since one of another project may be kept", () => {
    const project: ProjectVerdict = { prediction: allowed, status: "installed", at: now };
    const without = { hasKey: false, invocations: [], now };
    const texts = [{ ...without, project }, without].map(
      (facts) => describeCallability(fullSkill, facts, english).text,
    );
    assert.deepEqual(texts, [
      "No Project Key is kept for this project. Set one first.",
      "No Project Key is kept for this registry. Set one first.",
    ]);
  });
});

type CachedCheck = CachedPolicy extends infer Each
  ? Each extends CachedPolicy
    ? Omit<Each, "at">
    : never
  : never;
