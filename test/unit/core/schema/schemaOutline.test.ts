import assert from "node:assert/strict";
import { describe, it } from "mocha";
import type { JsonValue } from "../../../../src/core/json/jsonValue";
import { readSchema } from "../../../../src/core/schema/read/readSchema";
import { type OutlineNode, schemaOutline } from "../../../../src/core/schema/schemaOutline";
import { english } from "../../../../src/core/text/language";

describe("schemaOutline", () => {
  const cases: [string, JsonValue, string[]][] = [
    [
      "properties in their order, required ones marked",
      {
        type: "object",
        required: ["b"],
        properties: { a: { type: "integer" }, b: { type: "string" } },
      },
      ["object", "  a integer", "  b string required"],
    ],
    [
      "a required property that is described nowhere",
      { required: ["x"], properties: {} },
      ["object", "  x required"],
    ],
    [
      "limits",
      { type: "string", minLength: 2, maxLength: 4000, pattern: "^a", format: "uri" },
      ["string [format uri; at least 2 characters; at most 4,000 characters; matches /^a/]"],
    ],
    [
      "exclusive limits of draft 4 and of later drafts",
      { allOf: [{ minimum: 1, exclusiveMinimum: true }, { exclusiveMaximum: 5 }] },
      ["number [more than 1; less than 5]"],
    ],
    [
      "values, default and example",
      { enum: ["a", 1, null], default: "a", examples: [1] },
      ['string, number or null ="a",1,null default "a" example 1'],
    ],
    [
      "items",
      { items: { type: "object", properties: { x: { const: 1 } } } },
      ["array of object", "  each item object", "    x number =1"],
    ],
    [
      "tuples of both spellings",
      {
        allOf: [{ prefixItems: [{ type: "null" }], items: false }, { items: [{ type: "string" }] }],
      },
      ["array [no further items]", "  item [0] null", "  item [0] string"],
    ],
    [
      "alternatives",
      { oneOf: [{ type: "string" }, { type: "null" }] },
      [
        "string or null [exactly one of 2 options]",
        "  option 1 of 2 string",
        "  option 2 of 2 null",
      ],
    ],
    [
      "conditions and dependencies",
      {
        if: { required: ["a"] },
        // biome-ignore lint/suspicious/noThenProperty: the keyword has this name.
        then: { required: ["b"] },
        dependentRequired: { c: ["d"] },
        not: { required: ["e"] },
      },
      [
        "object",
        "  not object",
        "    e required",
        "  if object",
        "    a required",
        "  then object",
        "    b required",
        "  when “c” is present object",
        "    d required",
      ],
    ],
    [
      "open and closed objects",
      {
        patternProperties: { "^x-": { type: "string" } },
        additionalProperties: { type: "number" },
        propertyNames: { maxLength: 9 },
        minProperties: 1,
      },
      [
        "object [at least one property]",
        "  names that match /^x-/ string",
        "  any other property number",
        "  every property name string [at most 9 characters]",
      ],
    ],
    [
      "references by pointer, anchor and escaped name",
      {
        properties: {
          a: { $ref: "#/$defs/a~1b%20c" },
          b: { $ref: "#here", description: "B" },
          c: { $ref: "#old" },
        },
        $defs: {
          "a/b c": { type: "boolean" },
          x: { $anchor: "here", type: "null" },
          y: { $id: "#old", type: "integer" },
        },
      },
      ["object", "  a boolean", "  b null — B", "  c (Unresolved reference: #old)"],
    ],
    [
      "a reference to elsewhere",
      { properties: { a: { $ref: "https://evil.example/x.json" }, b: { $ref: "#/nowhere" } } },
      [
        "object",
        "  a (Unresolved reference: https://evil.example/x.json)",
        "  b (Unresolved reference: #/nowhere)",
      ],
    ],
    [
      "recursion once",
      {
        $ref: "#/$defs/tree",
        $defs: {
          tree: { type: "object", properties: { children: { items: { $ref: "#/$defs/tree" } } } },
        },
      },
      [
        "object",
        "  children array of object",
        "    each item object (Recursive: same as the whole schema.)",
      ],
    ],
    ["a reference to itself", { $ref: "#" }, [""]],
    [
      "allOf merged into one",
      {
        allOf: [
          { properties: { a: { type: "string" } } },
          { properties: { a: { maxLength: 3 }, b: true }, required: ["a"] },
        ],
      },
      ["object", "  a string required [at most 3 characters]", "  b"],
    ],
    ["any value", true, [""]],
    ["no value", false, ["(No value is allowed here.)"]],
    [
      "what is no schema at all",
      [1, "x"],
      ["(The skill's schema is malformed: a schema is expected at the schema root.)"],
    ],
    [
      "keywords of the wrong type",
      {
        type: 5,
        properties: [1],
        required: "x",
        enum: "y",
        oneOf: {},
        items: 3,
        $ref: 1,
        minLength: {},
        description: 4,
        examples: "z",
      },
      [""],
    ],
    [
      "prototype names as names",
      JSON.parse('{"properties":{"__proto__":{"type":"null"},"toString":{"type":"string"}}}'),
      ["object", "  __proto__ null", "  toString string"],
    ],
  ];
  for (const [what, schema, expected] of cases) {
    it(`outlines ${what}`, () =>
      assert.deepEqual(lines(schemaOutline(readSchema(schema), english)), expected));
  }

  it("joins title and description", () => {
    assert.equal(
      schemaOutline(readSchema({ title: "T", description: "D" }), english).description,
      "T\nD",
    );
  });

  it("stays small for a huge schema, and names the omitted parts", () => {
    const many = Object.fromEntries(Array.from({ length: 2_500 }, (_, i) => [`p${i}`, true]));
    const outline = schemaOutline(readSchema({ properties: many }), english);
    assert.equal(outline.children.length, 300);
    assert.match(outline.note, /2200/);
    const manyValues = schemaOutline(
      readSchema({ enum: Array.from({ length: 25_000 }, (_, i) => i) }),
      english,
    );
    assert.equal(manyValues.values.length + manyValues.moreValues, 25_000);
    assert.ok(manyValues.values.length <= 40);
  });

  it("stays small if shapes multiply", () => {
    const branch = { $ref: "#/$defs/a" };
    const schema = {
      anyOf: [branch, branch],
      $defs: Object.fromEntries(
        [..."abcdefghijklmnop"].map((name, index, all) => {
          const next = { $ref: `#/$defs/${all[index + 1] ?? "p"}` };
          return [name, { properties: { x: next, y: next, z: next } }];
        }),
      ),
    };
    assert.ok(count(schemaOutline(readSchema(schema), english)) < 4000);
  });

  it("ends if references are numerous", () => {
    const names = [...Array(900).keys()].map((n) => [`p${n}`, { $ref: "#/$defs/big" }]);
    const schema = {
      properties: Object.fromEntries(names.slice(0, 300)),
      patternProperties: Object.fromEntries(names),
      $defs: {
        big: {
          enum: Array.from({ length: 25_000 }, (_, n) => n),
          default: { text: "x".repeat(250_000) },
          properties: Object.fromEntries(Array.from({ length: 2_500 }, (_, n) => [`q${n}`, true])),
        },
      },
    };
    // Printing and listing again for each reference would take minutes.
    assert.ok(count(schemaOutline(readSchema(schema), english)) > 900);
  });

  it("handles great depth", () => {
    let schema: JsonValue = { type: "string" };
    for (let i = 0; i < 4_000; i += 1) schema = { properties: { x: schema } };
    assert.ok(count(schemaOutline(readSchema(schema), english)) < 50);
  });
});

function lines(node: OutlineNode, indent = ""): string[] {
  const words = [
    node.name,
    node.type,
    node.required ? "required" : "",
    node.limits.length > 0 ? `[${node.limits.join("; ")}]` : "",
    node.values.length > 0 ? `=${node.values.join(",")}` : "",
    node.defaultText === undefined ? "" : `default ${node.defaultText}`,
    node.exampleText === undefined ? "" : `example ${node.exampleText}`,
    node.description === "" ? "" : `— ${node.description}`,
    node.note === "" ? "" : `(${node.note})`,
  ].filter((word) => word !== "");
  return [
    `${indent}${words.join(" ")}`,
    ...node.children.flatMap((child) => lines(child, `${indent}  `)),
  ];
}

function count(node: OutlineNode): number {
  return node.children.reduce((sum, child) => sum + count(child), 1);
}
