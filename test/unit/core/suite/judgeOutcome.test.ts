import assert from "node:assert/strict";
import { describe, it } from "mocha";
import { costOf } from "../../../../src/core/invocation/cost";
import type { InvocationOutcome } from "../../../../src/core/invocation/invocation";
import type { InvocationRecord } from "../../../../src/core/invocation/record/invocationRecord";
import type { JsonValue } from "../../../../src/core/json/jsonValue";
import { judgeOutcome } from "../../../../src/core/suite/judgeCase";
import type { SuiteCase } from "../../../../src/core/suite/suite";
import { english } from "../../../../src/core/text/language";
import { endedInvocation } from "../../../fixtures/pastInvocation";
import { check, messagesOf, output, success, told } from "./caseOutcomes";

describe("the outcome of a case", () => {
  const refused: InvocationOutcome = {
    kind: "refused",
    reason: "policy",
    status: 403,
    code: "budget_exceeded",
    durationMs: 1,
  };
  const failed: InvocationOutcome = { kind: "skillError", durationMs: 1 };
  const cases: readonly (readonly [
    expect: SuiteCase["expect"],
    outcome: InvocationOutcome,
    problems: string[],
    snapshot?: JsonValue,
  ])[] = [
    [undefined, success, []],
    [undefined, failed, ["Expected success; it ended with “error”."]],
    [undefined, refused, ["Expected success; it ended with “budget_exceeded”."]],
    [
      undefined,
      { ...success, acceptedNotRun: true },
      ["Expected success; it was accepted but not executed."],
    ],
    [{ refusal: "BUDGET-EXCEEDED" }, refused, []],
    [
      { refusal: "policy_missing" },
      refused,
      ["Expected the error “policy_missing”; it ended with “budget_exceeded”."],
    ],
    [
      { refusal: "policy_missing" },
      success,
      ["Expected the error “policy_missing”; it ended with “success”."],
    ],
    [{ failure: true }, failed, []],
    [{ failure: true }, success, ["Expected the skill to fail; it ended with “success”."]],
    [{ maxMilliseconds: 20, maxCents: 3 }, success, []],
    [{ maxMilliseconds: 19 }, success, ["It took 20 ms, more than 19."]],
    [{ maxCents: 2 }, success, ["It cost €0.03, more than €0.02."]],
    [{ output: { "/words": 2, "/list/1/a": 2, "/a~1b": null } }, success, []],
    [{ output: { "/words": 3 } }, success, ["Expected 3 at /words; it is 2."]],
    [{ output: { "/list/2": 1 } }, success, ["Expected 1 at /list/2; it is missing."]],
    [{ output: { "/constructor": 1 } }, success, ["Expected 1 at /constructor; it is missing."]],
    [{ snapshot: true }, success, ["This case has no stored output yet."]],
    [{ snapshot: true }, success, [], { "a/b": null, list: [{ a: 1 }, { a: 2 }], words: 2 }],
    [
      { snapshot: true },
      success,
      ["The output differs from the stored one, first at /list/0/a."],
      { words: 2, list: [{ a: 9 }, { a: 2 }], "a/b": null },
    ],
    [
      { snapshot: true, ignore: ["/list/0/a", "/words", "/gone/away"] },
      success,
      [],
      { words: 7, list: [{ a: 9 }, { a: 2 }], "a/b": null },
    ],
    [
      { snapshot: true, ignore: ["/words"] },
      success,
      ["The output differs from the stored one, first at /more."],
      { ...(output as object), more: 1 } as JsonValue,
    ],
  ];
  for (const [expect, outcome, problems, snapshot] of cases) {
    it(`${told(problems)} if the case expects ${JSON.stringify(expect ?? {})}`, () => {
      const one: SuiteCase = { name: "a", payload: 1, ...(expect && { expect }) };
      const cost = costOf(endedInvocation(outcome).record);
      const found = judgeOutcome(one, outcome, { output, snapshot, cost }, english);
      assert.deepEqual(messagesOf(found), problems);
    });
  }

  const expected = (expectedCents: number) => ({ expectedCents, expectedCurrency: "EUR" });
  const costs: readonly (readonly [
    sent: Partial<InvocationRecord>,
    answer: object,
    problems: string[],
  ])[] = [
    [expected(0), {}, []],
    [
      expected(5),
      {},
      ["The registry returned no cost. The expected cost of €0.05 is more than €0.00."],
    ],
    [expected(5), { amountCents: 0 }, []],
    [expected(5), { billable: false }, []],
    [
      expected(5),
      { acceptedNotRun: true },
      ["Expected success; it was accepted but not executed."],
    ],
    [{ kind: "testRun" }, {}, []],
    [{}, {}, ["It is not known what it cost. Expected at most 0.00."]],
  ];
  for (const [sent, answer, problems] of costs) {
    it(`counts the expected cost if no amount is named: ${JSON.stringify([sent, answer])}`, () => {
      const { amountCents: _amount, currency: _currency, ...unnamed } = success;
      const one: SuiteCase = { name: "a", payload: 1, expect: { maxCents: 0 } };
      const { outcome, record } = endedInvocation({ ...unnamed, ...answer }, sent);
      const found = judgeOutcome(one, outcome, { output, cost: costOf(record) }, english);
      assert.deepEqual(messagesOf(found), problems);
    });
  }

  it("costs nothing after a rejection", () => {
    const one: SuiteCase = {
      name: "a",
      payload: 1,
      expect: { refusal: "budget_exceeded", maxCents: 0 },
    };
    const cost = costOf(endedInvocation(refused, expected(5)).record);
    assert.deepEqual(judgeOutcome(one, refused, { cost }, english), []);
  });

  it("always checks the output schema", () => {
    const facts = { output, outputCheck: check("type") };
    const found = judgeOutcome({ name: "a", payload: 1 }, success, facts, english);
    assert.deepEqual(messagesOf(found), ["The output does not match its schema at /: No."]);
  });
});
