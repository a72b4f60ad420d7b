import assert from "node:assert/strict";
import { describe, it } from "mocha";
import { english, fillIn, languageOf, orList } from "../../../../src/core/text/language";

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
    it(`fills ${JSON.stringify(values)} into ${text}`, () =>
      assert.equal(fillIn(text, values), expected));
  }
});

describe("orList", () => {
  const german = languageOf("de", { "{values} or {last}": "{values} oder {last}" });
  for (const [values, language, expected] of [
    [[], english, ""],
    [["a"], english, "a"],
    [["a", "b"], english, "a or b"],
    [["a", "b", "c"], english, "a, b or c"],
    [["a", "b", "c"], german, "a, b oder c"],
  ] as const) {
    it(`joins ${values.length} in ${language.locale}`, () =>
      assert.equal(orList(values, language), expected));
  }
});
