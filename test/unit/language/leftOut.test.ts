import assert from "node:assert/strict";
import fc from "fast-check";
import { describe, it } from "mocha";
import { isJsonObject, type JsonObject, type JsonValue } from "../../../src/core/json/jsonValue";
import { testableSchema } from "../../../src/core/schema/read/testableSchema";
import { english } from "../../../src/core/text/language";
import { checkPayload } from "../../../src/language/checkPayload";
import { compileSchema } from "../../../src/language/compileSchema";
import { propertyRuns } from "../../fixtures/propertyRuns";
import { arbitrarySchema, arbitraryValue } from "./arbitrarySchema";

/** A schema with a broken part and a text in; out: the problems that are still found, as `code text`. */
const cases: [what: string, schema: object, text: string, found: string[]][] = [
  [
    "another property",
    { properties: { a: { type: "strng" }, b: { type: "string" } } },
    '{"a": 1, "b": 2}',
    ["type 2"],
  ],
  [
    "another property than that with an empty list of types",
    { properties: { a: { type: [] }, b: { type: "string" } } },
    '{"a": 1, "b": 2}',
    ["type 2"],
  ],
  ["other rules of the same value", { minLength: 3, pattern: "[" }, '"ab"', ['minLength "ab"']],
  [
    "missing and unknown properties",
    { required: ["b"], properties: { a: { enum: 5 } }, additionalProperties: false },
    '{"a": 1, "c": 2}',
    ["required {", 'additionalProperties "c"'],
  ],
  [
    "properties beside an external reference",
    { properties: { a: { $ref: "https://example.com/a" }, b: { type: "null" } } },
    '{"a": 1, "b": 1}',
    ["type 1"],
  ],
  ["parts of allOf", { allOf: [{ minimum: "1" }, { maximum: 1 }] }, "2", ["maximum 2"]],
  [
    "items, behind a definition",
    { items: { $ref: "#/$defs/a" }, $defs: { a: { type: "string", maxLength: -1 } } },
    "[1]",
    ["type 1"],
  ],
  ["nothing by “not”", { not: { minimum: "5", type: "number" } }, "1", []],
  // biome-ignore lint/suspicious/noThenProperty: the JSON Schema keyword
  ["nothing by a condition", { if: { minimum: "5" }, then: false, else: false }, "1", []],
  ["nothing by oneOf", { oneOf: [{ type: "strng" }, { type: "number" }] }, "1", []],
  ["nothing by anyOf", { anyOf: [{ minimum: "5", type: "string" }, { type: "null" }] }, "1", []],
  [
    "nothing by additionalProperties beside broken properties",
    { properties: 5, additionalProperties: false },
    '{"a": 1}',
    [],
  ],
  [
    "nothing by additionalItems beside broken items",
    { $schema: "http://json-schema.org/draft-07/schema", items: [], additionalItems: false },
    "[1]",
    [],
  ],
  ["nothing by unevaluatedItems", { prefixItems: 5, unevaluatedItems: false }, "[1]", []],
  ["nothing by “contains”", { contains: true, minContains: "0" }, "[]", []],
  [
    "nothing by additionalProperties beside a broken pattern",
    additional({ "[": true }),
    '{"a": 1}',
    [],
  ],
  ["nothing by items beside broken prefixItems", { prefixItems: 1, items: false }, "[1]", []],
  [
    "nothing by unevaluatedProperties",
    { allOf: [{ properties: 5 }], unevaluatedProperties: false },
    '{"a": 1}',
    [],
  ],
];

function additional(patternProperties: object) {
  return { patternProperties, additionalProperties: false };
}

const broken: Readonly<Record<string, readonly unknown[]>> = {
  type: ["strng", 5],
  enum: [5],
  pattern: ["[", 5],
  required: ["a", [5]],
  properties: [5, { a: 5 }],
  patternProperties: [5, { a: 5 }],
  dependentRequired: [5, { a: 5 }],
  dependentSchemas: [5, { a: 5 }],
  $ref: ["#/$defs/nowhere", "https://example.com/x", "#/$defs", 5],
  multipleOf: [0, "1"],
  uniqueItems: ["yes"],
};
for (const keyword of ["allOf", "anyOf", "oneOf", "prefixItems"]) {
  Object.assign(broken, { [keyword]: [[], [5], 5] });
}
for (const keyword of ["not", "if", "then", "else", "items", "contains", "propertyNames"]) {
  Object.assign(broken, { [keyword]: [5] });
}
for (const keyword of ["additionalProperties", "unevaluatedProperties", "unevaluatedItems"]) {
  Object.assign(broken, { [keyword]: ["no"] });
}
for (const kind of ["Length", "Items", "Contains", "Properties"]) {
  Object.assign(broken, { [`min${kind}`]: ["1", -1], [`max${kind}`]: ["1", 1.5] });
}
for (const keyword of ["minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum"]) {
  Object.assign(broken, { [keyword]: ["1", true] });
}

/** Lists every keyword of a schema that can be broken, as the object that has it and its name. */
function keywordsIn(value: unknown): [JsonObject, string][] {
  if (Array.isArray(value)) return value.flatMap(keywordsIn);
  if (!isJsonObject(value)) return [];
  const here = Object.keys(value).filter((keyword) => Object.hasOwn(broken, keyword));
  return [
    ...here.map((keyword): [JsonObject, string] => [value, keyword]),
    ...Object.entries(value).flatMap(([keyword, below]) =>
      keyword === "const" || keyword === "enum" || keyword === "default" ? [] : keywordsIn(below),
    ),
  ];
}

/** Breaks one keyword of a copy of a schema; undefined if it has none. */
function breakOne(schema: unknown, which: number): unknown {
  const copy: unknown = structuredClone(schema);
  const all = keywordsIn(copy);
  const [holder, keyword] = all[which % Math.max(1, all.length)] ?? [];
  if (holder === undefined || keyword === undefined) return undefined;
  const values = broken[keyword] ?? [];
  holder[keyword] = values[Math.floor(which / all.length) % values.length] as JsonValue;
  return copy;
}

describe("a schema with a part that cannot be applied", () => {
  for (const [what, schema, text, expected] of cases) {
    it(`still reports ${what}, and is never valid`, () => {
      const compiled = compileSchema(testableSchema(schema));
      const { state, problems, reason } = checkPayload(text, compiled, english);
      assert.equal(state, "unchecked");
      assert.equal(problems[0]?.code, "unchecked");
      assert.equal(problems[0]?.message, reason);
      const found = problems
        .slice(1)
        .map(({ code, start, end }) => `${code} ${text.slice(start, end)}`);
      assert.deepEqual(found, expected);
    });
  }

  it("reports invalid JSON before anything else", () => {
    const { state } = checkPayload(
      '{"a": 1,}',
      compileSchema(testableSchema({ type: "strng" })),
      english,
    );
    assert.equal(state, "invalid");
  });

  it("counts the other parts that cannot be applied", () => {
    const compiled = compileSchema(testableSchema({ type: "strng", pattern: "(", items: 5 }));
    const { reason } = checkPayload("1", compiled, english);
    assert.match(reason ?? "", /"type" must be .* 3 such reasons in all/);
  });

  it("rejects nothing that the whole schema would allow, whatever part is broken", () => {
    let found = 0;
    fc.assert(
      fc.property(
        arbitrarySchema,
        fc.array(arbitraryValue, { minLength: 3, maxLength: 6 }),
        fc.nat(),
        (schema, values, which) => {
          const lacking = breakOne(schema, which);
          if (lacking === undefined) return;
          const [whole, partial] = [
            compileSchema(testableSchema(schema)),
            compileSchema(testableSchema(lacking)),
          ];
          if (partial.kind === "refused") return;
          for (const value of values) {
            const text = JSON.stringify(value);
            const { state, problems } = checkPayload(text, partial, english);
            if (partial.gap !== undefined) assert.equal(state, "unchecked");
            const errors = problems.filter(({ severity }) => severity === "error");
            if (errors.length === 0) continue;
            found += 1;
            const told = JSON.stringify([schema, lacking, value]);
            assert.notEqual(checkPayload(text, whole, english).state, "valid", told);
          }
        },
      ),
      { numRuns: propertyRuns(1_000) },
    );
    assert.ok(found > propertyRuns(80), `${found} texts had something to tell`);
  });
});
