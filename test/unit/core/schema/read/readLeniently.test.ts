import assert from "node:assert/strict";
import { describe, it } from "mocha";
import type { JsonValue } from "../../../../../src/core/json/jsonValue";
import { readLeniently, readSchema } from "../../../../../src/core/schema/read/readSchema";
import type { SchemaRules } from "../../../../../src/core/schema/schemaRules";

describe("readLeniently", () => {
  const cases: [string, JsonValue, Partial<SchemaRules>][] = [
    ["flags of draft 4", { minimum: 1, exclusiveMinimum: true }, { exclusiveMinimum: 1 }],
    ["numbers of later drafts", { exclusiveMinimum: 1 }, { exclusiveMinimum: 1 }],
    ["marks of draft 3", { properties: { a: { required: true }, b: {} } }, { required: ["a"] }],
    [
      "a dialect that is not known",
      { $schema: "https://example.com/own", type: "string" },
      { types: ["string"] },
    ],
    [
      "what stands beside a reference of draft 7",
      { $schema: "http://json-schema.org/draft-07/schema#", $ref: "#", title: "A" },
      { title: "A" },
    ],
    ["types that exist among those listed", { type: ["string", "text", 5] }, { types: ["string"] }],
    ["names among what is required", { required: ["a", 1] }, { required: ["a"] }],
    ["references that lead nowhere", { $ref: "#/x" }, { unresolved: ["#/x"] }],
  ];
  for (const [what, schema, expected] of cases) {
    it(`reads ${what}`, () => {
      const { root, read } = readLeniently(schema);
      const rules = read(root);
      const found = Object.keys(expected).map((key) => [key, rules[key as keyof SchemaRules]]);
      assert.deepEqual(Object.fromEntries(found), expected);
    });
  }

  it("refuses nothing, where applying the schema is refused", () => {
    for (const schema of [[1], { $schema: "x" }, { $id: "http://[", type: "null" }]) {
      assert.equal(readSchema(schema).kind, "refused", JSON.stringify(schema));
      assert.doesNotThrow(() => readLeniently(schema).readAll());
    }
  });

  it("reads no schema before somebody looks at it", () => {
    const { root, read } = readLeniently({ properties: { a: { type: "null" }, never: false } });
    const { properties } = read(root);
    const a = properties?.get("a");
    assert.ok(a);
    assert.equal(a.types, undefined);
    assert.equal(properties?.get("never")?.never, true);
    assert.deepEqual(read(a).types, ["null"]);
  });

  it("counts the members that are too many to be read", () => {
    const names = [...Array(10).keys()].map((number) => [`p${number}`, true]);
    const { root, read } = readLeniently(
      { properties: Object.fromEntries(names), anyOf: [{}, {}] },
      { maxMembers: 3 },
    );
    const { properties, anyOf, omitted } = read(root);
    assert.deepEqual([...(properties?.keys() ?? [])], ["p0", "p1", "p2"]);
    assert.equal(anyOf?.length, 2);
    assert.deepEqual([...(omitted ?? [])], [["properties", 7]]);
  });

  it("counts what is beyond the members of all keywords together, but reads what a value itself is", () => {
    const { root, read } = readLeniently(
      { properties: { a: {}, b: {}, c: {} }, allOf: [{}, {}], oneOf: [{}, {}] },
      { membersLeft: 4 },
    );
    const { properties, allOf, oneOf, omitted } = read(root);
    assert.deepEqual([properties?.size, allOf?.length, oneOf?.length], [3, 2, 1]);
    assert.deepEqual([...(omitted ?? [])], [["oneOf", 1]]);
  });

  it("takes one schema for one, however it is reached, also beyond what is indexed", () => {
    const many = Object.fromEntries([...Array(6000).keys()].map((number) => [`d${number}`, {}]));
    const { root, read } = readLeniently({
      properties: { a: { $ref: "#/$defs/d5999" }, b: { $ref: "#/$defs/d5999" } },
      $defs: many,
    });
    const [a, b] = [...(read(root).properties?.values() ?? [])].map(read);
    assert.ok(a?.reference !== undefined);
    assert.equal(a.reference.target, b?.reference?.target);
  });
});
