import assert from "node:assert/strict";
import { describe, it } from "mocha";
import { hasExactNumber, parseExactly } from "../../../../src/core/json/exactJson";
import { jsonEqual } from "../../../../src/core/json/jsonValue";
import { jsonText } from "../../../../src/core/json/printJson";

describe("parseExactly", () => {
  const pairs: readonly (readonly [one: string, other: string, isEqual: boolean])[] = [
    ["9007199254740993", "9007199254740992", false],
    ["9007199254740993", "9007199254740993", true],
    ["-9007199254740993", "9007199254740993", false],
    ["9007199254740993", "9007199254740993.0", true],
    ["1e400", "1e401", false],
    ["1e400", "10e399", true],
    ["0.12345678901234567891", "0.12345678901234567892", false],
    ['{"a":[1,{"id":9007199254740993}]}', '{"a":[1,{"id":9007199254740992}]}', false],
    ['{"a":[1,{"id":9007199254740993}]}', '{"a":[1,{"id":9007199254740993}]}', true],
    ["0.1000000000000000055", "0.1", false],
    ["[1,2.50]", "[1,2.5]", true],
    ["1.0", "1.00", true],
    ['{"digits":"9007199254740993e0"}', "9007199254740993", false],
  ];
  for (const [one, other, isEqual] of pairs) {
    it(`reads ${one} ${isEqual ? "as equal to" : "as different from"} ${other}`, () => {
      const values = [one, other].map(parseExactly);
      assert.equal(jsonEqual(values[0], values[1]), isEqual);
      assert.equal(jsonEqual(values[1], values[0]), isEqual);
    });
  }

  for (const text of [
    "9007199254740993",
    '{"__proto__":1e400,"a/b":[[],{},{"":-12345678901234567890}]}',
    '{"a":1,"b":"9007199254740993"}',
  ]) {
    it(`writes ${text} back unchanged`, () => {
      const value = parseExactly(text);
      assert.equal(jsonText(value), text);
      assert.equal(hasExactNumber(value), !text.includes('"b"'));
    });
  }

  it("uses the last of several values of one name", () => {
    assert.equal(jsonText(parseExactly('{"a":9007199254740993,"a":1}')), '{"a":1}');
    assert.equal(jsonText(parseExactly('{"a":{"b":9007199254740993},"a":[]}')), '{"a":[]}');
  });

  it("writes JavaScript's digits unless asked for the original ones", () => {
    assert.equal(JSON.stringify(parseExactly("[9007199254740993]")), "[9007199254740992]");
  });
});
