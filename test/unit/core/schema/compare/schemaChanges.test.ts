import assert from "node:assert/strict";
import fc from "fast-check";
import { describe, it } from "mocha";
import type { JsonObject, JsonValue } from "../../../../../src/core/json/jsonValue";
import { schemaPathText } from "../../../../../src/core/schema/compare/schemaChange";
import { schemaChanges } from "../../../../../src/core/schema/compare/schemaChanges";
import { whySchemaIsTooLarge } from "../../../../../src/core/schema/schemaSize";
import { fullSkill } from "../../../../fixtures/skillDetail";

const object = (properties: JsonObject, more: JsonObject = {}): JsonObject => ({
  type: "object",
  properties,
  ...more,
});
const text: JsonObject = { type: "string" };

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

  const places: [string, (rules: JsonValue) => JsonObject, string][] = [
    ["properties", (rules) => ({ properties: { a: rules } }), "a"],
    ["patternProperties", (rules) => ({ patternProperties: { "^a": rules } }), "/^a/"],
    ["additionalProperties", (rules) => ({ additionalProperties: rules }), "*"],
    ["unevaluatedProperties", (r) => ({ unevaluatedProperties: r }), "(unevaluatedProperties)"],
    ["propertyNames", (rules) => ({ propertyNames: rules }), "(propertyNames)"],
    ["dependentSchemas", (rules) => ({ dependentSchemas: { a: rules } }), "(dependentSchemas: a)"],
    ["dependencies", (rules) => ({ dependencies: { a: rules } }), "(dependentSchemas: a)"],
    ["items", (rules) => ({ items: rules }), "[]"],
    ["prefixItems", (rules) => ({ prefixItems: [true, rules] }), "[1]"],
    ["additionalItems", (rules) => ({ items: [true], additionalItems: rules }), "[]"],
    ["unevaluatedItems", (rules) => ({ unevaluatedItems: rules }), "(unevaluatedItems)"],
    ["contains", (rules) => ({ contains: rules }), "(contains)"],
    ["not", (rules) => ({ not: rules }), "(not)"],
    ["if", (rules) => ({ if: rules, else: { minLength: 1 } }), "(if)"],
    // biome-ignore lint/suspicious/noThenProperty: the keyword has this name.
    ["then", (rules) => ({ if: { minLength: 1 }, then: rules }), "(then)"],
    ["else", (rules) => ({ if: { minLength: 1 }, else: rules }), "(else)"],
    ["allOf", (rules) => ({ allOf: [{ minLength: 1 }, rules] }), ""],
    ["the last of many in allOf", (rules) => ({ allOf: [...many, rules] }), ""],
    ["oneOf", (rules) => ({ oneOf: [{ minLength: 1 }, rules] }), "(2)"],
    ["anyOf", (rules) => ({ anyOf: [{ minLength: 1 }, rules] }), "(2)"],
    ["the second oneOf", (rules) => ({ oneOf, allOf: [{ oneOf: [{}, rules] }] }), "(2)"],
    ["anyOf beside oneOf", (rules) => ({ oneOf, anyOf: [{}, rules] }), "(2)"],
    ["$ref", (rules) => ({ $ref: "#/$defs/b", $defs: { b: { allOf: [rules] } } }), ""],
  ];
  const many = Array.from({ length: 99 }, (_, at) => ({ maxProperties: 1000 + at }));
  const oneOf = [{ properties: {} }, { minProperties: 1 }];
  const at = (place: (rules: JsonValue) => JsonObject, rules: JsonValue) => ({
    ...place({ $ref: "#/definitions/d" }),
    definitions: { d: rules },
  });
  for (const [what, place, path] of places) {
    it(`finds a change behind a reference in ${what}`, () => {
      const told = schemaChanges(at(place, { maxLength: 9 }), at(place, { maxLength: 5 }));
      const [change, ...others] = told.map(({ kind, keyword, path: found }) =>
        [kind, keyword, schemaPathText(found)].join(" "),
      );
      assert.deepEqual([change, others], [`tightened maxLength ${path}`, []]);
      assert.equal(told[0]?.isNegated === true, what === "not" || what === "if");
      assert.deepEqual(
        schemaChanges(at(place, { maxLength: 9 }), at(place, false)).length > 0,
        true,
      );
    });
  }

  it("finds nothing between equal schemas of the largest size that can be applied", () => {
    const values = Array.from({ length: 119_998 }, (_, index) => index);
    assert.equal(whySchemaIsTooLarge({ enum: [...values] }), undefined);
    assert.notEqual(whySchemaIsTooLarge({ enum: [...values, -1] }), undefined);
    assert.deepEqual(schemaChanges({ enum: [...values] }, { enum: [...values] }), []);
  });

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

  it("finds no difference between a schema and itself, and the reverse after swapping", () => {
    const opposite = {
      added: "removed",
      removed: "added",
      tightened: "loosened",
      loosened: "tightened",
      changed: "changed",
      unknown: "unknown",
    };
    const schema = fc.object({
      key: fc.constantFrom(
        "properties",
        "items",
        "type",
        "enum",
        "maxLength",
        "minimum",
        "required",
        "a",
        "b",
        "oneOf",
        "anyOf",
        "const",
        "dependencies",
        "additionalProperties",
        "$ref",
      ),
      values: [fc.constantFrom<unknown>("string", "#", "#/properties/a", 1, 5, true, false, null)],
      withNullPrototype: false,
    });
    fc.assert(
      fc.property(schema, schema, (one, other) => {
        const [before, after] = [one as JsonObject, other as JsonObject];
        assert.deepEqual(schemaChanges(before, before), []);
        const forth = schemaChanges(before, after).map(({ kind }) => kind);
        const back = schemaChanges(after, before).map(({ kind }) => opposite[kind]);
        assert.deepEqual(back.sort(), forth.sort());
      }),
      { numRuns: 300 },
    );
  });

  const deep = (depth: number, end: JsonValue) => {
    let schema = end;
    for (let i = 0; i < depth; i += 1) schema = { items: schema };
    return schema;
  };
  const wide = (value: JsonValue) =>
    object(Object.fromEntries([...Array(30_000).keys()].map((n) => [`p${n}`, value])));
  const fans = (end: JsonValue) => {
    const $defs: JsonObject = { s0: end };
    for (let i = 1; i < 60; i += 1) {
      const $ref = `#/$defs/s${i - 1}`;
      $defs[`s${i}`] = object({ a: { $ref }, b: { $ref } });
    }
    return { $ref: "#/$defs/s59", $defs };
  };
  const hostile: [string, JsonValue, JsonValue][] = [
    ["nested a thousand deep", deep(1000, text), deep(1000, {})],
    ["with 30,000 properties", wide(text), wide({})],
    [
      "of 100,000 values",
      { enum: [...Array(100_000).keys()] },
      { enum: [...Array(99_999).keys()] },
    ],
    ["that fans out beyond counting", fans(text), fans({})],
    ["with a default nested deep", { default: deep(5000, 1) }, { default: deep(5000, 2) }],
    ["with a value of 10 MB", { enum: ["x".repeat(10_000_000)] }, { enum: ["y"] }],
  ];
  for (const [what, before, after] of hostile) {
    it(`ends on a schema ${what}, and reports that its result is incomplete`, () => {
      // It takes 0.05 s at most. Without its limits it would take minutes or run out of memory.
      const changes = schemaChanges(before, after);
      assert.ok(changes.length <= 1000);
      assert.ok(changes.some(({ kind, keyword }) => kind === "unknown" && keyword === ""));
    });
  }

  it("compares a schema that branches often without differing", () => {
    const told = schemaChanges({ ...fans(text), title: "A" }, { ...fans(text), title: "B" });
    assert.deepEqual(told, [{ kind: "changed", path: [], keyword: "description" }]);
  });

  it("compares real schemas", () => {
    const { inputSchema = {} } = fullSkill;
    assert.deepEqual(schemaChanges(inputSchema, structuredClone(inputSchema)), []);
  });
});
