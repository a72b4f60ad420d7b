import assert from "node:assert/strict";
import { describe, it } from "mocha";
import {
  type AgentUse,
  agentVerdict,
  type CallFacts,
} from "../../../../../src/core/agents/gates/agentGates";
import { earlierCall } from "../../../../../src/core/agents/gates/earlierCall";
import { agreedNow, openFacts } from "../../../../fixtures/agentFacts";
import { pastInvocation } from "../../../../fixtures/pastInvocation";

const open = openFacts();
const { read, use } = open;
const used = (facts: Partial<AgentUse["today"]>): Partial<CallFacts> => ({
  use: { ...use, today: { ...use.today, ...facts } },
});

/** The ways to close each gate, in the order of the gates, with the resulting code. */
const closed: readonly (readonly [name: string, code: string, facts: Partial<CallFacts>])[] = [
  ["agents are off", "agentsOff", { isOn: false }],
  ["a policy turns agents off", "agentsOff", { policies: [{}, { off: true }] }],
  ["nobody agreed", "notAllowed", { agreement: undefined }],
  [
    "the agreement is suspended",
    "notAllowed",
    { agreement: agreedNow(undefined, { suspended: "2026-11-25" }) },
  ],
  ["the agreement expired", "agreementExpired", { today: "2999-01-01" }],
  ["the registry has no such skill", "contractMissing", { read: { kind: "notFound" } }],
  [
    "the registry cannot be reached",
    "registryUnreachable",
    { read: { kind: "timeout", seconds: 1 } },
  ],
  [
    "a part of the contract is not known",
    "contractMissing",
    { read: { ...read, contract: { ok: false, unknown: "prices" } } },
  ],
  [
    "the contract is a different one",
    "contractChanged",
    { read: { ...read, contract: { ...read.contract, hash: "other" } as typeof read.contract } },
  ],
  ["the version is a different one", "contractChanged", { read: { ...read, version: "3.0.0" } }],
  ["it runs elsewhere at the same host", "contractChanged", { read: { ...read, changes: ["x"] } }],
  ["the skill was read too long ago", "registryUnreachable", { read: "outdated" }],
  ["the caller has seen another contract", "wrongContractHash", { callerHash: "other" }],
  ["it may be billed and not run", "notCallable", { warning: "May be billed but not executed." }],
  ["a policy cannot be read", "workspaceNarrows", { policies: "unreadable" }],
  ["a policy does not name the skill", "workspaceNarrows", { policies: [{ allow: ["other"] }] }],
  ["the permission level is too high", "levelExceeded", { read: { ...read, level: "high" } }],
  ["a policy lowers the level", "levelExceeded", { policies: [{ maxPermissionLevel: "low" }] }],
  ["nobody checked whether it would run", "notCallable", { warning: undefined }],
  [
    "an equal invocation has an unknown outcome",
    "outcomeUnknownBefore",
    { use: { ...use, earlier: { kind: "unknown", record: pastInvocation(0) } } },
  ],
  ["the session has had all calls", "callLimit", { use: { ...use, sessionCalls: 20 } }],
  ["a policy allows no call", "callLimit", { policies: [{ maxCallsPerSession: 0 }] }],
  ["the skill has had all calls of a day", "callLimit", used({ skillCalls: 50 })],
  ["the price is not known", "priceUnknown", { read: { ...read, price: { kind: "unknown" } } }],
  ["the day's cents are spent", "spendingLimit", used({ cents: 99 })],
  ["the skill's cents are spent", "spendingLimit", used({ skillCents: 99 })],
  ["a free skill was billed before", "spendingLimit", used({ nextCents: 101 })],
  ["a policy allows no cents", "spendingLimit", { policies: [{ maxCentsPerDay: 1 }] }],
  [
    "the person said no",
    "declined",
    { agreement: agreedNow(undefined, { mode: "ask" }), answer: "no" },
  ],
  [
    "nobody can be asked",
    "noPerson",
    { agreement: agreedNow(undefined, { mode: "ask" }), answer: "noPerson" },
  ],
];

function codeOf(facts: CallFacts): string {
  const verdict = agentVerdict(facts);
  return verdict?.kind === "refused" ? verdict.refusal.code : (verdict?.kind ?? "open");
}

describe("the gates of an agent", () => {
  it("are open if everything matches the agreement", () => {
    assert.equal(agentVerdict(open), undefined);
  });
  for (const [name, code, facts] of closed) {
    it(`close if ${name}`, () => assert.equal(codeOf({ ...open, ...facts }), code));
  }
  it("report the first closed gate in their order", () => {
    let pairs = 0;
    for (const [index, [name, code, first]] of closed.entries()) {
      for (const [other, , second] of closed.slice(index + 1)) {
        const isApart = Object.keys(first).every((key) => !Object.hasOwn(second, key));
        if (!isApart) continue;
        pairs += 1;
        assert.equal(codeOf({ ...open, ...second, ...first }), code, `${name}, ${other}`);
      }
    }
    assert.ok(pairs > 100, String(pairs));
  });
  it("list the differences of a changed contract", () => {
    const verdict = agentVerdict({
      ...open,
      read: { ...read, version: "3.0.0", changes: ["More."] },
    });
    assert.deepEqual(verdict?.kind === "refused" && verdict.refusal.changes, ["More."]);
  });
  it("ask the person in the mode that asks, and go on with a yes", () => {
    const asks = { ...open, agreement: agreedNow(undefined, { mode: "ask" }) };
    assert.equal(codeOf(asks), "ask");
    assert.equal(codeOf({ ...asks, answer: "yes" }), "open");
  });
  it("let a free skill pass with a limit of 0 cents", () => {
    const limits = { ...open.limits, centsPerDay: 0 };
    const free = { ...read, price: { kind: "free" } as const };
    assert.equal(codeOf({ ...open, limits, ...used({ nextCents: 0 }), read: free }), "open");
    assert.equal(codeOf({ ...open, limits }), "spendingLimit");
  });
  it("name each amount that an invocation would exceed, with what was spent of it", () => {
    const all = "Agents may spend 100 cents a day in all, and spent 99 today.";
    const skill = "Agents may spend 60 cents a day on it, and spent 59 today.";
    const agreement = agreedNow(undefined, { centsPerDay: 60 });
    for (const [spent, sentences] of [
      [{ cents: 99, skillCents: 3 }, [all]],
      [{ cents: 70, skillCents: 59 }, [skill]],
      [{ cents: 99, skillCents: 59 }, [all, skill]],
    ] as const) {
      const verdict = agentVerdict({ ...open, agreement, ...used(spent) });
      const costs = "csv-profile costs 2 cents.";
      const message = verdict?.kind === "refused" && verdict.refusal.message;
      assert.equal(message, [costs, ...sentences].join(" "));
    }
  });
  it("return an equal invocation that is running or succeeded", () => {
    for (const kind of ["running", "answered"] as const) {
      const earlier = { kind, record: pastInvocation(0) };
      assert.equal(codeOf({ ...open, use: { ...use, earlier } }), "earlier");
    }
  });
});

describe("an equal invocation", () => {
  const key = { registry: "built-in", contractHash: "hash", payloadId: "payload" };
  const now = Date.UTC(2026, 10, 25);
  const found = (ageMinutes: number, facts: object = {}) =>
    earlierCall([pastInvocation(now - ageMinutes * 60_000, { ...key, ...facts })], key, now)?.kind;
  const cases: readonly (readonly [string, ReturnType<typeof found>, string | undefined])[] = [
    ["succeeded a moment ago", found(9), "answered"],
    [
      "was accepted and not executed a moment ago",
      found(9, { status: "not executed" }),
      "answered",
    ],
    ["never left", found(0, { status: "not sent" }), undefined],
    ["was noted while the clock was ahead", found(-5, { status: "error" }), undefined],
    ["succeeded a while ago", found(11), undefined],
    ["is running", found(9, { status: "running" }), "running"],
    [
      "has an unknown outcome since yesterday",
      found(23 * 60, { status: "outcome unknown" }),
      "unknown",
    ],
    [
      "has an unknown outcome since longer",
      found(25 * 60, { status: "outcome unknown" }),
      undefined,
    ],
    ["failed", found(1, { status: "error" }), undefined],
    ["was blocked", found(1, { status: "blocked" }), undefined],
    ["went to another registry", found(1, { registry: "https://a.example" }), undefined],
    ["had another contract", found(1, { contractHash: "other" }), undefined],
    ["had another payload", found(1, { payloadId: "other" }), undefined],
  ];
  for (const [name, actual, expected] of cases) {
    it(`counts as ${expected ?? "none"} if it ${name}`, () => assert.equal(actual, expected));
  }
  it("counts as unknown even if a later one succeeded", () => {
    const records = [1, 2].map((age) =>
      pastInvocation(now - age, { ...key, status: age === 1 ? "success" : "outcome unknown" }),
    );
    assert.equal(earlierCall(records, key, now)?.kind, "unknown");
  });
});
