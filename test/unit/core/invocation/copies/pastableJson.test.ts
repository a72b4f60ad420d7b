import assert from "node:assert/strict";
import { describe, it } from "mocha";
import { pastableJson } from "../../../../../src/core/invocation/invocationCopies";

describe("JSON that can be pasted", () => {
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
    it(JSON.stringify(text), () => {
      assert.equal(pastableJson(text), expected);
      assert.deepEqual(JSON.parse(expected), JSON.parse(text));
    });
  }
});
