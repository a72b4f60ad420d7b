import assert from "node:assert/strict";
import { describe, it } from "mocha";
import { fillIn } from "../../../../src/core/text/language";

describe("fillIn", () => {
  const cases: [string, Record<string, string | number>, string][] = [
    ["{count} of {total}", { count: 1, total: 2 }, "1 of 2"],
    ["{a}{a}", { a: "x" }, "xx"],
    ["{missing} stays", {}, "{missing} stays"],
    ["{toString} stays", {}, "{toString} stays"],
    ["{a}", { a: "{b}", b: "never" }, "{b}"],
    ["{a}", { a: "$&$1" }, "$&$1"],
  ];
  for (const [text, values, expected] of cases) {
    it(`fills in ${text}`, () => assert.equal(fillIn(text, values), expected));
  }
});
