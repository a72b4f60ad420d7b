import assert from "node:assert/strict";
import fc from "fast-check";
import { describe, it } from "mocha";
import { jsonLine, prettyJson, prettyJsonChunked } from "../../../../src/core/json/printJson";

describe("pretty JSON", () => {
  it("lays out any JSON as JSON.stringify does", () => {
    fc.assert(
      fc.property(fc.json(), (text) => {
        const expected = JSON.stringify(JSON.parse(text), undefined, 2);
        assert.equal(prettyJson(JSON.stringify(JSON.parse(text))).text, expected);
      }),
    );
  });

  it("finds the end of strings with quotes and backslashes", () => {
    fc.assert(
      fc.property(fc.array(fc.string({ unit: fc.constantFrom('"', "\\", ",") })), (texts) => {
        const expected = JSON.stringify(texts, undefined, 2);
        assert.equal(prettyJson(JSON.stringify(texts)).text, expected);
      }),
    );
  });

  it("keeps numbers and escapes as written", () => {
    const text = '{"n":9007199254740993,"e":1E+2,"s":"\\u0041\\"\\\\"}';
    assert.equal(prettyJson(text).text.replaceAll(/\s/g, ""), text);
  });

  it("stops at the limit and marks that", () => {
    const { text, whole } = prettyJson(`[${"1,".repeat(10_000)}1]`, 100);
    assert.ok(text.length < 120);
    assert.equal(whole, false);
  });

  const cut: readonly (readonly [text: string, limit: number, shown: string])[] = [
    ['"abcdef"', 8, '"abcdef"'],
    ['"abcdef"', 7, '"abcdef'],
    ['"ab\\"c"', 5, '"ab\\"'],
    ['{"a":"bcdef"}', 13, '{\n  "a": "bcde'],
    ['"a\u{1f600}b"', 3, '"a'],
    ['"a\u{1f600}b"', 4, '"a\u{1f600}'],
    ["[123456]", 6, "["],
    ["[[[[[[]]]]]]", 3, "[\n  ["],
    ["[1]", 0, ""],
  ];
  for (const [text, limit, shown] of cut) {
    it(`shows ${limit} characters of ${text}`, () => {
      assert.deepEqual(prettyJson(text, limit), { text: shown, whole: shown === text });
    });
  }

  it("indents at most 40 levels", () => {
    const lines = prettyJson("[".repeat(60) + "]".repeat(60)).text.split("\n");
    assert.equal(Math.max(...lines.map((line) => line.search(/\S/))), 80);
  });

  it("yields after each 20,000 tokens", () => {
    const steps = prettyJsonChunked(`[${"1,".repeat(25_000)}1]`, Number.POSITIVE_INFINITY);
    assert.deepEqual(
      [1, 2, 3].map(() => steps.next().done),
      [false, false, true],
    );
  });

  it("handles deep nesting and long strings", () => {
    assert.ok(prettyJson("[".repeat(100_000) + "]".repeat(100_000), 1e6).text.length > 0);
    const long = `"${'\\"'.repeat(3_000_000)}"`;
    assert.equal(prettyJson(long).text, long);
  });
});

describe("JSON on one line", () => {
  it("has the same value, with any line breaks in its text", () => {
    const text = '{\r"a":\r\n["\\r\\n"\n,\r1.0]}';
    const line = jsonLine(text);
    assert.doesNotMatch(line, /[\r\n]/);
    assert.deepEqual(JSON.parse(line), JSON.parse(text));
  });
});
