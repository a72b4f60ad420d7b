import assert from "node:assert/strict";
import { describe, it } from "mocha";
import { declaredProperties } from "../../../../src/core/form/declaredProperties";
import type { JsonObject, JsonValue } from "../../../../src/core/json/jsonValue";
import { testableSchema } from "../../../../src/core/schema/read/testableSchema";

const text = { type: "string" };
const number = { type: ["integer", "null"] };
const of = (properties: JsonObject) => ({ type: "object", properties });
const declared = (schema: JsonValue, value: JsonValue) =>
  [...declaredProperties(testableSchema(schema), JSON.stringify(value))]
    .map(([name, types]) => `${name}: ${types}`)
    .join(", ");

const byKind = {
  ...of({ kind: text }),
  oneOf: [
    of({ kind: text, path: text }),
    of({ url: text, depth: number, user: text }),
    of({ url: text }),
  ],
};

/** Schemas as APIs publish them: a body by reference, a base with an extension, alternatives by kind. */
const cases: readonly [string, JsonValue, JsonValue, string][] = [
  [
    "its own properties",
    of({ a: text, b: number, c: true }),
    {},
    "a: string, b: integer|null, c: ",
  ],
  [
    "those of a reference",
    { $ref: "#/$defs/body", $defs: { body: of({ to: { $ref: "#/$defs/mail" } }), mail: text } },
    {},
    "to: string",
  ],
  [
    "those of a base and its extension",
    {
      allOf: [{ $ref: "#/definitions/base" }, of({ size: number })],
      definitions: { base: of({ id: text }) },
    },
    {},
    "id: string, size: integer|null",
  ],
  [
    "typed by the part of allOf that states a type",
    { allOf: [of({ a: true }), of({ a: text })] },
    {},
    "a: string",
  ],
  [
    "those of the alternative that the value resembles",
    byKind,
    { path: "a" },
    "kind: string, path: string",
  ],
  [
    "those of the first of equally similar alternatives",
    byKind,
    { url: "a" },
    "kind: string, url: string, depth: integer|null, user: string",
  ],
  [
    "those of the alternative with most of the value's properties",
    byKind,
    { url: "a", user: "b" },
    "kind: string, url: string, depth: integer|null, user: string",
  ],
  [
    "those of the branch of a condition that applies to the value",
    JSON.parse(
      '{"if": {"required": ["a"]}, "then": {"properties": {"b": {}}}, "else": {"properties": {"c": {"type": "string"}}}}',
    ),
    { c: "a" },
    "c: string",
  ],
  [
    "those that depend on a provided property",
    { dependentSchemas: { a: of({ b: text }) } },
    { a: "c" },
    "b: string",
  ],
  [
    "none that depend on a property that is not provided",
    { dependentSchemas: { a: of({ b: text }) } },
    { c: "a" },
    "",
  ],
  ["none of the items of a list", { type: "array", items: of({ a: text }) }, {}, ""],
  ["none of a schema that allows anything", true, { a: 1 }, ""],
];

describe("The properties that a schema declares", () => {
  for (const [what, schema, value, expected] of cases) {
    it(`are ${what}`, () => {
      assert.equal(declared(schema, value), expected);
    });
  }

  it("are found in a schema that contains itself in each branch", () => {
    const self = { $ref: "#" };
    const schema = {
      ...of({ a: text }),
      oneOf: Array.from({ length: 50 }, () => ({ anyOf: [self, of({ b: self })] })),
    };
    assert.match(declared(schema, { b: {} }), /^a: string/);
  });

  it("are found if branches branch repeatedly", () => {
    const levels = Object.fromEntries(
      Array.from({ length: 30 }, (_, level) => {
        const below = { $ref: `#/$defs/l${level + 1}` };
        return [
          `l${level}`,
          {
            ...of({ [`p${level}`]: text }),
            oneOf: [
              { ...below, title: "1" },
              { ...below, title: "2" },
            ],
          },
        ];
      }),
    );
    const schema = { $ref: "#/$defs/l0", $defs: { ...levels, l30: of({ end: text }) } };
    // Without a limit, this would never end.
    assert.match(declared(schema, { end: "a" }), /^p0: string, p1: string/);
  });
});
