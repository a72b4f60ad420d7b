import assert from "node:assert/strict";
import { describe, it } from "mocha";
import { english } from "../../../../src/core/text/language";
import { moneyText, wholeAmount } from "../../../../src/core/text/money";

describe("an amount in the smallest unit of its currency", () => {
  const cases: readonly (readonly [number, string | undefined, number, string])[] = [
    [100, "usd", 1, "$1.00"],
    [100, "jpy", 100, "¥100"],
    [1234, "kwd", 1.234, "KWD\u00a01.234"],
    [0.5, "USD", 0.005, "$0.005"],
    [100, "credits", 1, "1.00 credits"],
    [100, undefined, 1, "1.00"],
  ];
  for (const [cents, currency, amount, text] of cases) {
    it(`of ${cents} ${currency} is ${text}`, () => {
      assert.equal(wholeAmount(cents, currency), amount);
      assert.equal(moneyText(cents, currency, english), text);
    });
  }
});
