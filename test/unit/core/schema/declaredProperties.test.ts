import assert from "node:assert/strict";
import { describe, it } from "mocha";
import type { JsonObject, JsonValue } from "../../../../src/core/json/jsonValue";
import { declaredProperties } from "../../../../src/core/schema/declaredProperties";
import { readSchema } from "../../../../src/core/schema/read/readSchema";

const text = { type: "string" };
const number = { type: ["integer", "null"] };
const of = (properties: JsonObject) => ({ type: "object", properties });
const declared = (schema: JsonValue, ...names: readonly string[]) =>
  [...declaredProperties(readSchema(schema), names)]
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

/** Schemas as APIs publish them: a body by reference, a base with its extension, a choice by kind. */
const cases: readonly [string, JsonValue, readonly string[], string][] = [
  [
    "its own properties",
    of({ a: text, b: number, c: true }),
    [],
    "a: string, b: integer|null, c: ",
  ],
  [
    "those of a reference",
    { $ref: "#/$defs/body", $defs: { body: of({ to: { $ref: "#/$defs/mail" } }), mail: text } },
    [],
    "to: string",
  ],
  [
    "those of a base and its extension",
    {
      allOf: [{ $ref: "#/definitions/base" }, of({ size: number })],
      definitions: { base: of({ id: text }) },
    },
    [],
    "id: string, size: integer|null",
  ],
  [
    "a type that the reference beside it says",
    { allOf: [of({ a: true }), of({ a: text })] },
    [],
    "a: string",
  ],
  ["of a choice, what is like the value", byKind, ["path"], "kind: string, path: string"],
  ["of a choice, the smallest of equals", byKind, ["url"], "kind: string, url: string"],
  [
    "of a choice, most of the value",
    byKind,
    ["url", "user"],
    "kind: string, url: string, depth: integer|null, user: string",
  ],
  [
    "of a condition, the outcome like the value",
    JSON.parse(
      '{"if": {"required": ["a"]}, "then": {"properties": {"b": {}}}, "else": {"properties": {"c": {"type": "string"}}}}',
    ),
    ["c"],
    "c: string",
  ],
  [
    "what a given property asks for",
    { dependentSchemas: { a: of({ b: text }) } },
    ["a"],
    "b: string",
  ],
  [
    "nothing for a property that is not given",
    { dependentSchemas: { a: of({ b: text }) } },
    ["c"],
    "",
  ],
  ["nothing of what is inside a list", { type: "array", items: of({ a: text }) }, [], ""],
  ["nothing of what allows anything", true, ["a"], ""],
];

describe("The properties that a schema declares", () => {
  for (const [what, schema, names, expected] of cases) {
    it(`are ${what}`, () => {
      assert.equal(declared(schema, ...names), expected);
    });
  }

  it("are found in a schema that contains itself in each branch", () => {
    const self = { $ref: "#" };
    const schema = {
      ...of({ a: text }),
      oneOf: Array.from({ length: 50 }, () => ({ anyOf: [self, of({ b: self })] })),
    };
    assert.equal(declared(schema, "b"), "a: string, b: object");
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
    // Without a bound this never ends.
    assert.match(declared(schema, "end"), /^p0: string, p1: string/);
  });
});
