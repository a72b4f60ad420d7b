import assert from "node:assert/strict";
import { describe, it } from "mocha";
import { isJsonText, pastableJson } from "../../../../src/core/invocation/invocationCopies";

describe("JSON for pasting", () => {
  const cases: readonly (readonly [string, string])[] = [
    ['{"a": "é 😀 ‘x’"}', '{"a": "é 😀 ‘x’"}'],
    ['{\r\n\t"a": 1\r}', '{\n  "a": 1\n}'],
    ['"\u007f"', '"\\u007f"'],
    ['"\u009b31m"', '"\\u009b31m"'],
    ['"\u202egpj.exe"', '"\\u202egpj.exe"'],
    ['"a\u200bb\ufeff"', '"a\\u200bb\\ufeff"'],
    ['"\u2028"', '"\\u2028"'],
    ['"\u{e0041}"', '"\\udb40\\udc41"'],
  ];
  for (const [text, expected] of cases) {
    it(`is ${JSON.stringify(expected)}`, () => {
      assert.equal(pastableJson(text), expected);
      assert.deepEqual(JSON.parse(expected), JSON.parse(text));
    });
  }
});

describe("a text that is inserted into a request unchanged", () => {
  for (const text of ["{}", " [1]\n", "null", '"a"', "1e400", '{"a": 1, "a": 2}']) {
    it(`is one JSON value: ${JSON.stringify(text)}`, () => assert.ok(isJsonText(text)));
  }
  for (const text of ["", " ", "{", "{} {}", "[1,]", "{} // x", "{'a': 1}", "\ufeff{}", "NaN"]) {
    it(`is not ${JSON.stringify(text)}`, () => assert.ok(!isJsonText(text)));
  }
});
