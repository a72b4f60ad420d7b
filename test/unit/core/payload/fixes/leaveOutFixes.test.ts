import assert from "node:assert/strict";
import { describe, it } from "mocha";
import type { JsonValue } from "../../../../../src/core/json/jsonValue";
import { fixesOf } from "./fixesOf";

const leaveOut = '* Leave out "a"';

describe("the fix of a null", () => {
  const optional: readonly (readonly [what: string, of: JsonValue])[] = [
    ["a type", { type: "integer" }],
    ["a list of values", { enum: ["x", "y"] }],
    ["a constant", { const: "x" }],
    ["alternatives of one kind", { anyOf: [{ type: "string" }, { type: "number" }] }],
    [
      "alternatives",
      {
        oneOf: [
          { type: "object", required: ["k"] },
          { minLength: 2, enum: ["xx"] },
        ],
      },
    ],
    ["a reference", { $ref: "#/$defs/count" }],
    ["a negation", { not: { type: "null" } }],
  ];
  for (const [what, of] of optional) {
    it(`leaves out an optional property with ${what}`, () => {
      const schema = { properties: { a: of }, $defs: { count: { type: "integer" } } };
      const text = '{\n  "b": 1,\n  "a": null\n}';
      assert.equal(fixesOf(text, schema)[leaveOut], '{\n  "b": 1\n}');
    });
  }

  const others: readonly (readonly [what: string, text: string, schema: JsonValue])[] = [
    [
      "of a required property",
      '{"a":null}',
      { properties: { a: { type: "string" } }, required: ["a"] },
    ],
    [
      "that another property requires",
      '{"a":null,"b":1}',
      { properties: { a: { type: "string" } }, dependentRequired: { b: ["a"] } },
    ],
    ["in a list", "[null]", { items: { type: "string" } }],
    ["that is the whole payload", "null", { type: "object" }],
  ];
  for (const [what, text, schema] of others) {
    it(`leaves nothing out for a null ${what}`, () => {
      assert.ok(!Object.keys(fixesOf(text, schema)).some((title) => /Leave out/.test(title)));
    });
  }

  it("leaves out the property of the object that has the null", () => {
    const schema = { properties: { list: { items: { properties: { a: { type: "string" } } } } } };
    const text = '{"list":[{"a":"x"},{"a":null,"b":2}]}';
    assert.equal(fixesOf(text, schema)[leaveOut], '{"list":[{"a":"x"},{"b":2}]}');
  });
});
