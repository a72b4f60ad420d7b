import assert from "node:assert/strict";
import { describe, it } from "mocha";
import type { JsonObject, JsonValue } from "../../../../src/core/json/jsonValue";
import { assistanceSchema } from "../../../../src/core/schema/assistanceSchema";
import { testableSchema } from "../../../../src/core/schema/read/testableSchema";
import { english } from "../../../../src/core/text/language";

/** Apart from the brace, so that a text stays what it is here and in a template. */
const dollar = "$";

describe("assistanceSchema", () => {
  it("leaves out everything that could act, fetch or hang", () => {
    const hostile = {
      $id: "https://example.com/a",
      properties: {
        a: {
          $ref: "https://example.com/elsewhere.json",
          pattern: "(a+)+$",
          format: "regex",
          markdownDescription: "[x](command:y)",
          defaultSnippets: [{ label: "x", body: "^$CLIPBOARD" }],
          errorMessage: "no",
          enumDescriptions: ["x"],
          markdownEnumDescriptions: ["x"],
          suggestSortText: "0",
          doNotSuggest: true,
          $async: true,
        },
      },
      patternProperties: { "(a+)+$": {} },
      propertyNames: { pattern: "(a+)+$" },
    };
    const { $defs, $schema, ...rest } = assistanceSchema(testableSchema(hostile), english);
    assert.equal($schema, "https://json-schema.org/draft/2020-12/schema");
    const { description, properties, ...none } = rest;
    assert.deepEqual(none, { additionalProperties: {} });
    assert.deepEqual(properties, { a: { $ref: "#/$defs/s0" } });
    assert.deepEqual($defs, { s0: { description: "string, format regex, matches /(a+)+$/" } });
  });

  it("leads every reference to a definition of its own", () => {
    const schema = {
      properties: { a: { $ref: "#/parts/odd~1name" }, b: { $ref: "#anchor" }, c: { $ref: "#" } },
      parts: { "odd/name": { type: "string", enum: ["x"] } },
      $defs: { more: { $anchor: "anchor", type: "integer" } },
    };
    const clean = assistanceSchema(testableSchema(schema), english);
    const { properties, $defs } = clean as { properties: JsonObject; $defs: JsonObject };
    const target = (name: string) =>
      $defs[String((properties[name] as JsonObject)["$ref"]).replace("#/$defs/", "")] as JsonObject;
    assert.deepEqual(target("a")["enum"], ["x"]);
    assert.equal(target("b")["type"], "integer");
    assert.deepEqual(Object.keys(target("c")["properties"] as JsonObject), ["a", "b", "c"]);
  });

  it("writes lists of items as the newest draft does", () => {
    const clean = assistanceSchema(
      testableSchema({
        $schema: "http://json-schema.org/draft-07/schema#",
        items: [{ type: "string" }],
        additionalItems: false,
      }),
      english,
    );
    assert.equal((clean["prefixItems"] as JsonValue[]).length, 1);
    assert.equal(clean["items"], false);
  });

  it("offers what is required as one snippet in which the schema's own signs do nothing", () => {
    const clean = assistanceSchema(
      testableSchema({
        required: ["b", "$CLIPBOARD", "a"],
        properties: {
          a: { type: "string" },
          b: {
            type: "object",
            required: ["c"],
            properties: { c: { const: `${dollar}{TM_FILENAME}` } },
          },
        },
      }),
      english,
    );
    const [{ body }] = clean["defaultSnippets"] as [{ body: string }];
    assert.equal(
      body,
      `^{\n\t"a": "${dollar}{1}",\n\t"b": {\n\t\t"c": "\\${dollar}{TM_FILENAME\\}"\n\t},\n\t"\\$CLIPBOARD": ${dollar}{2}\n}`,
    );
  });

  it("puts what is required first", () => {
    const clean = assistanceSchema(
      testableSchema({
        required: ["z"],
        properties: { a: {}, z: {}, b: {} },
      }),
      english,
    );
    assert.deepEqual(Object.keys(clean["properties"] as JsonObject), ["z", "a", "b"]);
  });

  it("describes a value in plain lines", () => {
    const clean = assistanceSchema(
      testableSchema({
        type: "integer",
        title: "Samples",
        description: "How many.",
        minimum: 0,
        maximum: 10,
        default: 3,
        examples: [5],
      }),
      english,
    );
    assert.equal(
      clean["description"],
      "Samples\nHow many.\ninteger, 0 or more, 10 or less\nDefault: 3\nExample: 5",
    );
  });

  it("bounds size and depth, and ends on circles", () => {
    let deep: JsonObject = { type: "string" };
    for (let level = 0; level < 500; level += 1) deep = { properties: { a: deep } };
    assert.ok(JSON.stringify(assistanceSchema(testableSchema(deep), english)).length < 100_000);
    const many = Object.fromEntries(Array.from({ length: 30_000 }, (_, at) => [`p${at}`, {}]));
    const wide = assistanceSchema(
      testableSchema({ properties: many, enum: Array(5000).fill("x") }),
      english,
    );
    assert.equal(Object.keys(wide["properties"] as JsonObject).length, 30_000);
    assert.equal((wide["enum"] as JsonValue[]).length, 500);
    const circle = { $ref: "#/$defs/a", $defs: { a: { allOf: [{ $ref: "#/$defs/a" }] } } };
    assert.ok(assistanceSchema(testableSchema(circle), english));
  });

  it("ends on a schema deeper than the stack", () => {
    let deep: JsonObject = { type: "string" };
    for (let level = 0; level < 20_000; level += 1) deep = { properties: { a: deep } };
    assert.ok(assistanceSchema(testableSchema(deep), english));
  });

  it("ends on branches that circle", () => {
    const circle = {
      required: ["x"],
      oneOf: [{ $ref: "#/$defs/a" }, { $ref: "#/$defs/a", title: "b" }, { $ref: "#/$defs/a" }],
    };
    const clean = assistanceSchema(
      testableSchema({
        properties: { a: { $ref: "#/$defs/a" }, z: { type: "string" } },
        $defs: { a: circle },
      }),
      english,
    );
    assert.ok(JSON.stringify(clean).length < 20_000);
  });

  it("leaves out values that nobody could read in a list", () => {
    const clean = assistanceSchema(testableSchema({ enum: ["x".repeat(20_000), "y"] }), english);
    assert.deepEqual(clean["enum"], ["y"]);
  });

  it("keeps names that objects have by themselves", () => {
    const schema = JSON.parse('{"properties": {"__proto__": {"type": "string"}, "toString": {}}}');
    const clean = assistanceSchema(testableSchema(schema), english);
    assert.deepEqual(Object.keys(clean["properties"] as JsonObject), ["__proto__", "toString"]);
  });
});
