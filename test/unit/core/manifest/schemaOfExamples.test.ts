import assert from "node:assert/strict";
import { describe, it } from "mocha";
import type { JsonValue } from "../../../../src/core/json/jsonValue";
import { schemaOfExamples } from "../../../../src/core/manifest/schemaOfExamples";
import { testableSchema } from "../../../../src/core/schema/read/testableSchema";
import { english } from "../../../../src/core/text/language";
import { checkPayload } from "../../../../src/language/checkPayload";
import { compileSchema } from "../../../../src/language/compileSchema";

describe("the schema of example values", () => {
  const cases: readonly (readonly [
    what: string,
    values: readonly JsonValue[],
    schema: JsonValue,
  ])[] = [
    ["a text, without the text", ["One."], { type: "string" }],
    ["an integer beside a number", [1, 1.5], { type: "number" }],
    ["a truth value and null", [true, null], { type: ["boolean", "null"] }],
    ["an empty list", [[]], { type: "array" }],
    [
      "what some items lack",
      [[{ a: "x", b: 1 }, { a: "y" }]],
      {
        type: "array",
        items: {
          type: "object",
          properties: {
            a: { type: "string" },
            b: { type: "integer" },
          },
          required: ["a"],
        },
      },
    ],
    [
      "a map, whose names mean nothing",
      [Object.fromEntries(Array.from({ length: 200 }, (_, index) => [`id${index}`, 1]))],
      { type: "object" },
    ],
  ];
  for (const [what, values, schema] of cases) {
    it(`describes ${what}`, () => assert.deepEqual(schemaOfExamples(values), schema));
  }

  it("ends at a depth, and has a member named __proto__", () => {
    let deep: JsonValue = 1;
    for (let depth = 0; depth < 5000; depth += 1) deep = [deep];
    assert.ok(JSON.stringify(schemaOfExamples([deep])).length < 1000);
    const schema = schemaOfExamples([JSON.parse('{"__proto__": 1}')]);
    assert.match(JSON.stringify(schema), /"__proto__":\{"type":"integer"/);
  });

  it("accepts its examples", () => {
    const payload = { a: [1, "x", null], b: { c: 1e300, d: -0.5 }, e: [[], [{ f: false }]] };
    const compiled = compileSchema(testableSchema(schemaOfExamples([payload])));
    assert.deepEqual(checkPayload(JSON.stringify(payload), compiled, english).problems, []);
  });
});
