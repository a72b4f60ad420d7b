import assert from "node:assert/strict";
import { describe, it } from "mocha";
import { readShapes } from "../../../../src/core/clients/readShapes";
import type { JsonObject, JsonValue } from "../../../../src/core/json/jsonValue";
import { type Keyword, keywordNames } from "../../../../src/core/schema/keywords";
import { readSchema } from "../../../../src/core/schema/read/readSchema";
import { keywordSamples } from "../../../fixtures/keywordSamples";

/**
 * The keywords that a typed client expresses neither as a type nor as a comment; the payload is checked by the schema
 * anyway.
 */
const leftOut: readonly Keyword[] = [
  "contains",
  "minContains",
  "maxContains",
  "unevaluatedItems",
  "propertyNames",
  "unevaluatedProperties",
  "not",
  "if",
  "dependentSchemas",
  "dependentRequired",
  "errorMessage",
  "examples",
  "example",
];

/** Samples for keywords whose common sample has no type that a client could express. */
const typed: Partial<Record<Keyword, [value: JsonValue, beside?: JsonObject]>> = {
  oneOf: [[{ type: "null" }]],
  anyOf: [[{ type: "null" }]],
  allOf: [[{ type: "null" }]],
  // biome-ignore lint/suspicious/noThenProperty: the keyword has this name.
  then: [{ type: "null" }, { if: {}, else: { type: "string" } }],
  else: [{ type: "null" }, JSON.parse('{"if": {}, "then": {"type": "string"}}')],
};

describe("a typed client", () => {
  const tells = (keyword: Keyword) => {
    const [sample, , , given] = keywordSamples[keyword];
    const [value, beside = {}] = typed[keyword] ?? [sample, given];
    const name = keyword === "types" ? "type" : keyword;
    const shapes = (schema: JsonValue) =>
      JSON.stringify(readShapes(readSchema({ properties: { a: schema } })));
    return shapes({ ...beside, [name]: value }) !== shapes(beside);
  };
  it("expresses every keyword except the listed ones", () => {
    assert.deepEqual(
      keywordNames.filter((keyword) => !tells(keyword)),
      leftOut,
    );
  });
});
