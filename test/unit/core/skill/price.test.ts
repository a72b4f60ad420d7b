import assert from "node:assert/strict";
import { describe, it } from "mocha";
import { invocationPrice, priceText } from "../../../../src/core/skill/price";
import type { Price } from "../../../../src/core/skill/skill";
import { english, type Language } from "../../../../src/core/text/language";
import { bareSkill } from "../../../fixtures/skillDetail";

describe("the price of an invocation", () => {
  const billed = { billingModel: "per_call", unitAmountCents: 5, currency: "USD" };
  const amount = { kind: "amount", cents: 5, currency: "USD" };
  const cases: readonly (readonly [what: string, prices: readonly Price[], expected: object])[] = [
    ["with the status active", [{ ...billed, status: "Active" }], amount],
    [
      "with an unknown status, beside free",
      [{ billingModel: "free" }, { ...billed, status: "live" }],
      amount,
    ],
    [
      "that expired, beside free",
      [{ billingModel: "free" }, { ...billed, status: "EXPIRED" }],
      { kind: "free" },
    ],
    ["for another unit", [{ ...billed, billingModel: "per_minute" }], { kind: "unknown" }],
    [
      "of nothing for another unit",
      [{ billingModel: "tiered", unitAmountCents: 0 }],
      { kind: "unknown" },
    ],
  ];
  for (const [what, prices, expected] of cases) {
    it(`is ${JSON.stringify(expected)} for a price ${what}`, () =>
      assert.deepEqual(invocationPrice({ ...bareSkill, prices }), expected));
  }
});

describe("priceText", () => {
  const cases: [Price, string][] = [
    [{ billingModel: "per_call", unitAmountCents: 2, currency: "USD" }, "$0.02 per invocation"],
    [
      { billingModel: "per_call", unitAmountCents: 0.05, currency: "usd" },
      "$0.0005 per invocation",
    ],
    [{ billingModel: "subscription", unitAmountCents: 1900, currency: "EUR" }, "€19.00 a month"],
    [{ billingModel: "free" }, "Free"],
    [{ billingModel: "per_call", unitAmountCents: 0, currency: "USD" }, "Free"],
    [{ billingModel: "per_call" }, "Billed per invocation, amount not provided"],
    [{ billingModel: "per_call", unitAmountCents: 150 }, "1.50 per invocation"],
    [
      { billingModel: "per_call", unitAmountCents: 150, currency: "credits" },
      "1.50 credits per invocation",
    ],
    [{ billingModel: "seat", unitAmountCents: 150, currency: "USD" }, "$1.50 (seat)"],
    [{ billingModel: "seat" }, "seat, amount not provided"],
  ];
  for (const [price, expected] of cases) {
    it(`says ${expected} for ${JSON.stringify(price)}`, () =>
      assert.equal(priceText(price, english), expected));
  }

  it("formats amounts in the reader's language", () => {
    const language: Language = { ...english, locale: "de" };
    const words = priceText(
      { billingModel: "per_call", unitAmountCents: 2, currency: "EUR" },
      language,
    );
    assert.equal(words.replaceAll("\u00A0", " "), "0,02 € per invocation");
  });
});
