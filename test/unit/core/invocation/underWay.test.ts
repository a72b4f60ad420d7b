import assert from "node:assert/strict";
import { describe, it } from "mocha";
import type { Amount } from "../../../../src/core/invocation/cost";
import {
  expectedAmount,
  hasRoom,
  remainingCents,
  type UnderWayFacts,
} from "../../../../src/core/invocation/underWay";
import { budgetText, minRemainingBudget } from "../../../../src/core/project/gateway/budget";
import type { InstalledSkill } from "../../../../src/core/project/project";
import { english } from "../../../../src/core/text/language";

const all = Number.POSITIVE_INFINITY;
const priced: UnderWayFacts = {
  cents: 25,
  inProgressCents: [25],
  remainingCents: undefined,
  runsAlone: false,
  isChosen: false,
};
const dollars = (cents: number): Amount => ({ cents, currency: "USD" });
const yen = (cents: number): Amount => ({ cents, currency: "JPY" });
const free = { cents: 0, beside: [0, 0] };

describe("another invocation beside running ones", () => {
  const cases: readonly (readonly [string, Partial<UnderWayFacts>, boolean])[] = [
    ["nothing is running", { inProgressCents: [], runsAlone: true, remainingCents: -5 }, true],
    ["it has a price and the budget is unknown", {}, false],
    ["it has a price and a person chose", { isChosen: true }, true],
    ["both fit what is left of the budget", { remainingCents: 50 }, true],
    ["both do not fit, whatever a person chose", { remainingCents: 49, isChosen: true }, false],
    ["nothing is left of the budget", { remainingCents: -5 }, false],
    ["there is no budget", { remainingCents: all }, true],
    ["it is free", free, true],
    ["the running ones are listed as free and it is not", { ...free, cents: 25 }, false],
    [
      "the running ones may be billed the same amount",
      { inProgressCents: [0], remainingCents: 49 },
      false,
    ],
    ["the running ones cost more", { inProgressCents: [40], remainingCents: 64 }, false],
    ["its price is not known", { cents: undefined, remainingCents: 1000 }, false],
    [
      "its price is not known and there is no budget",
      { cents: undefined, remainingCents: all },
      false,
    ],
    ["its price is not known and a person chose", { cents: undefined, isChosen: true }, true],
    ["it has to show its price first", { ...free, runsAlone: true, isChosen: true }, false],
  ];
  for (const [name, facts, isThere] of cases) {
    it(`${isThere ? "has room" : "must wait"} if ${name}`, () =>
      assert.equal(hasRoom({ ...priced, ...facts }), isThere));
  }
});

describe("the expected cost of the next invocation", () => {
  const amount = { kind: "amount", cents: 25, currency: "USD" } as const;
  const cases: readonly (readonly [
    string,
    Parameters<typeof expectedAmount>[0],
    Amount | undefined,
  ])[] = [
    ["the listed price", { price: amount, billed: dollars(1) }, dollars(25)],
    [
      "what the last one was billed, if that is more",
      { price: amount, billed: dollars(50) },
      dollars(50),
    ],
    [
      "what the last one was billed, in whatever currency",
      { price: amount, billed: yen(1) },
      yen(1),
    ],
    [
      "what the last one was billed, if it is listed as free",
      { price: { kind: "free" }, billed: dollars(25) },
      dollars(25),
    ],
    [
      "what the last one was billed, if it has no price",
      { price: { kind: "unknown" }, billed: dollars(10) },
      dollars(10),
    ],
    [
      "unknown without a price or an earlier bill",
      { price: { kind: "unknown" }, billed: undefined },
      undefined,
    ],
  ];
  for (const [name, facts, cents] of cases) {
    it(`is ${name}`, () => assert.deepEqual(expectedAmount(facts), cents));
  }
});

describe("what remains of a budget", () => {
  for (const [what, expected, budget, spent, beside] of [
    [
      "what was spent since is subtracted",
      30,
      dollars(50),
      [dollars(15), dollars(5)],
      [dollars(9)],
    ],
    [
      "another spelling is the same currency",
      30,
      dollars(50),
      [{ cents: 20, currency: "usd" }],
      [],
    ],
    ["something was spent in another currency", undefined, dollars(50), [yen(1)], []],
    ["something in progress is in another currency", undefined, dollars(50), [], [yen(1)]],
    [
      "an amount of nothing has another currency",
      50,
      dollars(50),
      [yen(0)],
      [{ cents: 0, currency: "" }],
    ],
    ["there is no budget", all, { cents: all, currency: "" }, [yen(1)], [dollars(1)]],
  ] as const) {
    it(`is ${expected} if ${what}`, () =>
      assert.equal(remainingCents(budget, spent, beside), expected));
  }
});

describe("the project's budget for a skill", () => {
  const skill = (facts: Partial<InstalledSkill>): InstalledSkill => ({
    ...{ slug: "a", name: "A", version: "1.0.0", status: "installed" },
    ...facts,
  });
  const policy = { monthlyBudgetCents: 50 };
  const price = { billingModel: "per_call", unitAmountCents: 5, currency: "USD" };
  const cases: readonly (readonly [string, InstalledSkill | undefined, Amount | undefined])[] = [
    [
      "has the unspent rest left",
      skill({ policy, usage: { cents: 20, currency: "usd" } }),
      dollars(30),
    ],
    [
      "is in the price's currency before anything is spent",
      skill({ policy, usage: { cents: 0, currency: "JPY" }, price }),
      dollars(50),
    ],
    [
      "is unknown if the price is in another currency than the spending",
      skill({ policy, usage: { cents: 20, currency: "JPY" }, price }),
      undefined,
    ],
    [
      "is unlimited if it is 0",
      skill({ policy: { monthlyBudgetCents: 0 } }),
      { cents: all, currency: "" },
    ],
    ["is unknown if the spent amount is", skill({ policy }), undefined],
    ["is unknown without a policy", skill({ usage: { cents: 0 } }), undefined],
    [
      "is unknown if its policy is only the gateway's default",
      skill({ policy, usage: { cents: 0 }, isPolicyMissing: true }),
      undefined,
    ],
    ["is unknown for a skill that is not installed", undefined, undefined],
  ];
  for (const [name, installed, left] of cases) {
    it(name, () => assert.deepEqual(minRemainingBudget(installed), left));
  }
  it("is shown with the spending", () => {
    const usage = { cents: 20, currency: "USD" };
    const text = budgetText(skill({ policy, usage }), english);
    assert.equal(text, "budget $0.50 a month, $0.20 spent in all");
    assert.equal(budgetText(skill({ usage }), english), "");
    const inYen = { cents: 20, currency: "JPY" };
    assert.equal(
      budgetText(skill({ policy, usage: inYen, price }), english),
      "budget 0.50 a month in an unknown currency, ¥20 spent in all",
    );
  });
});
