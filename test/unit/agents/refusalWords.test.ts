import assert from "node:assert/strict";
import { describe, it } from "mocha";
import { stopError } from "../../../src/cli/engine/cliEngine";
import { agentOverview } from "../../../src/core/agents/agentOverview";
import { refusalOf } from "../../../src/core/agents/agentResults";
import {
  agentVerdict,
  closedForSkill,
  type SkillFacts,
} from "../../../src/core/agents/gates/agentGates";
import type { AgentRefusal, AgentRefusalCode } from "../../../src/core/agents/gates/agentRefusal";
import { runningFacts } from "../../../src/core/invocation/outcome";
import { canInvoke } from "../../../src/core/invocation/permission/canInvoke";
import {
  type Question,
  type Stop,
  stopNotice,
  stopText,
} from "../../../src/core/invocation/permission/question";
import { termsOf } from "../../../src/core/invocation/permission/terms";
import type { RegistryFailure } from "../../../src/core/registry/registryFailure";
import type { Drift } from "../../../src/core/review/drift";
import { driftText, notKnownText } from "../../../src/core/review/driftText";
import type { NotKnown } from "../../../src/core/review/skillStanding";
import type { TeamStanding } from "../../../src/core/review/standing";
import type { UnknownPart } from "../../../src/core/skill/compare/contract";
import { english } from "../../../src/core/text/language";
import { openFacts, refusedWith } from "../../fixtures/agentFacts";
import { pastInvocation } from "../../fixtures/pastInvocation";
import { fullSkill } from "../../fixtures/skillDetail";
import { validCheck } from "../../fixtures/testEngine";

const { slug, version } = fullSkill.summary;
const failure: RegistryFailure = { kind: "timeout", seconds: 30 };
const dialog = { message: "", detail: ["It says why."], agree: "" };
const terms = termsOf("https://registry.example", fullSkill);
const caller = { kind: "mcp", name: "probe" } as const;

type QuestionKind = Question["kind"];
type StopKind = Exclude<Stop["kind"], "declined">;

const drifts = {
  violation: {
    ...{ kind: "violation", version },
    violation: {
      kind: "violation",
      skill: slug,
      who: "Ann",
      when: "2026-01-01",
      notes: "It lies.",
    },
  },
  "not-offered": { kind: "not-offered", version, status: "suspended" },
  "contract-changed": { kind: "contract-changed", version, sides: undefined },
  "permissions-raised": { kind: "permissions-raised", version, before: undefined, now: undefined },
  "verification-lowered": {
    ...{ kind: "verification-lowered", version },
    ...{ before: "verified", now: "listed" },
  },
  "publisher-changed": { kind: "publisher-changed", version, before: "a", now: "b" },
  "price-changed": {
    ...{ kind: "price-changed", version, before: [] },
    now: [{ billingModel: "per_call", unitAmountCents: 9900, currency: "USD" }],
  },
  "other-registry": {
    ...{ kind: "other-registry", version, registry: "https://here.example" },
    others: [{ registry: "https://there.example", version: "1.0.0" }],
  },
  "version-unreviewed": {
    ...{ kind: "version-unreviewed", version, criteria: ["safe-to-try"], from: "1.0.0" },
    ...{ isSameContract: true, sides: undefined },
  },
  expired: { kind: "expired", version, by: "review", until: "2026-01-01" },
  unreviewed: { kind: "unreviewed", version, criteria: ["safe-to-try"] },
} satisfies Readonly<Record<Drift["kind"], Drift>>;

const unknowns = {
  failure: { kind: "failure", failure },
  version: { kind: "version", version },
  contract: { kind: "contract", version, part: "manifest" },
  lost: { kind: "lost", version, part: "publisher" },
  unlisted: { kind: "unlisted", version },
} satisfies Readonly<Record<NotKnown["kind"], NotKnown>>;

const objectionOf = (found: Partial<TeamStanding>): TeamStanding => ({
  ...{ slug, drift: [], notKnown: [], broken: [] },
  ...found,
});

const questions: { readonly [Kind in QuestionKind]: Extract<Question, { kind: Kind }> } = {
  unchecked: {
    kind: "unchecked",
    check: { ...validCheck, state: "unchecked", reason: "Too long." },
  },
  secrets: { kind: "secrets", check: validCheck, found: [] },
  notExpectedToRun: { kind: "notExpectedToRun", code: "skill_not_installed", text: dialog },
  unreviewed: {
    ...{ kind: "unreviewed", text: dialog, terms },
    objection: objectionOf({ drift: [drifts.unreviewed] }),
  },
  terms: { kind: "terms", text: dialog, terms },
  dailyLimit: { kind: "dailyLimit", reason: "It would be $5.00 today." },
  uncounted: { kind: "uncounted", unknown: "spending", reason: "disk I/O error" },
  inProgress: { kind: "inProgress" },
  rateLimit: { kind: "rateLimit", seconds: 7 },
  agentCall: {
    ...{ kind: "agentCall", caller, skill: fullSkill, payload: "{}" },
    call: { tool: "invoke_skill", agreement: "" },
  },
};

const suspended = canInvoke({
  ...fullSkill,
  summary: { ...fullSkill.summary, verificationStatus: "suspended" },
});
const stops: { readonly [Kind in StopKind]: Extract<Stop, { kind: Kind }> } = {
  canceled: { kind: "canceled" },
  registryChanged: { kind: "registryChanged" },
  invalid: { kind: "invalid", check: { ...validCheck, state: "invalid" } },
  termsUnknown: { kind: "termsUnknown", failure },
  otherVersion: { kind: "otherVersion", failure: { kind: "notFound", message: "It has 1.0.0." } },
  changed: { kind: "changed", message: "It changed at the registry." },
  notCallable: {
    kind: "notCallable",
    verdict: suspended.kind === "no" ? suspended : assert.fail(suspended.kind),
  },
  noLongerValid: { kind: "noLongerValid" },
  price: { kind: "price", isKnown: false },
  noSender: { kind: "noSender" },
  agent: { kind: "agent", refusal: { code: "callLimit", message: "Enough." } },
  earlier: {
    kind: "earlier",
    earlier: { kind: "running", record: pastInvocation(0, runningFacts) },
  },
  notRecorded: { kind: "notRecorded" },
  atWindow: { kind: "atWindow", why: "declined" },
};

/** Every reason why nothing is sent, with the code that an agent gets. */
const reasons: Readonly<Record<StopKind | QuestionKind, AgentRefusalCode>> = {
  canceled: "canceled",
  registryChanged: "canceled",
  invalid: "payloadInvalid",
  termsUnknown: "registryUnreachable",
  otherVersion: "contractChanged",
  changed: "contractChanged",
  notCallable: "notCallable",
  noLongerValid: "payloadInvalid",
  price: "spendingLimit",
  noSender: "missingProjectKey",
  agent: "callLimit",
  earlier: "canceled",
  notRecorded: "recordFailed",
  atWindow: "canceled",
  unchecked: "payloadUnchecked",
  secrets: "payloadHasSecret",
  notExpectedToRun: "notCallable",
  unreviewed: "reviewObjects",
  terms: "declined",
  dailyLimit: "spendingLimit",
  uncounted: "spendingLimit",
  inProgress: "declined",
  rateLimit: "rateLimited",
  agentCall: "declined",
};

describe("an invocation that is not sent", () => {
  const all: readonly Stop[] = [
    ...Object.values(stops),
    ...Object.values(questions).map((question) => ({ kind: "declined" as const, question })),
  ];
  for (const stop of all) {
    const reason = stop.kind === "declined" ? stop.question.kind : stop.kind;
    it(`has the same words at the terminal, in the editor and for an agent, for the reason ${reason}`, () => {
      const { message, detail } = stopText(slug, stop, english);
      const agents = refusalOf(slug, stop);
      assert.equal(agents.code, reasons[reason]);
      assert.ok(agents.message.startsWith(message), agents.message);
      const terminal = stopError(slug, stop).message;
      assert.ok(terminal.startsWith(message), terminal);
      for (const line of detail) {
        assert.ok(agents.message.includes(line), agents.message);
        assert.ok(terminal.includes(line), terminal);
      }
      // A person gets no message about their own decision.
      const shown = stopNotice(slug, stop, english)?.message;
      assert.ok(shown === undefined || shown === message, shown);
    });
  }
});

describe("an objecting review", () => {
  const all: readonly (readonly [string, string, Partial<TeamStanding>])[] = [
    ...Object.values(drifts).map(
      (drift: Drift) => [drift.kind, driftText(slug, drift, english), { drift: [drift] }] as const,
    ),
    ...Object.values(unknowns).map(
      (one: NotKnown) =>
        [`unknown ${one.kind}`, notKnownText(slug, one, english), { notKnown: [one] }] as const,
    ),
  ];
  for (const [what, words, found] of all) {
    it(`has the same words in an invocation, for an agent and in check: ${what}`, () => {
      const question = { ...questions.unreviewed, objection: objectionOf(found) };
      const stop: Stop = { kind: "declined", question };
      assert.deepEqual(stopText(slug, stop, english).detail, [words]);
      assert.ok(refusalOf(slug, stop).message.includes(words), words);
    });
  }
});

/** The gates that only agents have, and whose texts are their own. */
const agentsAlone = [] as const;

describe("a closed gate of an agent", () => {
  const facts = openFacts();
  const declined = (kind: QuestionKind): readonly [AgentRefusal, string] => {
    const stop: Stop = { kind: "declined", question: questions[kind] };
    return [refusalOf(slug, stop), stopText(slug, stop, english).message];
  };
  const stopped = (kind: StopKind): readonly [AgentRefusal, string] => [
    refusalOf(slug, stops[kind]),
    stopText(slug, stops[kind], english).message,
  ];
  const closed = (changed: Partial<SkillFacts>): AgentRefusal =>
    closedForSkill({ ...facts, ...changed }) ?? assert.fail("It is open.");
  const refused = (changed: Partial<Parameters<typeof agentVerdict>[0]>): AgentRefusal => {
    const verdict = agentVerdict({ ...facts, ...changed });
    return verdict?.kind === "refused" ? verdict.refusal : assert.fail("It is open.");
  };
  const unreadable = (failure: RegistryFailure) =>
    [
      closed({ read: failure }),
      stopText(slug, { kind: "termsUnknown", failure }, english).message,
    ] as const;
  const without = (part: UnknownPart) =>
    [
      closed({ read: { ...facts.read, contract: { ok: false, unknown: part } } }),
      notKnownText(slug, { kind: "contract", version, part }, english),
    ] as const;
  const askedEachTime = facts.agreement && { ...facts.agreement, mode: "ask" as const };
  const gates: Readonly<
    Record<AgentRefusalCode, readonly (readonly [refusal: AgentRefusal, words: string])[]>
  > = {
    agentsOff: agentsAlone,
    badArguments: agentsAlone,
    notAllowed: agentsAlone,
    agreementExpired: agentsAlone,
    contractMissing: [
      unreadable({ kind: "notFound" }),
      ...(["prices", "publisher", "permissions", "manifest", "values"] as const).map(without),
    ],
    contractChanged: [stopped("changed"), stopped("otherVersion")],
    wrongContractHash: agentsAlone,
    registryUnreachable: [unreadable(failure), stopped("termsUnknown")],
    notCallable: [
      stopped("notCallable"),
      declined("notExpectedToRun"),
      [closed({ warning: "It may be billed without being executed." }), "It may be billed without"],
    ],
    reviewObjects: [declined("unreviewed")],
    workspaceNarrows: agentsAlone,
    levelExceeded: agentsAlone,
    payloadInvalid: [stopped("invalid"), stopped("noLongerValid")],
    payloadUnchecked: [declined("unchecked")],
    payloadHasSecret: [declined("secrets")],
    numberLosesDigits: agentsAlone,
    outcomeUnknownBefore: agentsAlone,
    callLimit: agentsAlone,
    spendingLimit: [stopped("price"), declined("dailyLimit"), declined("uncounted")],
    priceUnknown: [
      [
        refused({ read: { ...facts.read, price: { kind: "unknown" } } }),
        stopText(slug, stops.price, english).message,
      ],
    ],
    rateLimited: [declined("rateLimit")],
    declined: [
      declined("agentCall"),
      [refused({ agreement: askedEachTime, answer: "no" }), declined("agentCall")[1]],
    ],
    noPerson: agentsAlone,
    missingProjectKey: [stopped("noSender")],
    recordFailed: [stopped("notRecorded")],
    canceled: [stopped("canceled"), stopped("registryChanged"), stopped("earlier")],
  };

  for (const [code, told] of Object.entries(gates)) {
    if (told.length === 0) continue;
    it(`has the same explanation as for every invocation: ${code}`, () => {
      for (const [refusal, words] of told) {
        assert.equal(refusal.code, code);
        assert.ok(refusal.message.includes(words), `${refusal.message} – ${words}`);
      }
    });
  }

  it("has its own text for a person, whichever gate it is", () => {
    const codes = Object.keys(gates);
    const words = codes.map(
      (code) => agentOverview(refusedWith([code]), english).at(-1)?.description,
    );
    assert.equal(new Set(words).size, codes.length);
    assert.deepEqual(
      words.filter((word) => word === undefined || codes.includes(word)),
      [],
    );
  });
});
