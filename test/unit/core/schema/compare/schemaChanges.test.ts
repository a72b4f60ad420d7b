import assert from "node:assert/strict";
import { describe, it } from "mocha";
import type { JsonObject, JsonValue } from "../../../../../src/core/json/jsonValue";
import { schemaPathText } from "../../../../../src/core/schema/compare/schemaChange";
import { schemaChanges } from "../../../../../src/core/schema/compare/schemaChanges";
import { object, text } from "./objectSchema";

const numbered = (name: string, minContains: number): JsonObject => ({
  contains: { title: name },
  minContains,
});

const numbers = (keyword: string): JsonObject => ({
  [keyword]: [{ type: "integer" }, { type: "number" }],
});

const together: [JsonValue, JsonValue] = [
  { dependencies: { a: ["b"], c: { required: ["d"] } } },
  { dependentRequired: { a: ["b"] }, dependentSchemas: { c: { required: ["d"] } } },
];

/** The changes between two schemas that are written differently and mean the same. */
const wording = ["changed description "];

// Two schemas, and the expected changes as `kind keyword place`.
const cases: [string, JsonValue, JsonValue, string[]][] = [
  ["nothing", object({ a: text }), object({ a: text }), []],
  [
    "another order and title as a changed description",
    { title: "A", minLength: 1, ...text },
    { ...text, minLength: 1 },
    wording,
  ],
  ["a new property", object({}), object({ a: text }), ["added properties a"]],
  [
    "a new required property",
    object({}),
    object({ a: text }, { required: ["a"] }),
    ["added properties a required"],
  ],
  ["a removed property", object({ a: text }), object({}), ["removed properties a"]],
  [
    "a property that is now required",
    object({ a: text }),
    object({ a: text }, { required: ["a"] }),
    ["tightened required a required"],
  ],
  [
    "a property that is no longer required",
    object({ a: text }, { required: ["a"] }),
    object({ a: text }),
    ["loosened required a"],
  ],
  ["a limit", text, { ...text, maxLength: 5 }, ["tightened maxLength "]],
  ["a lower limit", { maxLength: 9 }, { maxLength: 5 }, ["tightened maxLength "]],
  ["a higher limit", { maxLength: 5 }, { maxLength: 9 }, ["loosened maxLength "]],
  ["a minimum of 0 as a changed description", {}, { minLength: 0, minItems: 0 }, wording],
  [
    "an exclusive minimum in place of an inclusive one",
    { minimum: 1 },
    { exclusiveMinimum: 1 },
    ["tightened minimum "],
  ],
  [
    "draft 4's spelling of an exclusive minimum as a changed description",
    { exclusiveMinimum: 1 },
    { minimum: 1, exclusiveMinimum: true },
    wording,
  ],
  [
    "a range",
    { minimum: 1, maximum: 5 },
    { minimum: 2, maximum: 9 },
    ["tightened minimum ", "loosened maximum "],
  ],
  ["a multiple", { multipleOf: 2 }, { multipleOf: 4 }, ["tightened multipleOf "]],
  ["an unrelated multiple", { multipleOf: 3 }, { multipleOf: 2 }, ["changed multipleOf "]],
  ["unique items", { uniqueItems: true }, {}, ["loosened uniqueItems "]],
  ["another type", { type: "string" }, { type: "integer" }, ["changed type "]],
  ["integers in place of numbers", { type: "number" }, { type: "integer" }, ["tightened type "]],
  ["a further type", { type: "string" }, { type: ["string", "null"] }, ["loosened type "]],
  ["any type", { type: "string" }, {}, ["loosened type "]],
  [
    "all types by name",
    {},
    { type: ["object", "array", "string", "number", "boolean", "null"] },
    wording,
  ],
  ["fewer values", { enum: ["a", "b"] }, { enum: ["b"] }, ["tightened enum "]],
  [
    "other values",
    { enum: ["a", "b"] },
    { enum: ["b", "c"] },
    ["tightened enum ", "loosened enum "],
  ],
  [
    "values in another order",
    { enum: [{ a: 1, b: 2 }, 3] },
    { enum: [3, { b: 2, a: 1 }] },
    wording,
  ],
  ["a constant as a list", { const: "a" }, { enum: ["a"] }, wording],
  ["any value", { enum: ["a"] }, {}, ["loosened enum "]],
  ["a pattern", { pattern: "^a" }, { pattern: "^b" }, ["changed pattern "]],
  ["a new format", {}, { format: "date" }, ["tightened format "]],
  ["another default", { default: 1 }, { default: 2 }, ["changed default "]],
  ["a new default", {}, { default: 2 }, ["changed default "]],
  [
    "no other properties",
    object({}),
    object({}, { additionalProperties: false }),
    ["tightened additionalProperties "],
  ],
  ["other properties of a type", {}, { additionalProperties: text }, ["tightened type *"]],
  [
    "properties whose names match a pattern",
    { patternProperties: { "^x": text } },
    { patternProperties: { "^x": {} } },
    ["loosened type /^x/"],
  ],
  ["items", { items: text }, { items: { ...text, minLength: 2 } }, ["tightened minLength []"]],
  ["an item at an index", { prefixItems: [{}, text] }, { items: [{}, {}] }, ["loosened type [1]"]],
  [
    "no further items",
    { prefixItems: [{}] },
    { prefixItems: [{}], items: false },
    ["tightened items "],
  ],
  ["everything and nothing", true, false, ["tightened false "]],
  ["an empty schema for true", true, {}, wording],
  [
    "an allOf taken apart",
    { allOf: [{ minLength: 1 }, { maxLength: 2 }] },
    { minLength: 1, maxLength: 2 },
    wording,
  ],
  [
    "an option by its title",
    {
      oneOf: [
        { title: "A", type: "string" },
        { title: "B", minimum: 1 },
      ],
    },
    { oneOf: [{ title: "B", minimum: 2 }, { title: "C" }] },
    ["tightened minimum (B)", "removed oneOf (A)", "added oneOf (C)"],
  ],
  [
    "an option by its constant",
    { oneOf: [object({ kind: { const: "a" }, x: text })] },
    { oneOf: [object({ kind: { const: "a" } })] },
    ["removed properties (kind: a).x"],
  ],
  ["options where there were none", {}, { anyOf: [text, { minimum: 1 }] }, ["tightened oneOf "]],
  ["types as options", { type: ["string", "null"] }, { anyOf: [text, { type: "null" }] }, wording],
  [
    "constants as options",
    { enum: ["a", "b"] },
    { oneOf: [{ const: "a", title: "A" }, { const: "b" }] },
    wording,
  ],
  [
    "types with options of more",
    { type: ["string", "null"] },
    { anyOf: [text, { type: "object", required: ["a"] }] },
    ["changed type ", "tightened oneOf "],
  ],
  ["a number that would fit twice", {}, numbers("oneOf"), ["tightened oneOf "]],
  ["a number that may fit twice", {}, numbers("anyOf"), ["tightened type "]],
  [
    "options without a name in another order",
    { oneOf: [object({ a: text }), object({ b: text })] },
    { oneOf: [object({ b: text }), object({ a: text })] },
    wording,
  ],
  [
    "an option without a name",
    { oneOf: [object({ a: text }), object({ b: text })] },
    { oneOf: [object({ b: text }), object({ a: { ...text, maxLength: 1 } })] },
    ["tightened maxLength (2).a"],
  ],
  ["values of a type that was stated", text, { enum: ["a"] }, ["tightened enum "]],
  ["values of another type", text, { enum: [1] }, ["loosened type ", "tightened enum "]],
  ["any value of the type of some", { enum: ["a"] }, text, ["loosened enum "]],
  ["older spellings of dependencies as a changed description", ...together, wording],
  [
    "other properties of a type that are no longer allowed",
    { additionalProperties: text },
    { additionalProperties: false },
    ["tightened additionalProperties "],
  ],
  [
    "items of a type that are no longer allowed",
    { prefixItems: [{}], items: text },
    { prefixItems: [{}], items: false },
    ["tightened items "],
  ],
  [
    "another external reference",
    object({ a: { $ref: "https://a.example/x.json" } }),
    object({ a: { $ref: "https://a.example/y.json" } }),
    ["unknown $ref a"],
  ],
  [
    "names that need quotes in a path",
    object({}),
    object({ "": text, "a.b[]": text, "c\nd": text, "ä-_$1": text }),
    [
      'added properties ""',
      'added properties "a.b[]"',
      'added properties "c\\nd"',
      "added properties ä-_$1",
    ],
  ],
  [
    "a change behind references with different names",
    { $ref: "#/$defs/a", $defs: { a: object({ b: text }) } },
    object({ b: { $ref: "#/definitions/c" } }, { definitions: { c: { type: "integer" } } }),
    ["changed type b"],
  ],
  [
    "a change in a recursive schema",
    { $ref: "#/$defs/n", $defs: { n: object({ next: { $ref: "#/$defs/n" }, v: text }) } },
    { $ref: "#/$defs/n", $defs: { n: object({ next: { $ref: "#/$defs/n" }, v: {} }) } },
    ["loosened type v"],
  ],
  [
    "a property with the name of an object's own member",
    object({}),
    object({ constructor: text }, { required: ["constructor"] }),
    ["added properties constructor required"],
  ],
];

describe("schemaChanges", () => {
  for (const [what, before, after, expected] of cases) {
    it(`reports ${what}`, () => {
      const told = schemaChanges(before, after).map(({ kind, keyword, path, required }) =>
        [kind, keyword, schemaPathText(path), ...(required ? ["required"] : [])].join(" "),
      );
      assert.deepEqual(told.sort(), [...expected].sort());
    });
  }

  const hidden: [string, JsonValue, JsonValue, string[]][] = [
    [
      "no names of a pattern anymore",
      { patternProperties: { "^x": text } },
      { patternProperties: { "^x": false } },
      ["tightened false /^x/"],
    ],
    [
      "the second of two limits that both apply",
      { allOf: [{ multipleOf: 2 }, { multipleOf: 3 }] },
      { allOf: [{ multipleOf: 2 }, { multipleOf: 5 }] },
      ["changed multipleOf "],
    ],
    [
      "the longer of two lists that both apply",
      { allOf: [{ enum: ["a", "b"] }, { enum: ["a", "b", "c"] }] },
      { allOf: [{ enum: ["a", "b"] }, { enum: ["a", "c", "d"] }] },
      ["tightened enum "],
    ],
    [
      "that no item has to match anymore",
      { contains: text },
      { contains: text, minContains: 0 },
      ["loosened minContains "],
    ],
    [
      "the lower of two counts",
      { allOf: [numbered("a", 5), numbered("b", 3)] },
      { allOf: [numbered("a", 5), numbered("b", 2)] },
      ["loosened minContains "],
    ],
    [
      "an item that no rule describes any longer",
      { prefixItems: [text, text], items: false },
      { prefixItems: [text], items: false },
      ["tightened false [1]"],
    ],
    [
      "a property that another part of allOf rejects",
      { properties: { a: text }, additionalProperties: false },
      { allOf: [{ properties: { a: text } }, { additionalProperties: false }] },
      ["tightened false a"],
    ],
    [
      "options that may apply together",
      { oneOf: [text, { minimum: 1 }] },
      { anyOf: [text, { minimum: 1 }] },
      ["loosened anyOf "],
    ],
    [
      "a keyword that cannot be applied",
      { minLength: "1" },
      { minLength: "2" },
      ["unknown minLength "],
    ],
    [
      "an external reference",
      { $ref: "https://a.example/x.json" },
      { $ref: "https://a.example/x.json", title: "X" },
      ["unknown $ref "],
    ],
    [
      "more options than are compared",
      { oneOf: Array.from({ length: 301 }, (_, least) => ({ minLength: least })) },
      { oneOf: Array.from({ length: 302 }, (_, least) => ({ minLength: least })) },
      ["unknown  "],
    ],
  ];
  for (const [what, before, after, expected] of hidden) {
    it(`explains ${what}`, () => {
      const told = schemaChanges(before, after).map(({ kind, keyword, path }) =>
        [kind, keyword, schemaPathText(path)].join(" "),
      );
      assert.deepEqual(told, expected);
    });
  }

  it("shows the rule before and after", () => {
    const changes = schemaChanges({ maxLength: 9 }, { maxLength: 5, enum: ["a"] });
    assert.deepEqual(
      changes.map(({ before, after }) => [before, after]),
      [
        [undefined, { enum: ["a"] }],
        [{ maxLength: 9 }, { maxLength: 5 }],
      ],
    );
  });

  it("reports a changed description or dialect, but not another order of members", () => {
    const schema = object({ a: text });
    const told = (other: JsonValue) =>
      schemaChanges(schema, other).map(({ kind, keyword }) => `${kind} ${keyword}`);
    assert.deepEqual(told({ properties: { a: text }, type: "object" }), []);
    assert.deepEqual(told({ ...schema, description: "Another." }), ["changed description"]);
    const older = "http://json-schema.org/draft-07/schema#";
    assert.deepEqual(told({ ...schema, $schema: older }), ["changed $schema"]);
  });

  it("guesses a new name if only one property fits", () => {
    const cases: [JsonObject, JsonObject, string[]][] = [
      [{ file: text }, { path: text }, ["file → path"]],
      [{ file: text }, { path: { type: "integer" } }, ["file"]],
      [{ file: text }, { path: text, name: text }, ["file"]],
      [{ file: text, name: text }, { path: text }, ["file", "name"]],
      [{ file: {} }, { path: {} }, ["file"]],
      [
        { file: text, size: { minimum: 1 } },
        { length: { minimum: 1 }, path: text },
        ["file → path", "size → length"],
      ],
    ];
    for (const [before, after, expected] of cases) {
      const gone = schemaChanges(object(before), object(after)).filter(
        ({ kind }) => kind === "removed",
      );
      const told = gone.map(({ path, newName }) =>
        [schemaPathText(path), newName].filter((part) => part !== undefined).join(" → "),
      );
      assert.deepEqual(told, expected);
    }
  });
});
