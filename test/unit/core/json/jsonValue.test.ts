import assert from "node:assert/strict";
import fc from "fast-check";
import { describe, it } from "mocha";
import { canonicalText, findEqualItems, jsonEqual } from "../../../../src/core/json/jsonValue";

describe("jsonEqual", () => {
  const pairs: [left: string, right: string, equal: boolean][] = [
    ["1", "1.0", true],
    ["0", "-0", true],
    ["1", '"1"', false],
    ["null", "{}", false],
    ["[]", "{}", false],
    ["false", "0", false],
    ['{"a":1,"b":2}', '{"b":2,"a":1}', true],
    ['{"a":1}', '{"b":1}', false],
    ['{"__proto__":1}', '{"__proto__":2}', false],
    ['{"__proto__":{}}', "{}", false],
    ['{"toString":1}', "{}", false],
    ['{"valueOf":1}', '{"valueOf":1}', true],
    ['{"constructor":{}}', '{"constructor":{}}', true],
    ["[[1]]", "[[2]]", false],
  ];
  for (const [left, right, equal] of pairs) {
    it(`finds ${left} and ${right} ${equal ? "equal" : "different"}`, () => {
      const [one, other] = [JSON.parse(left), JSON.parse(right)];
      assert.equal(jsonEqual(one, other), equal);
      assert.equal(jsonEqual(other, one), equal);
      assert.equal(canonicalText(one) === canonicalText(other), equal);
    });
  }

  it("agrees with comparing the texts of both values", () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.jsonValue(), (left, right) => {
        assert.equal(jsonEqual(left, right), canonicalText(left) === canonicalText(right));
        assert.ok(jsonEqual(left, JSON.parse(JSON.stringify(left))));
      }),
    );
  });
});

describe("findEqualItems", () => {
  const lists: [text: string, found: [number, number] | undefined][] = [
    ["[]", undefined],
    ['[1,"1",true,"true",null,"null",[],"[]",{},"{}"]', undefined],
    ["[3,1,2,1]", [1, 3]],
    ["[0,-0]", [0, 1]],
    ['[{"a":1,"b":[2]},{"b":[2],"a":1}]', [0, 1]],
  ];
  for (const [text, found] of lists) {
    it(`finds ${JSON.stringify(found) ?? "nothing equal"} in ${text}`, () => {
      assert.deepEqual(findEqualItems(JSON.parse(text)), found);
    });
  }
});
