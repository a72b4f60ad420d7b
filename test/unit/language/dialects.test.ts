import assert from "node:assert/strict";
import { describe, it } from "mocha";
import { testableSchema } from "../../../src/core/schema/read/testableSchema";
import { english } from "../../../src/core/text/language";
import { checkPayload } from "../../../src/language/checkPayload";
import { compileSchema } from "../../../src/language/compileSchema";
import { uris } from "./dialectUris";

type Case = [schema: object, good: readonly string[], bad: readonly string[]];

/** Rules in spellings of older dialects, in schemas that declare no dialect. */
const undeclared: Case[] = [
  [{ items: [{ type: "null" }] }, ["[]", "[null]", "[null,1]"], ["[1]"]],
  [{ items: [{}], additionalItems: false }, ["[1]"], ["[1,2]"]],
  [{ minimum: 1, exclusiveMinimum: true }, ["2"], ["1"]],
  [{ maximum: 1, exclusiveMaximum: false, exclusiveMinimum: true }, ["1"], ["2"]],
  [
    { properties: { a: { required: true, type: "string" }, b: { required: false } } },
    ['{"a":"x"}'],
    ["{}", '{"a":1}'],
  ],
  [
    { required: ["b"], properties: { a: { required: true } } },
    ['{"a":1,"b":1}'],
    ['{"a":1}', '{"b":1}'],
  ],
  [
    { $id: "http://a/b", properties: { a: { $id: "c", items: [false] } } },
    ['{"a":[]}'],
    ['{"a":[1]}'],
  ],
  [
    {
      properties: { a: { $id: "http://a/b", $schema: uris["06"], items: [false], prefixItems: 1 } },
    },
    ['{"a":[]}'],
    ['{"a":[1]}'],
  ],
];

const cases: Record<keyof typeof uris, Case[]> = {
  "04": [
    [{ minimum: 1, exclusiveMinimum: true }, ["1.1", '"x"'], ["1", "0"]],
    [{ maximum: 3, exclusiveMaximum: false }, ["3"], ["3.1"]],
    [
      { id: "http://a/b", definitions: { x: { id: "#y", type: "null" } }, items: { $ref: "#y" } },
      ["[null]"],
      ["[1]"],
    ],
    [
      {
        id: "http://a/b/",
        items: { id: "c/", items: { $ref: "d" } },
        definitions: { d: { id: "c/d", type: "integer" } },
      },
      ["[[1]]"],
      ['[["x"]]'],
    ],
    [
      { $ref: "#/definitions/a", type: "string", definitions: { a: { type: "null" } } },
      ["null"],
      ['"x"'],
    ],
    [
      { const: 1, contains: { const: 1 }, propertyNames: { maxLength: 1 } },
      ["2", "[]", '{"ab":1}'],
      [],
    ],
    [{ items: [{ type: "null" }], additionalItems: false }, ["[null]", "[]"], ["[1]", "[null,1]"]],
    [
      { dependencies: { a: ["b"], c: { required: ["d"] } } },
      ['{"a":1,"b":1}', "{}"],
      ['{"a":1}', '{"c":1}'],
    ],
    [
      { properties: { a: { $ref: "http://json-schema.org/draft-04/schema#" } } },
      ['{"a":{"type":"string"}}'],
      ['{"a":{"type":1}}'],
    ],
  ],
  "06": [
    [{ exclusiveMinimum: 1, exclusiveMaximum: 3 }, ["2"], ["1", "3"]],
    [{ properties: { a: false, b: true } }, ['{"b":1}'], ['{"a":1}']],
    [{ contains: { minimum: 5 } }, ["[1,5]", "{}"], ["[]", "[4]"]],
    [{ propertyNames: { pattern: "^a" } }, ['{"ab":1}'], ['{"b":1}']],
    [JSON.parse('{"if":false,"then":false,"else":false}'), ["1"], []],
    [{ const: { a: [1.0] } }, ['{"a":[1]}'], ['{"a":[true]}', '{"a":[1],"b":1}']],
    [
      { definitions: { x: { $id: "#y", type: "null" } }, items: { $ref: "#y" } },
      ["[null]"],
      ["[1]"],
    ],
  ],
  "07": [
    [
      JSON.parse('{"if":{"type":"number"},"then":{"minimum":1},"else":{"minLength":2}}'),
      ["1", '"ab"'],
      ["0", '"a"'],
    ],
    [
      {
        $defs: { a: { $id: "http://a/x" } },
        unevaluatedProperties: false,
        minContains: 5,
        contains: {},
      },
      ['{"a":1}', "[1]"],
      ["[]"],
    ],
    [
      { items: [{ type: "null" }], additionalItems: { type: "string" } },
      ['[null,"a"]'],
      ["[null,1]"],
    ],
    [{ additionalItems: false }, ["[1]"], []],
    [
      { allOf: [{ $ref: "#/definitions/a", maximum: 1 }], definitions: { a: { minimum: 2 } } },
      ["3"],
      ["1"],
    ],
  ],
  "2019": [
    [{ items: [{ type: "null" }], additionalItems: false }, ["[null]"], ["[null,1]"]],
    [{ $ref: "#/$defs/a", maximum: 3, $defs: { a: { minimum: 2 } } }, ["3"], ["1", "4"]],
    [{ contains: { const: 1 }, minContains: 0, maxContains: 1 }, ["[]", "[1,2]"], ["[1,1]"]],
    [
      { dependentRequired: { a: ["b"] }, dependentSchemas: { c: { maxProperties: 1 } } },
      ['{"b":1}'],
      ['{"a":1}', '{"c":1,"d":1}'],
    ],
    [
      { allOf: [{ properties: { a: true } }], unevaluatedProperties: false },
      ['{"a":1}'],
      ['{"b":1}'],
    ],
    [
      {
        anyOf: [{ required: ["a"], properties: { a: true } }, { properties: { b: true } }],
        unevaluatedProperties: { type: "null" },
      },
      ['{"a":1,"b":1}', '{"c":null}'],
      ['{"a":1,"c":1}'],
    ],
    [{ items: [true], unevaluatedItems: false }, ["[1]"], ["[1,2]"]],
    [{ contains: { const: 1 }, unevaluatedItems: { type: "string" } }, [], ["[1]"]],
    [
      { $anchor: "top", properties: { a: { $ref: "#top" } }, additionalProperties: false },
      ['{"a":{"a":{}}}'],
      ['{"a":{"b":1}}'],
    ],
    [
      {
        $id: "http://a/tree",
        $recursiveAnchor: true,
        properties: { child: { $recursiveRef: "#" } },
        required: ["name"],
      },
      ['{"name":1,"child":{"name":2}}'],
      ['{"name":1,"child":{}}'],
    ],
    [
      {
        $id: "http://a/strict",
        $recursiveAnchor: true,
        $ref: "tree",
        unevaluatedProperties: false,
        $defs: {
          tree: {
            $id: "tree",
            $recursiveAnchor: true,
            properties: { child: { $recursiveRef: "#" } },
          },
        },
      },
      ['{"child":{"child":{}}}'],
      ['{"child":{"chidl":{}}}'],
    ],
    [{ prefixItems: [false], $dynamicRef: "#x" }, ["[1]"], []],
    [
      {
        $ref: "#/$defs/a",
        $recursiveRef: "#/$defs/b",
        $defs: { a: { type: "object" }, b: { required: ["x"] } },
      },
      ['{"x":1}'],
      ["{}", "1"],
    ],
  ],
  "2020": [
    [{ prefixItems: [{ type: "null" }], items: false }, ["[null]", "[]"], ["[null,1]"]],
    [
      { prefixItems: [{ type: "null" }], contains: { type: "string" } },
      ['[null,"a"]'],
      ["[]", "[null]"],
    ],
    [{ prefixItems: [true, true], minContains: 1, contains: false, uniqueItems: true }, [], ["[]"]],
    [
      { contains: { const: 1 }, unevaluatedItems: { type: "string" } },
      ["[1]", '[1,"a"]'],
      ["[1,2]"],
    ],
    [{ additionalItems: false, items: true }, ["[1]"], []],
    [{ type: ["integer"], multipleOf: 0.01 }, ["1", "4.0"], ["1.5"]],
    [{ multipleOf: 0.0001 }, ["0.0075", "1e300"], ["0.00751"]],
    [{ multipleOf: 0.3 }, ["0.9", "-0.9", "0"], ["1"]],
    [{ minLength: 2, maxLength: 2 }, ['"😀😀"', '"\\ud83d\\ud83d"'], ['"😀"']],
    [{ pattern: "^\\p{Lu}.$" }, ['"Éa"', '"É😀"'], ['"éa"']],
    [{ pattern: "^\\S$" }, ['"a"'], ['"\\ufeff"', '"\\u2003"']],
    [
      { enum: [{ valueOf: 1 }, { constructor: {} }, [{}]] },
      ['{"valueOf":1}', '{"constructor":{}}', "[{}]"],
      ["{}", "[[]]"],
    ],
    [
      { uniqueItems: true },
      ['[1,"1",true,[1],{"a":1},{"a":"1"}]'],
      ['[{"a":1,"b":2},{"b":2,"a":1}]', "[1,1.0]"],
    ],
    [{ enum: [0, "", null, false] }, ["-0", "0.0"], ["[]", "{}"]],
    [{ type: "string", nullable: true }, ['"a"'], ["null"]],
    [
      { properties: { toString: { type: "string" }, constructor: { type: "null" } } },
      ["{}"],
      ['{"toString":1}', '{"constructor":1}'],
    ],
    [{ required: ["toString"] }, ['{"toString":1}'], ["{}"]],
    [JSON.parse('{"required":["__proto__"]}'), ['{"__proto__":1}'], ["{}"]],
    [
      JSON.parse('{"properties":{"__proto__":{"type":"string"}}}'),
      ['{"__proto__":"a"}', "{}"],
      ['{"__proto__":1}'],
    ],
    [{ additionalProperties: false, properties: { a: true } }, ['{"a":1}'], ['{"__proto__":1}']],
    [{ dependentRequired: { constructor: ["a"] } }, ["{}"], ['{"constructor":1}']],
    [{ type: "integer" }, ["1e400", "9007199254740993"], ["1.5"]],
    [
      { $ref: "https://json-schema.org/draft/2020-12/schema" },
      ['{"type":"string"}'],
      ['{"type":1}', '{"items":{"minLength":-1}}'],
    ],
    [
      {
        $id: "http://a/list",
        $ref: "inner",
        $comment: "the outer anchor wins",
        $defs: {
          item: { $dynamicAnchor: "item", type: "string" },
          inner: {
            $id: "inner",
            $defs: { item: { $dynamicAnchor: "item" } },
            items: { $dynamicRef: "#item" },
          },
        },
      },
      ['["a"]'],
      ["[1]"],
    ],
    [
      {
        $ref: "#/$defs/a",
        $dynamicRef: "#b",
        $defs: { a: { type: "object" }, b: { $dynamicAnchor: "b", required: ["x"] } },
      },
      ['{"x":1}'],
      ["{}", "1"],
    ],
    [
      {
        $ref: "#/$defs/a",
        $dynamicRef: "#/$defs/b",
        $defs: { a: { type: "object" }, b: { required: ["x"] } },
      },
      ['{"x":1}'],
      ["{}", "1"],
    ],
    [
      {
        $id: "http://a/list",
        $ref: "inner",
        $defs: {
          item: { $dynamicAnchor: "item", type: "string" },
          inner: {
            $id: "inner",
            $defs: { item: { $dynamicAnchor: "item" }, list: { type: "array" } },
            items: { $ref: "#/$defs/item", $dynamicRef: "#item" },
          },
        },
      },
      ['["a"]'],
      ["[1]"],
    ],
  ],
};

describe("the dialects of JSON Schema", () => {
  for (const [name, list] of Object.entries(cases)) {
    for (const [schema, good, bad] of list) {
      const $schema = uris[name as keyof typeof uris];
      it(`apply as in ${name}: ${JSON.stringify(schema).slice(0, 120)}`, () => {
        const compiled = compileSchema(testableSchema({ $schema, ...schema }));
        for (const text of good)
          assert.equal(checkPayload(text, compiled, english).state, "valid", text);
        for (const text of bad)
          assert.equal(checkPayload(text, compiled, english).state, "invalid", text);
      });
    }
  }

  for (const [schema, good, bad] of undeclared) {
    it(`apply if none is declared: ${JSON.stringify(schema).slice(0, 120)}`, () => {
      const compiled = compileSchema(testableSchema(schema));
      for (const text of good)
        assert.equal(checkPayload(text, compiled, english).state, "valid", text);
      for (const text of bad)
        assert.equal(checkPayload(text, compiled, english).state, "invalid", text);
    });
  }

  it("include 2020-12 for a schema without one", () => {
    const compiled = compileSchema(testableSchema({ prefixItems: [{ type: "null" }] }));
    assert.equal(checkPayload("[1]", compiled, english).state, "invalid");
  });

  it("have names that are read in every spelling", () => {
    for (const name of [
      "http://json-schema.org/draft-07/schema",
      "https://json-schema.org/draft-07/schema#",
    ]) {
      const compiled = compileSchema(testableSchema({ $schema: name, prefixItems: [false] }));
      assert.equal(checkPayload("[1]", compiled, english).state, "valid");
    }
  });

  it("ignore parts that the root does not reach", () => {
    const compiled = compileSchema(
      testableSchema({
        type: "null",
        $defs: { a: { $ref: "http://example.com/x" } },
      }),
    );
    assert.equal(checkPayload("null", compiled, english).state, "valid");
  });
});
