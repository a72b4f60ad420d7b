import assert from "node:assert/strict";
import { describe, it } from "mocha";
import { jsonRanges, ruleRanges } from "../../../../src/core/payload/payloadCheck";

const text = JSON.stringify(
  {
    properties: { "a/b": { type: "string" }, "0": { enum: ["x", { y: 1 }] } },
    anyOf: [true, { not: {} }],
  },
  undefined,
  2,
);

const places: [pointer: string, found: string | undefined][] = [
  ["", text],
  ["/properties/a~1b/type", '"type": "string"'],
  ["/properties/0/enum/1/y", '"y": 1'],
  ["/anyOf/0", "true"],
  ["/anyOf/1/not", '"not": {}'],
  ["/anyOf/7", undefined],
  ["/none/at/all", undefined],
  ["/properties/toString", undefined],
];

describe("ranges in JSON", () => {
  for (const [pointer, expected] of places) {
    it(`are ${expected === undefined ? "not " : ""}found for ${JSON.stringify(pointer)}`, () => {
      const range = jsonRanges(text, [pointer]).get(pointer);
      assert.equal(range && text.slice(range.start, range.end), expected);
    });
  }

  it("show where a problem's rule is in the schema", () => {
    const schema = { properties: { a: { type: "string" }, b: { $ref: "#/properties/a" } } };
    const problem = { code: "type", message: "", severity: "error" as const, start: 0, end: 1 };
    const pointers = ["/properties/a/type", "/nowhere", undefined];
    const problems = pointers.map((schemaPointer) => ({
      ...problem,
      pointer: "",
      ...(schemaPointer === undefined ? {} : { schemaPointer }),
    }));
    const rules = ruleRanges(schema)(problems).map(({ rule }) => rule);
    const start = { line: 3, character: 6 };
    assert.deepEqual(rules, [{ start, end: { line: 3, character: 22 } }, undefined, undefined]);
    const long = { ...schema, description: "x".repeat(600_000) };
    assert.deepEqual(ruleRanges(long)(problems), problems);
  });
});
