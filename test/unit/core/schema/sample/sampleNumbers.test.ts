import assert from "node:assert/strict";
import { describe, it } from "mocha";
import type { JsonObject } from "../../../../../src/core/json/jsonValue";
import { testableSchema } from "../../../../../src/core/schema/read/testableSchema";
import { samplePayload } from "../../../../../src/core/schema/sample/samplePayload";
import { english } from "../../../../../src/core/text/language";

describe("a sample of a number", () => {
  const cases: [number, ...JsonObject[]][] = [
    [0, {}],
    [0, { minimum: -5, maximum: 5 }],
    [50, { type: "integer", minimum: 50 }],
    [1, { type: "integer", exclusiveMinimum: 0 }],
    [2, { type: "integer", minimum: 1.5 }],
    [1.5, { minimum: 1.5 }],
    [-3, { maximum: -3 }],
    [-4, { type: "integer", exclusiveMaximum: -3 }],
    [100, { minimum: 51, multipleOf: 50 }],
    [1, { exclusiveMinimum: 0, maximum: 1 }],
    [0.5, { exclusiveMinimum: 0, exclusiveMaximum: 1 }],
    [4, { minimum: 1 }, { minimum: 4 }],
    [0, { minimum: 2, maximum: 1 }],
    [0, { minimum: "5" }],
  ];
  for (const [number, ...schemas] of cases) {
    it(`is ${number} for ${JSON.stringify(schemas)}`, () => {
      const schema = { type: "number", allOf: schemas };
      assert.equal(
        samplePayload(testableSchema(schema), { mode: "minimal" }, english).value,
        number,
      );
    });
  }
});
