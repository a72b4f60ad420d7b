import assert from "node:assert/strict";
import { describe, it } from "mocha";
import {
  schemaMistakes,
  schemaMistakesText,
} from "../../../../../src/core/schema/explain/schemaMistakes";
import { testableSchema } from "../../../../../src/core/schema/read/testableSchema";
import { english } from "../../../../../src/core/text/language";

const schemaOfA = (a: object | boolean) => ({ type: "object", properties: { a } });
const found = (schema: object) =>
  schemaMistakes(testableSchema(schema)).map(({ pointer }) => pointer);

const mistakes: Readonly<Record<string, readonly [schema: object, found: readonly string[]]>> = {
  "limits that exclude each other": [
    { type: "object", properties: { a: { minimum: 10, maximum: 1 } } },
    ["/properties/a/minimum"],
  ],
  "a value that is listed twice": [
    { type: "object", properties: { a: { enum: [{ b: 1 }, "c", { b: 1 }] } } },
    ["/properties/a/enum/2"],
  ],
  "exclusive limits that leave no number": [
    schemaOfA({ exclusiveMinimum: 3, maximum: 3 }),
    ["/properties/a/exclusiveMinimum"],
  ],
  "a default and a constant that their own schema rejects": [
    schemaOfA({ type: "string", default: 5, const: 6 }),
    ["/properties/a/const", "/properties/a/default"],
  ],
  "a listed value that its own schema rejects": [
    schemaOfA({ type: "string", enum: ["b", 7] }),
    ["/properties/a/enum/1"],
  ],
  "an example of a property that its schema rejects": [
    schemaOfA({ pattern: "^b", examples: ["bc", "cb"] }),
    ["/properties/a/examples/1"],
  ],
  "a pattern that matches none of its examples": [
    schemaOfA({ pattern: "^\\d+$", examples: ["b1", "b2"] }),
    ["/properties/a/pattern"],
  ],
  "a keyword of another type": [
    schemaOfA({ type: "string", minimum: 1 }),
    ["/properties/a/minimum"],
  ],
  "a schema that no value satisfies": [
    schemaOfA({ allOf: [{ type: "string" }, { type: "number" }] }),
    ["/properties/a"],
  ],
  "a required name that nothing allows": [
    { type: "object", properties: { a: {} }, required: ["zebra"], additionalProperties: false },
    ["/required/0"],
  ],
  "a required name that no property has": [
    {
      ...schemaOfA({ items: { properties: { b: {} }, required: ["b", "zebra"] } }),
      required: ["a", "lion"],
    },
    ["/properties/a/items/required/1", "/required/1"],
  ],
  "a schema whose definition no value satisfies, once": [
    {
      ...schemaOfA({ $ref: "#/$defs/b" }),
      required: ["a"],
      $defs: { b: { minItems: 3, uniqueItems: true, type: "array", items: { enum: [1, 2] } } },
    },
    ["/$defs/b"],
  ],
};

describe("schemaMistakes", () => {
  for (const [what, [schema, pointers]] of Object.entries(mistakes)) {
    it(`finds ${what}`, () => assert.deepEqual(found(schema).toSorted(), pointers));
  }

  it("finds a schema that no value satisfies around mistakes that explain nothing", () => {
    const both = { allOf: [{ type: "string", minimum: 1 }, { type: "number" }] };
    assert.deepEqual(found(schemaOfA(both)).toSorted(), [
      "/properties/a",
      "/properties/a/allOf/0/minimum",
    ]);
  });

  it("does not find a required name that another schema may describe", () => {
    const part = { properties: { a: {} }, required: ["lion"] };
    const described = [
      { required: ["lion"] },
      { ...part, patternProperties: { "^l": {} } },
      { ...part, additionalProperties: { type: "string" } },
      { ...part, allOf: [{ properties: { lion: {} } }] },
      { ...part, dependentSchemas: { a: { properties: { lion: {} } } } },
      { properties: { lion: {} }, anyOf: [part, { required: ["lion"] }] },
      { properties: { lion: {} }, if: { required: ["a"] }, else: part },
      { $defs: { b: part }, properties: { lion: {} }, $ref: "#/$defs/b" },
    ];
    assert.deepEqual(
      described.map(found),
      described.map(() => []),
    );
  });

  it("tells the user of a skill the first mistake and their number", () => {
    const told = (schema: object, side: "input" | "output" = "input") =>
      schemaMistakesText("age", side, schemaMistakes(testableSchema(schema)), english);
    const range = { minimum: 10, maximum: 1 };
    const at = "/properties/a/minimum: No value fits both minimum and maximum. Change one of them.";
    assert.equal(
      told(schemaOfA(range)),
      `Tell the publisher of age about its input schema at ${at}`,
    );
    const two = schemaOfA({ ...range, enum: [5, 5] });
    assert.match(told(two, "output"), /^Tell .* its output schema at .* It has 4 such mistakes\.$/);
    assert.match(
      told({ type: "object", required: ["b"], additionalProperties: false }),
      /input schema at \/: No value fits this schema\./,
    );
    assert.equal(told(schemaOfA({ type: "string" })), "");
  });

  it("proposes no keyword that the schema has already", () => {
    const names = (a: object) =>
      schemaMistakes(testableSchema(schemaOfA(a))).map(({ betterName }) => betterName);
    assert.deepEqual(names({ tpye: "string" }), ["type"]);
    assert.deepEqual(names({ tpye: "string", type: "string" }), [undefined]);
  });

  it("lists at most 50 mistakes", () => {
    const properties = Array.from({ length: 60 }, (_, index) => [`p${index}`, { tpye: "string" }]);
    assert.equal(found({ properties: Object.fromEntries(properties) }).length, 50);
  });

  it("does not judge a required name that a pattern allows, or parts that mean something else elsewhere", () => {
    const byPattern = { properties: { a: {} }, patternProperties: { "^A": {} }, required: ["A"] };
    const dynamic = {
      $dynamicAnchor: "node",
      properties: {
        a: { allOf: [{ type: "string" }, { type: "number" }] },
        b: { $dynamicRef: "#node" },
      },
    };
    assert.deepEqual([...found(byPattern), ...found(dynamic)], []);
  });

  it("does not judge schemas whose samples are hard to make, or that allow nothing on purpose", () => {
    for (const a of [
      { type: "string", pattern: "^(?=.*z{3})(?=.*q{7}).{30}$" },
      { type: "array", minItems: 500 },
      { type: "integer", format: "int32" },
      { not: {} },
      false,
    ]) {
      assert.deepEqual(found(schemaOfA(a)), []);
    }
  });
});
