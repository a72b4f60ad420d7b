import assert from "node:assert/strict";
import fc from "fast-check";
import { describe, it } from "mocha";
import type { JsonObject, JsonValue } from "../../../../../src/core/json/jsonValue";
import { schemaPathText } from "../../../../../src/core/schema/compare/schemaChange";
import { schemaChanges } from "../../../../../src/core/schema/compare/schemaChanges";
import { fullSkill } from "../../../../fixtures/skillDetail";

const object = (properties: JsonObject, more: JsonObject = {}): JsonObject => ({
  type: "object",
  properties,
  ...more,
});
const text: JsonObject = { type: "string" };

const numbers = (keyword: string): JsonObject => ({
  [keyword]: [{ type: "integer" }, { type: "number" }],
});
const together: [JsonValue, JsonValue] = [
  { dependencies: { a: ["b"], c: { required: ["d"] } } },
  { dependentRequired: { a: ["b"] }, dependentSchemas: { c: { required: ["d"] } } },
];

// What differs, as `kind keyword place`.
const cases: [string, JsonValue, JsonValue, string[]][] = [
  ["nothing", object({ a: text }), object({ a: text }), []],
  ["order and wording", { title: "A", minLength: 1, ...text }, { ...text, minLength: 1 }, []],
  ["a new property", object({}), object({ a: text }), ["added properties a"]],
  [
    "a new property that must be given",
    object({}),
    object({ a: text }, { required: ["a"] }),
    ["added properties a required"],
  ],
  ["a property that went", object({ a: text }), object({}), ["removed properties a"]],
  [
    "a property that must be given now",
    object({ a: text }),
    object({ a: text }, { required: ["a"] }),
    ["tightened required a required"],
  ],
  [
    "a property that need not be given now",
    object({ a: text }, { required: ["a"] }),
    object({ a: text }),
    ["loosened required a"],
  ],
  ["a limit", text, { ...text, maxLength: 5 }, ["tightened maxLength "]],
  ["a lower limit", { maxLength: 9 }, { maxLength: 5 }, ["tightened maxLength "]],
  ["a higher limit", { maxLength: 5 }, { maxLength: 9 }, ["loosened maxLength "]],
  ["at least none", {}, { minLength: 0, minItems: 0 }, []],
  [
    "more than in place of at least",
    { minimum: 1 },
    { exclusiveMinimum: 1 },
    ["tightened minimum "],
  ],
  ["draft 4's way to say it", { exclusiveMinimum: 1 }, { minimum: 1, exclusiveMinimum: true }, []],
  [
    "a range",
    { minimum: 1, maximum: 5 },
    { minimum: 2, maximum: 9 },
    ["tightened minimum ", "loosened maximum "],
  ],
  ["a multiple", { multipleOf: 2 }, { multipleOf: 4 }, ["tightened multipleOf "]],
  ["a multiple of its own", { multipleOf: 3 }, { multipleOf: 2 }, ["changed multipleOf "]],
  ["unique items", { uniqueItems: true }, {}, ["loosened uniqueItems "]],
  ["another type", { type: "string" }, { type: "integer" }, ["changed type "]],
  ["integers in place of numbers", { type: "number" }, { type: "integer" }, ["tightened type "]],
  ["a further type", { type: "string" }, { type: ["string", "null"] }, ["loosened type "]],
  ["any type", { type: "string" }, {}, ["loosened type "]],
  [
    "all types by name",
    {},
    { type: ["object", "array", "string", "number", "boolean", "null"] },
    [],
  ],
  ["fewer values", { enum: ["a", "b"] }, { enum: ["b"] }, ["tightened enum "]],
  [
    "other values",
    { enum: ["a", "b"] },
    { enum: ["b", "c"] },
    ["tightened enum ", "loosened enum "],
  ],
  ["values in another order", { enum: [{ a: 1, b: 2 }, 3] }, { enum: [3, { b: 2, a: 1 }] }, []],
  ["a constant as a list", { const: "a" }, { enum: ["a"] }, []],
  ["any value", { enum: ["a"] }, {}, ["loosened enum "]],
  ["a pattern", { pattern: "^a" }, { pattern: "^b" }, ["changed pattern "]],
  ["a new format", {}, { format: "date" }, ["tightened format "]],
  ["another default", { default: 1 }, { default: 2 }, ["changed default "]],
  ["a default of its own", {}, { default: 2 }, ["changed default "]],
  [
    "no other properties",
    object({}),
    object({}, { additionalProperties: false }),
    ["tightened additionalProperties "],
  ],
  ["other properties of a type", {}, { additionalProperties: text }, ["tightened type *"]],
  [
    "names of a pattern",
    { patternProperties: { "^x": text } },
    { patternProperties: { "^x": {} } },
    ["loosened type /^x/"],
  ],
  ["items", { items: text }, { items: { ...text, minLength: 2 } }, ["tightened minLength []"]],
  ["an item by its place", { prefixItems: [{}, text] }, { items: [{}, {}] }, ["loosened type [1]"]],
  [
    "no further items",
    { prefixItems: [{}] },
    { prefixItems: [{}], items: false },
    ["tightened items "],
  ],
  ["everything and nothing", true, false, ["tightened false "]],
  ["an empty schema for true", true, {}, []],
  [
    "an allOf taken apart",
    { allOf: [{ minLength: 1 }, { maxLength: 2 }] },
    { minLength: 1, maxLength: 2 },
    [],
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
  ["types as options", { type: ["string", "null"] }, { anyOf: [text, { type: "null" }] }, []],
  [
    "constants as options",
    { enum: ["a", "b"] },
    { oneOf: [{ const: "a", title: "A" }, { const: "b" }] },
    [],
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
    [],
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
  ["older words for what must come together", ...together, []],
  [
    "other properties of a type that are refused now",
    { additionalProperties: text },
    { additionalProperties: false },
    ["tightened additionalProperties "],
  ],
  [
    "items of a type that are refused now",
    { prefixItems: [{}], items: text },
    { prefixItems: [{}], items: false },
    ["tightened items "],
  ],
  [
    "a description that stands elsewhere",
    object({ a: { $ref: "https://a.example/x.json" } }),
    object({ a: { $ref: "https://a.example/y.json" } }),
    ["changed $ref a"],
  ],
  [
    "names that look like something else",
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
    "a shape that is referred to",
    { $ref: "#/$defs/a", $defs: { a: object({ b: text }) } },
    object({ b: { $ref: "#/definitions/c" } }, { definitions: { c: { type: "integer" } } }),
    ["changed type b"],
  ],
  [
    "a shape that contains itself",
    { $ref: "#/$defs/n", $defs: { n: object({ next: { $ref: "#/$defs/n" }, v: text }) } },
    { $ref: "#/$defs/n", $defs: { n: object({ next: { $ref: "#/$defs/n" }, v: {} }) } },
    ["loosened type v"],
  ],
  [
    "a name every object has",
    object({}),
    object({ constructor: text }, { required: ["constructor"] }),
    ["added properties constructor required"],
  ],
];

describe("schemaChanges", () => {
  for (const [what, before, after, expected] of cases) {
    it(`tells ${what}`, () => {
      const { changes, complete } = schemaChanges(before, after);
      const told = changes.map(({ kind, keyword, path, required }) =>
        [kind, keyword, schemaPathText(path), ...(required ? ["required"] : [])].join(" "),
      );
      assert.deepEqual(told.sort(), [...expected].sort());
      assert.equal(complete, true);
    });
  }

  it("shows the rule before and after", () => {
    const { changes } = schemaChanges({ maxLength: 9 }, { maxLength: 5, enum: ["a"] });
    assert.deepEqual(
      changes.map(({ before, after }) => [before, after]),
      [
        [undefined, { enum: ["a"] }],
        [{ maxLength: 9 }, { maxLength: 5 }],
      ],
    );
  });

  it("tells whether two schemas that ask for the same are written alike", () => {
    const schema = object({ a: text });
    const written = (other: JsonValue) => schemaChanges(schema, other).isSameText;
    assert.equal(written({ properties: { a: text }, type: "object" }), true);
    assert.equal(written({ ...schema, description: "Another one." }), false);
    assert.equal(written({ ...schema, $schema: "http://json-schema.org/draft-07/schema#" }), false);
  });

  it("guesses a new name where only one property fits", () => {
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
      const { changes } = schemaChanges(object(before), object(after));
      const gone = changes.filter(({ kind }) => kind === "removed");
      const told = gone.map(({ path, newName }) =>
        [schemaPathText(path), newName].filter((part) => part !== undefined).join(" → "),
      );
      assert.deepEqual(told, expected);
    }
  });

  it("finds no difference between a schema and itself, and the opposite when turned round", () => {
    const opposite = {
      added: "removed",
      removed: "added",
      tightened: "loosened",
      loosened: "tightened",
      changed: "changed",
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
        assert.deepEqual(schemaChanges(before, before).changes, []);
        const forth = schemaChanges(before, after).changes.map(({ kind }) => kind);
        const back = schemaChanges(after, before).changes.map(({ kind }) => opposite[kind]);
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
    it(`comes to an end on a schema ${what}, and says that it is not all`, () => {
      // About 0.05 s at most; without its bounds it takes minutes, or the memory ends.
      const { changes, complete } = schemaChanges(before, after);
      assert.ok(changes.length <= 1000);
      assert.equal(complete, false);
    });
  }

  it("compares a shape that fans out but does not differ", () => {
    const { changes, complete } = schemaChanges(fans(text), fans(text));
    assert.deepEqual([changes, complete], [[], true]);
  });

  it("compares real schemas", () => {
    const { inputSchema = {} } = fullSkill;
    assert.deepEqual(schemaChanges(inputSchema, structuredClone(inputSchema)).changes, []);
  });
});
