import assert from "node:assert/strict";
import fc from "fast-check";
import { describe, it } from "mocha";
import { testableSchema } from "../../../../../src/core/schema/read/testableSchema";
import {
  type SamplePayloadOptions,
  samplePayload,
} from "../../../../../src/core/schema/sample/samplePayload";
import { english } from "../../../../../src/core/text/language";
import { checkPayload } from "../../../../../src/language/checkPayload";
import { compileSchema } from "../../../../../src/language/compileSchema";
import { propertyRuns } from "../../../../fixtures/propertyRuns";
import { arbitrarySchema } from "../../../language/arbitrarySchema";

const person = {
  type: "object",
  required: ["name", "email", "age", "tags", "kind", "address"],
  additionalProperties: false,
  properties: {
    nick: { type: "string", default: "Jo" },
    name: { type: "string", minLength: 1 },
    email: { type: "string", format: "email" },
    age: { type: "integer", minimum: 18 },
    tags: { type: "array", items: { type: "string" }, minItems: 2, uniqueItems: true },
    kind: { enum: ["staff", "guest"] },
    address: { $ref: "#/$defs/address" },
    parent: { $ref: "#" },
  },
  $defs: {
    address: {
      type: "object",
      required: ["zip"],
      properties: {
        zip: { type: "string", pattern: "^\\d{5}$" },
        street: { type: "string", examples: ["Long Street 1"] },
      },
    },
  },
};

describe("samplePayload", () => {
  it("contains required properties in the schema's order", () => {
    assert.deepEqual(samplePayload(testableSchema(person), { mode: "minimal" }, english), {
      value: {
        name: "x",
        email: "name@example.com",
        age: 18,
        tags: ["", "example"],
        kind: "staff",
        address: { zip: "00000" },
      },
      notes: [],
    });
  });

  it("has all items of an alternative if fewer items would match several alternatives", () => {
    const schema = testableSchema({
      type: "array",
      oneOf: [{ prefixItems: [true, { const: "a" }] }, { prefixItems: [true, { const: "b" }] }],
    });
    const { value, notes } = samplePayload(schema, { mode: "minimal" }, english);
    assert.deepEqual([(value as unknown[])[1], notes], ["a", []]);
  });

  it("contains every property in full mode, without circles", () => {
    const { value, notes } = samplePayload(testableSchema(person), { mode: "full" }, english);
    assert.deepEqual(notes, []);
    assert.deepEqual(Object.keys(value as object), [
      "nick",
      "name",
      "email",
      "age",
      "tags",
      "kind",
      "address",
    ]);
    assert.deepEqual(Reflect.get(value as object, "address"), {
      zip: "00000",
      street: "Long Street 1",
    });
  });

  it("uses values of an example that fit", () => {
    const examples = [{ name: "Ann", age: 3, nick: "A", address: { zip: "12345" } }];
    const { value } = samplePayload(testableSchema(person), { mode: "minimal", examples }, english);
    const { name, age, nick, address } = value as Record<string, unknown>;
    assert.deepEqual([name, age, nick, address], ["Ann", 18, undefined, { zip: "12345" }]);
  });

  it("starts from the first example that the schema accepts, unchanged", () => {
    const examples = [{ age: 3 }, { age: 30, nick: "B", more: [1] }, { age: 40 }];
    const schema = { required: ["age"], properties: { age: { minimum: 18 } } };
    const { value, notes } = samplePayload(
      testableSchema(schema),
      { mode: "example", examples },
      english,
    );
    assert.deepEqual([value, notes], [examples[1], []]);
    const none = samplePayload(
      testableSchema(schema),
      { mode: "example", examples: [{ age: 7 }] },
      english,
    );
    assert.deepEqual(none, { value: { age: 18 }, notes: [] });
  });

  it("keeps lists of an example whole, with optional properties of their items", () => {
    const schema = {
      required: ["rows"],
      properties: {
        rows: { type: "array", minItems: 2, items: { type: "object" } },
        header: { type: "boolean" },
      },
    };
    const rows = [{ name: "a" }, { name: "b" }];
    const options = { mode: "minimal", examples: [{ rows, header: true }] } as const;
    assert.deepEqual(samplePayload(testableSchema(schema), options, english).value, { rows });
  });

  const cases: [schema: unknown, value: unknown, mode?: SamplePayloadOptions["mode"]][] = [
    [true, {}],
    [{}, {}],
    [{ type: "string" }, ""],
    [{ type: ["null", "integer"] }, 0],
    [{ type: "string", examples: ["a", "b"], default: "c" }, "a"],
    [{ type: "string", default: "c" }, "c"],
    [{ type: "string", default: 7, enum: ["d"] }, "d"],
    [{ const: { a: 1 } }, { a: 1 }],
    [{ type: "string", minLength: 3 }, "xxx"],
    [{ type: "string", minLength: 8, pattern: "^(?=.*\\d)(?=.*[a-z])(?=.*[A-Z]).*$" }, "Aa1!Aa1!"],
    [{ type: "string", pattern: "^[A-Z]{2}-\\d{2,3}$" }, "AA-00"],
    [{ type: "string", minLength: 6, pattern: "^a+$" }, "aaaaaa"],
    [{ type: "string", format: "uuid" }, "00000000-0000-4000-8000-000000000000"],
    [{ type: "number", exclusiveMinimum: 0, maximum: 0.2 }, 0.1],
    [{ type: "number", minimum: 0.25, multipleOf: 0.1 }, 0.3],
    [{ type: "integer", minimum: 7, multipleOf: 5 }, 10],
    [{ type: "number", not: { maximum: 0 } }, 1],
    [{ type: "integer", maximum: -7, multipleOf: 5 }, -10],
    [{ allOf: [{ multipleOf: 4 }, { multipleOf: 6 }, { exclusiveMinimum: 0 }] }, 12],
    [{ type: "array", minItems: 2, items: { type: "boolean" }, uniqueItems: true }, [false, true]],
    [{ type: "array", prefixItems: [{ type: "null" }, { const: 2 }], minItems: 2 }, [null, 2]],
    [
      { type: "array", items: { type: "integer" }, contains: { minimum: 5 }, minContains: 2 },
      [5, 5],
    ],
    [{ type: "array", items: { type: "string" } }, [""], "full"],
    [
      { type: "object", minProperties: 2, additionalProperties: { type: "null" } },
      { property1: null, property2: null },
    ],
    [
      {
        type: "object",
        minProperties: 1,
        patternProperties: { "^x-": { type: "null" } },
        additionalProperties: false,
      },
      { "x-": null },
    ],
    [
      {
        type: "object",
        required: ["a"],
        dependentRequired: { a: ["b"] },
        properties: { b: { const: 1 } },
      },
      { b: 1, a: {} },
    ],
    [{ oneOf: [{ const: 1, not: {} }, { type: "null" }] }, null],
    [{ anyOf: [{ type: "string", maxLength: -0, minLength: 1 }, { type: "array" }] }, []],
    [
      {
        type: "object",
        required: ["next"],
        properties: { next: { anyOf: [{ $ref: "#" }, { type: "null" }] } },
      },
      { next: null },
    ],
    [JSON.parse('{"type":"object","required":["__proto__"]}'), JSON.parse('{"__proto__":{}}')],
    [
      JSON.parse('{"if":{"required":["a"]},"then":{"required":["b"]},"required":["a"]}'),
      { a: {}, b: {} },
    ],
    [
      JSON.parse(`{
        "required": ["by"],
        "properties": { "by": { "enum": ["mail", "post"] } },
        "allOf": [
          { "if": { "properties": { "by": { "const": "mail" } } }, "then": { "required": ["to"] } },
          { "if": { "properties": { "by": { "const": "post" } } }, "then": { "required": ["at"] } }
        ]
      }`),
      { by: "mail", to: {} },
    ],
  ];
  for (const [schema, value, mode = "minimal"] of cases) {
    it(`returns ${JSON.stringify(value)}, ${mode}, for ${JSON.stringify(schema)}`, () => {
      assert.deepEqual(samplePayload(testableSchema(schema), { mode }, english), {
        value,
        notes: [],
      });
    });
  }

  const impossible: [schema: unknown, notes: number][] = [
    [false, 1],
    [{ type: "string", minLength: 2, maxLength: 1 }, 1],
    [{ type: "object", required: ["a"], properties: { a: false } }, 1],
    [{ type: "object", required: ["a"], properties: { a: { $ref: "#" } } }, 1],
    [{ $ref: "#" }, 1],
    [{ $ref: "http://example.com/x" }, 1],
    [{ type: "string", pattern: "(a)\\1b" }, 1],
    [
      { type: "object", required: ["a"], properties: { a: { type: "string", pattern: "[a-z" } } },
      1,
    ],
    [{ type: "array", minItems: 1_000_000_000 }, 1],
    [{ type: "string", minLength: 1_000_000_000 }, 1],
    [7, 1],
  ];
  for (const [schema, count] of impossible) {
    it(`notes impossible rules: ${JSON.stringify(schema)}`, () => {
      assert.equal(
        samplePayload(testableSchema(schema), { mode: "full" }, english).notes.length,
        count,
      );
    });
  }

  it("omits parts beyond its budget, without a placeholder", () => {
    const row = Object.fromEntries(
      Array.from({ length: 60 }, (_, index) => [`c${index}`, { type: "string", minLength: 3 }]),
    );
    const properties = Object.fromEntries(
      Array.from({ length: 250 }, (_, index) => [
        `p${index}`,
        { type: "object", required: ["c1"], properties: row },
      ]),
    );
    const { value, notes } = samplePayload(
      testableSchema({ type: "object", required: ["p0"], properties }),
      { mode: "full" },
      english,
    );
    assert.deepEqual(notes, []);
    assert.ok(Object.keys(value as object).length > 20);
    assert.doesNotMatch(JSON.stringify(value), /null|""/);
  });

  it("prefers a value to null if both are allowed", () => {
    const schema = {
      required: ["a"],
      properties: { a: { anyOf: [{ type: "null" }, { const: 1 }] } },
    };
    assert.deepEqual(samplePayload(testableSchema(schema), { mode: "full" }, english).value, {
      a: 1,
    });
  });

  it("ends on schemas that branch and circle without limit", () => {
    const branch = {
      anyOf: [{ $ref: "#" }, { $ref: "#" }, { type: "object", required: ["a", "b"] }],
    };
    const schema = {
      type: "object",
      required: ["a", "b"],
      properties: { a: branch, b: branch },
      not: { required: ["a"] },
    };
    assert.notDeepEqual(samplePayload(testableSchema(schema), { mode: "full" }, english).notes, []);
  });

  it("returns a value that the schema accepts, unless it adds a note", () => {
    let accepted = 0;
    fc.assert(
      fc.property(arbitrarySchema, fc.constantFrom("minimal", "full"), (schema, mode) => {
        const { value, notes } = samplePayload(testableSchema(schema), { mode }, english);
        if (notes.length > 0) return;
        accepted += 1;
        const { state } = checkPayload(
          JSON.stringify(value),
          compileSchema(testableSchema(schema)),
          english,
        );
        assert.equal(state, "valid");
      }),
      { numRuns: propertyRuns(1500) },
    );
    assert.ok(accepted > propertyRuns(1000), `only ${accepted} schemas`);
  });
});
