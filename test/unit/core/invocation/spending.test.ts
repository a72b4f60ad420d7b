import assert from "node:assert/strict";
import { describe, it } from "mocha";
import type { InvocationStatus } from "../../../../src/core/invocation/outcome";
import {
  billedTexts,
  dailyLimitQuestion,
  restOfDay,
  type Spending,
} from "../../../../src/core/invocation/spending";
import type { InvocationPrice } from "../../../../src/core/skill/price";
import { localDay } from "../../../../src/core/text/dates";
import { english } from "../../../../src/core/text/language";
import { pastInvocation, ranWith } from "../../../fixtures/pastInvocation";
import { addCost, expectCost, settleCost } from "../../../fixtures/spendingBook";

const day = "2026-11-20";
const registry = "https://registry.example.com";
const spent = (cents: number, currency = "EUR"): Spending =>
  addCost([], { day, registry, skillSlug: "other", currency, cents });
const billed = (cents: number, currency = "EUR", billedDay = "2026-11-19"): Spending =>
  addCost([], { day: billedDay, registry, skillSlug: "s", currency, cents });
const cents = (amount: number, currency = "EUR"): InvocationPrice => ({
  kind: "amount",
  cents: amount,
  currency,
});

describe("the time until the next day", () => {
  const times = ["2026-11-20T00:00:00", "2026-11-20T23:59:59.999", "2026-12-31T12:00:00"];
  for (const time of times.map((text) => new Date(text).getTime())) {
    it(`ends when the next day starts: ${new Date(time).toISOString()}`, () => {
      const end = time + restOfDay(time);
      assert.notEqual(localDay(end), localDay(time));
      assert.equal(localDay(end - 1), localDay(time));
    });
  }
});

describe("the spending", () => {
  it("is summed by day, registry and currency", () => {
    let spending: Spending = [];
    const skillSlug = "s";
    spending = addCost(spending, { day, registry, skillSlug, currency: "EUR", cents: 3 });
    spending = addCost(spending, { day, registry, skillSlug: "t", currency: "eur", cents: 4 });
    spending = addCost(spending, { day, registry, skillSlug, currency: "USD", cents: 5 });
    spending = addCost(spending, {
      day: "2026-11-19",
      registry,
      skillSlug,
      currency: "EUR",
      cents: 900,
    });
    spending = addCost(spending, {
      day,
      registry: "built-in",
      skillSlug,
      currency: "",
      cents: 1.5,
    });
    assert.deepEqual(
      billedTexts(spending, day, english).map(({ cost }) => cost),
      ["€0.07 for 2 invocations", "$0.05 for 1 invocation", "0.015 for 1 invocation (sample)"],
    );
  });

  const cases: readonly (readonly [
    name: string,
    spending: Spending,
    price: InvocationPrice,
    ceiling: number,
    asks: boolean,
  ])[] = [
    ["no ceiling", spent(1000), cents(50), 0, false],
    ["below the ceiling", spent(50), cents(49), 100, false],
    ["exactly at the ceiling", spent(50), cents(50), 100, false],
    ["over the ceiling", spent(50), cents(51), 100, true],
    ["one invocation over the ceiling", [], cents(101), 100, true],
    ["a free invocation", spent(1000), { kind: "free" }, 100, false],
    ["another currency", spent(60, "USD"), cents(50), 100, true],
    ["another currency, together below the ceiling", spent(40, "USD"), cents(50), 100, true],
    ["the same currency spelled in another way", spent(60, "eur"), cents(50), 100, true],
    ["an amount billed without a currency", spent(60, ""), cents(50), 100, true],
    ["an amount billed in an invalid currency", spent(60, "credits"), cents(50), 100, true],
    ["a price without a currency", spent(60), cents(50, ""), 100, true],
    ["a free invocation that was billed before", billed(101), { kind: "free" }, 100, true],
    [
      "a free invocation billed before, below the ceiling",
      billed(100),
      { kind: "free" },
      100,
      false,
    ],
    ["an unknown price that was billed before", billed(101), { kind: "unknown" }, 100, true],
    ["a price lower than the amount billed before", billed(101), cents(1), 100, true],
    ["a price billed before in another currency", billed(900, "USD"), cents(1), 100, true],
    ["an unknown price below the ceiling", spent(99), { kind: "unknown" }, 100, false],
    ["an unknown price at the ceiling", spent(100), { kind: "unknown" }, 100, true],
  ];
  for (const [name, spending, price, ceiling, asks] of cases) {
    it(`${asks ? "needs" : "needs no"} question at the daily limit: ${name}`, () => {
      const call = { registry, skillSlug: "s", price };
      const question = dailyLimitQuestion(spending, call, ceiling, day, english);
      assert.equal(question !== undefined, asks, question);
      if (asks) assert.match(question ?? "", /limit of [€$]?1\.00( credits)? a day/);
    });
  }

  it("lists amounts in different currencies, which cannot be added up", () => {
    const call = { registry, skillSlug: "s", price: cents(50) };
    const question = dailyLimitQuestion(
      [...spent(60, "USD"), ...spent(5)],
      call,
      100,
      day,
      english,
    );
    assert.match(
      question ?? "",
      /With \$0\.60 \+ €0\.05 spent today, it exceeds your limit of 1\.00/,
    );
    assert.match(question ?? "", /Amounts in different currencies cannot be added up/);
  });

  it("at the built-in registry is marked as a sample, the limit is not", () => {
    const call = { registry: "built-in", skillSlug: "s", price: cents(150) };
    const question = dailyLimitQuestion([], call, 100, day, english) ?? "";
    assert.match(question, /costs €1\.50 \(sample\)\. With €0\.00 \(sample\) spent today/);
    assert.match(question, /limit of €1\.00 a day/);
  });

  it("at another registry does not count", () => {
    const call = { registry: "built-in", skillSlug: "s", price: cents(50) };
    assert.equal(dailyLimitQuestion(spent(1000), call, 100, day, english), undefined);
  });
});

describe("the expected cost", () => {
  const call = (price: InvocationPrice) => ({ registry, skillSlug: "s", price });
  const noon = new Date(`${day}T12:00:00`).getTime();
  const endedAs = (status: InvocationStatus) => ({ status, ran: ranWith[status] });
  const running = pastInvocation(noon, {
    registry,
    skillSlug: "s",
    status: "running",
    expectedCents: 60,
    expectedCurrency: "EUR",
  });
  const sent = (before: Spending = [], price = cents(60)) =>
    expectCost(before, call(price), running.id, day);
  const question = (spending: Spending, price = cents(60)) =>
    dailyLimitQuestion(spending, call(price), 100, day, english);

  const ends: readonly (readonly [what: string, spending: Spending, asks: boolean])[] = [
    ["while it is running", sent(), true],
    [
      "with an unknown outcome",
      settleCost(sent(), { ...running, ...endedAs("outcome unknown") }),
      true,
    ],
    ["that was billed", settleCost(sent(), billedRecord(60)), true],
    ["at the billed amount, if that was less", settleCost(sent(), billedRecord(40)), false],
    [
      "that ran without a named amount",
      settleCost(sent(), { ...running, ...endedAs("success") }),
      true,
    ],
    [
      "that failed without a named amount",
      settleCost(sent(), { ...running, ...endedAs("error") }),
      true,
    ],
    [
      "that was accepted and not executed, without a named amount",
      settleCost(sent(), { ...running, ...endedAs("not executed") }),
      true,
    ],
    ["no longer, if it was free", settleCost(sent(), billedRecord(0)), false],
    [
      "no longer, if it was not sent",
      settleCost(sent(), { ...running, ...endedAs("not sent") }),
      false,
    ],
    ["even after another one has ended", settleCost(sent(), { ...billedRecord(0), id: "b" }), true],
    ["at the amount billed before, if no price is listed", sent(billed(60), free()), true],
    ["at the amount billed before, if that was more", sent(billed(60), cents(1)), true],
    ["at nothing, if its price is unknown", sent([], { kind: "unknown" }), false],
    ["not on another day", expectCost([], call(cents(60)), running.id, "2026-11-19"), false],
  ];
  for (const [what, spending, asks] of ends) {
    it(`counts an invocation ${what}`, () => {
      assert.equal(question(spending) !== undefined, asks);
    });
  }

  it("is shown beside the spending, and not in the costs of the day", () => {
    const spending = addCost(sent(), {
      day,
      registry,
      skillSlug: "s",
      currency: "EUR",
      cents: 30,
    });
    const expected =
      /With €0\.90 spent today.*This includes €0\.60 for invocations that are running/;
    assert.match(question(spending) ?? "", expected);
    const costs = billedTexts(spending, day, english);
    assert.deepEqual(
      costs.map(({ cost }) => cost),
      ["€0.30 for 1 invocation"],
    );
    assert.doesNotMatch(question(spent(90)) ?? "", /includes/);
  });

  it("counts each of several invocations, and is not a billed price", () => {
    const two = expectCost(sent([], cents(30)), call(cents(30)), "another", day);
    assert.match(question(two) ?? "", /With €0\.60 spent/);
    assert.equal(question(sent([], cents(101)), free()), undefined);
  });

  function billedRecord(amountCents: number) {
    return { ...running, ...endedAs("success"), amountCents, currency: "EUR" };
  }

  function free(): InvocationPrice {
    return { kind: "free" };
  }
});

describe("the question about the daily limit for several invocations", () => {
  it("says how many of them fit", () => {
    const day = "2026-11-20";
    const price = { kind: "amount" as const, cents: 300, currency: "USD" };
    const call = { registry: "r", skillSlug: "a", price, count: 30 };
    const spent = {
      day,
      registry: "r",
      skillSlug: "b",
      currency: "USD",
      calls: 1,
      dearestCents: 10,
    };
    const text = (cents: number) =>
      dailyLimitQuestion([{ ...spent, cents }], call, 100, day, english) ?? "";
    assert.equal(
      text(10),
      "30 invocations of a cost $3.00. With $0.10 spent today, 9 of them fit into your limit of $1.00 a day.",
    );
    assert.match(text(120), /, 0 of them fit/);
  });
});
