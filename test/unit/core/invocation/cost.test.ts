import assert from "node:assert/strict";
import { describe, it } from "mocha";
import { type Cost, costOf, costText, totalCents } from "../../../../src/core/invocation/cost";
import type { InvocationOutcome } from "../../../../src/core/invocation/invocation";
import {
  finishedRecord,
  type InvocationRecord,
} from "../../../../src/core/invocation/record/invocationRecord";
import { runCostText } from "../../../../src/core/invocation/record/invocationRuns";
import {
  emptyJournal,
  type JournalState,
  lineFacts,
  mayExceed,
  noteEntry,
} from "../../../../src/core/invocation/run/runJournal";
import {
  agentSpending,
  dailyLimitQuestion,
  expectedCost,
  type Spending,
} from "../../../../src/core/invocation/spending";
import { groupOf, usageOf } from "../../../../src/core/invocation/usage/usage";
import { mayCostMore } from "../../../../src/core/suite/caseCost";
import { localDay } from "../../../../src/core/text/dates";
import { english } from "../../../../src/core/text/language";
import { sha256 } from "../../../../src/engine/sha256";
import { pastInvocation } from "../../../fixtures/pastInvocation";
import { expectCost, settleCost } from "../../../fixtures/spendingBook";

const noon = new Date(2026, 10, 20, 12).getTime();
const day = localDay(noon);
const registry = "https://registry.example";
const call = {
  registry,
  skillSlug: "s",
  price: { kind: "amount", cents: 10, currency: "USD" },
  isAgents: true,
} as const;

const silent: InvocationOutcome = {
  ...{ kind: "success", acceptedNotRun: false, outputText: "{}", durationMs: 1 },
};
const lost: InvocationOutcome = {
  ...{ kind: "outcomeUnknown", failure: { kind: "timeout", seconds: 2 }, durationMs: 1 },
};

describe("the cost of an invocation", () => {
  const silentOne = { expectedCents: 10, expectedCurrency: "USD" } as const;
  const cases: readonly (readonly [Partial<InvocationRecord>, Cost, text: string])[] = [
    [{ amountCents: 2, currency: "EUR" }, { kind: "known", cents: 2, currency: "EUR" }, "€0.02"],
    [
      { ...silentOne, amountCents: 2, currency: "EUR" },
      { kind: "known", cents: 2, currency: "EUR" },
      "€0.02",
    ],
    [silentOne, { kind: "expected", cents: 10, currency: "USD" }, "$0.10 expected"],
    [
      { ...silentOne, status: "not executed" },
      { kind: "expected", cents: 10, currency: "USD" },
      "$0.10 expected",
    ],
    [
      { ...silentOne, status: "outcome unknown" },
      { kind: "expected", cents: 10, currency: "USD" },
      "$0.10 expected",
    ],
    [{ ...silentOne, status: "refused" }, { kind: "none" }, ""],
    [{ ...silentOne, status: "not sent" }, { kind: "none" }, ""],
    [{ ...silentOne, kind: "testRun" }, { kind: "none" }, ""],
    [{ expectedCents: 0 }, { kind: "expected", cents: 0, currency: "" }, ""],
    [{}, { kind: "unknown" }, ""],
  ];
  for (const [facts, cost, text] of cases) {
    it(`is ${cost.kind} if its record has ${JSON.stringify(facts)}`, () => {
      const record = pastInvocation(0, { registry, ...facts });
      assert.deepEqual(costOf(record), cost);
      assert.equal(costText(record, english), text);
    });
  }
});

describe("two responses without a price, at ten cents each", () => {
  for (const [name, outcomes] of [
    ["that both came", [silent, silent]],
    ["of which one was lost", [silent, lost]],
  ] as const) {
    it(`are 20 cents to the daily limit, agents, Usage, a row and a run, ${name}`, () => {
      let spending: Spending = [];
      let journal: JournalState | undefined = emptyJournal;
      const records = outcomes.map((outcome, index) => {
        const { cents, currency } = expectedCost(spending, call) ?? {};
        const running = pastInvocation(noon, {
          ...{ id: `0000000000000${index}-abcd`, registry, skillSlug: "s", status: "running" },
          ...(cents !== undefined && { expectedCents: cents }),
          ...(currency !== undefined && { expectedCurrency: currency }),
        });
        const record = finishedRecord(running, outcome);
        spending = settleCost(expectCost(spending, call, record.id, day), record);
        const line = index + 1;
        const start = { kind: "started", line, digest: sha256(`${line}`), at: 1 } as const;
        const facts = lineFacts({ outcome, record, waitSeconds: 0 });
        for (const entry of [start, { kind: "ended", line, ...facts } as const]) {
          journal = journal && noteEntry(journal, entry, sha256);
        }
        return record;
      });
      const [first, second] = records;
      assert.ok(journal && first && second);
      assert.deepEqual(usageOf(records.map(groupOf)).expected, [
        { currency: "USD", isSample: false, cents: 20 },
      ]);
      assert.equal(agentSpending(spending, day, call).cents, 20);
      assert.equal(runCostText({ run: "a", records: [first, second] }, english), "$0.20 expected");
      assert.match(
        dailyLimitQuestion(spending, call, 29, day, english) ?? "",
        /With \$0\.20 spent today, it exceeds your limit of \$0\.29/,
      );
      assert.equal(dailyLimitQuestion(spending, call, 30, day, english), undefined);
      assert.equal(mayExceed(journal, call.price, 29), true);
      assert.equal(mayExceed(journal, call.price, 30), false);
    });
  }
});

describe("sixty hundredths in each of two currencies, with a limit of a thousand", () => {
  const spent: Spending = ["USD", "EUR"].map((currency) => ({
    ...{ day, registry, skillSlug: "s", currency, cents: 60, calls: 1, dearestCents: 10 },
    isAgents: true,
  }));

  it("exceed the daily limit and the limits of agents, a run and a suite", () => {
    assert.equal(totalCents(spent), Number.POSITIVE_INFINITY);
    assert.match(dailyLimitQuestion(spent, call, 1000, day, english) ?? "", /cannot be added up/);
    assert.equal(agentSpending(spent, day, call).cents, Number.POSITIVE_INFINITY);
    const counts = { ...emptyJournal.counts, cents: { USD: 60, EUR: 60 } };
    assert.equal(mayExceed({ ...emptyJournal, counts }, { cents: 0, currency: "USD" }, 1000), true);
    const cents = new Map(Object.entries(counts.cents));
    assert.equal(mayCostMore({ count: 2, cents, isKnown: true }, 1000), true);
  });
});

describe("an amount without a currency", () => {
  it("is in the currency of the expected price", () => {
    const facts = { status: "success", ran: "yes", registry, amountCents: 5 } as const;
    const priced = { ...facts, expectedCents: 4, expectedCurrency: "EUR" };
    assert.deepEqual(costOf(priced), { kind: "known", cents: 5, currency: "EUR" });
    assert.deepEqual(costOf(facts), { kind: "known", cents: 5, currency: "" });
  });
});
