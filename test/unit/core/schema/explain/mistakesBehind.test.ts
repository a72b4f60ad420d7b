import assert from "node:assert/strict";
import { describe, it } from "mocha";
import type { JsonObject } from "../../../../../src/core/json/jsonValue";
import { withMistakesBehind } from "../../../../../src/core/schema/explain/mistakesBehind";
import { schemaMistakes } from "../../../../../src/core/schema/explain/schemaMistakes";
import { testableSchema } from "../../../../../src/core/schema/read/testableSchema";

const mistakesIn = (schema: JsonObject) =>
  withMistakesBehind(schema, schemaMistakes(testableSchema(schema)));
const found = (schema: JsonObject) => mistakesIn(schema).map(({ pointer }) => pointer);

describe("the mistakes that misspelled keywords hide", () => {
  it("are at their own places in the schema, also inside each other", () => {
    const item = { minimum: 3, maximum: 1 };
    const schema = {
      type: "object",
      propertes: { a: { type: "array", itmes: item }, "b/c": { enum: [1, 1] } },
      required: ["A"],
    };
    assert.deepEqual(found(schema).toSorted(), [
      "/propertes",
      "/propertes/a/itmes",
      "/propertes/a/itmes/minimum",
      "/propertes/b~1c/enum/1",
      "/required/0",
    ]);
    assert.deepEqual(
      mistakesIn(schema).find(({ fix }) => fix !== undefined)?.fix?.pointer,
      "/required/0",
    );
  });

  it("are found in the first of two keywords that are misspelled for one", () => {
    const part = { a: { enum: [1, 1] } };
    assert.deepEqual(found({ propertes: part, propertys: { b: { enum: [2, 2] } } }), [
      "/propertes",
      "/propertys",
      "/propertes/a/enum/1",
    ]);
  });

  it("are none of a schema without such keywords, and none twice", () => {
    assert.deepEqual(found({ properties: { a: { enum: [1, 1] } } }), ["/properties/a/enum/1"]);
    assert.deepEqual(found({ propertes: {}, minimum: 3, maximum: 1 }), ["/minimum", "/propertes"]);
  });

  it("end after five keywords inside each other", () => {
    const nested = (levels: number): JsonObject =>
      levels === 0 ? {} : { propertes: { a: nested(levels - 1) } };
    assert.equal(found(nested(9)).length, 6);
  });
});
