import assert from "node:assert/strict";
import { describe, it } from "mocha";
import type { JsonValue } from "../../../../../src/core/json/jsonValue";
import { readSchema } from "../../../../../src/core/schema/read/readSchema";
import type { SchemaRules } from "../../../../../src/core/schema/schemaRules";

const draft07 = "http://json-schema.org/draft-07/schema#";

describe("readSchema", () => {
  const cases: [
    string,
    JsonValue,
    { readonly [Name in keyof SchemaRules]?: SchemaRules[Name] | undefined },
  ][] = [
    ["flags of draft 4", { minimum: 1, exclusiveMinimum: true }, { exclusiveMinimum: 1 }],
    ["numbers of later drafts", { exclusiveMinimum: 1 }, { exclusiveMinimum: 1 }],
    ["marks of draft 3", { properties: { a: { required: true }, b: {} } }, { required: ["a"] }],
    [
      "a dialect that is not known",
      { $schema: "https://example.com/own", type: "string" },
      { types: ["string"] },
    ],
    [
      "annotations beside a reference of draft 7",
      { $schema: draft07, $ref: "#", title: "A", maximum: 5 },
      { title: "A", maximum: undefined, tooNew: new Set(["maximum"]) },
    ],
    [
      "keywords that are newer than the declared draft as not applied",
      {
        $schema: draft07,
        contains: {},
        minContains: 2,
        prefixItems: [{}],
        unevaluatedItems: false,
      },
      {
        minContains: undefined,
        tooNew: new Set(["prefixItems", "minContains", "unevaluatedItems"]),
      },
    ],
    [
      "a list of types in which one is wrong as left out",
      { type: ["string", "text"] },
      { types: undefined },
    ],
    ["references that lead nowhere", { $ref: "#/x" }, { unresolved: ["#/x"] }],
  ];
  for (const [what, schema, expected] of cases) {
    it(`reads ${what}`, () => {
      const { root } = readSchema(schema);
      const found = Object.keys(expected).map((key) => [key, root[key as keyof SchemaRules]]);
      assert.deepEqual(Object.fromEntries(found), expected);
    });
  }

  it("describes the parts that cannot be applied, with the reason", () => {
    const refused = ([1] as unknown[]).concat({ $schema: "x" }, { $id: "http://[", type: "null" });
    const whys = refused.map((schema) => readSchema(schema).refusal?.why);
    assert.deepEqual(whys, ["malformed", "dialect", "malformed"]);
    assert.deepEqual(readSchema(refused[2]).root.types, ["null"]);
  });

  it("follows references to published meta-schemas", () => {
    for (const $ref of [draft07, "https://json-schema.org/draft/2020-12/schema"]) {
      const { root, defects } = readSchema({ properties: { schema: { $ref } } });
      assert.equal(defects.count, 0);
      const schema = root.properties?.get("schema");
      assert.deepEqual(schema?.reference?.target.types, ["object", "boolean"]);
    }
  });

  it("treats one schema as one, however it is referred to", () => {
    const { root } = readSchema({
      properties: { a: { $ref: "#/$defs/d" }, b: { $ref: "#/$defs/d" } },
      $defs: { d: {} },
    });
    const [a, b] = [...(root.properties?.values() ?? [])];
    assert.ok(a?.reference !== undefined);
    assert.equal(a.reference.target, b?.reference?.target);
  });
});
