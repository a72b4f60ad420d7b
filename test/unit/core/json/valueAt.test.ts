import assert from "node:assert/strict";
import { describe, it } from "mocha";
import { valueAt } from "../../../../src/core/json/jsonPointer";
import type { JsonValue } from "../../../../src/core/json/jsonValue";

const value: JsonValue = { a: [1, { b: null }], "x/y~z": 2, "": 3, "0": 4, text: "abc" };

const cases: [what: string, pointer: string, expected: JsonValue | undefined][] = [
  ["the whole value", "", value],
  ["a property", "/0", 4],
  ["an item", "/a/0", 1],
  ["null", "/a/1/b", null],
  ["an escaped name", "/x~1y~0z", 2],
  ["an empty name", "/", 3],
  ["nothing for a missing property", "/c/d", undefined],
  ["nothing for an inherited one", "/constructor", undefined],
  ["nothing behind the last item", "/a/2", undefined],
  ["nothing for an index with a leading zero", "/a/00", undefined],
  ["nothing for the length of a list", "/a/length", undefined],
  ["nothing in a text", "/text/0", undefined],
];

describe("the value at a JSON pointer", () => {
  for (const [what, pointer, expected] of cases) {
    it(`is ${what}`, () => assert.deepEqual(valueAt(value, pointer), expected));
  }

  it("is undefined if there is no value", () => assert.equal(valueAt(undefined, ""), undefined));
});
