import assert from "node:assert/strict";
import Ajv2020 from "ajv/dist/2020";
import { describe, it } from "mocha";
import { isJsonObject, type JsonObject, type JsonValue } from "../../../../src/core/json/jsonValue";
import { type Keyword, keywordNames } from "../../../../src/core/schema/keywords";
import {
  keywordsNotInTools,
  portableSchema,
  whyNotPortable,
} from "../../../../src/core/schema/portableSchema";
import { testableSchema } from "../../../../src/core/schema/read/testableSchema";
import { writtenName } from "../../../../src/core/schema/writeSchema";
import { compileSchema } from "../../../../src/language/compileSchema";
import { keywordSamples } from "../../../fixtures/keywordSamples";

const draft07 = "http://json-schema.org/draft-07/schema#";
const object = (members: JsonObject): JsonObject => ({ type: "object", ...members });
const property = (a: JsonValue) => object({ properties: { a } });

describe("the schema of a tool for one skill", () => {
  const kept: readonly (readonly [string, JsonObject, JsonObject])[] = [
    ["a plain object", property({ type: "string" }), property({ type: "string" })],
    [
      "a reference within",
      object({
        definitions: { b: { title: "B" } },
        properties: { a: { $ref: "#/definitions/b" } },
      }),
      object({ properties: { a: { $ref: "#/$defs/b" } }, $defs: { b: { title: "B" } } }),
    ],
    ["a reference to itself", property({ $ref: "#" }), property({ $ref: "#" })],
    [
      "identifiers and a dialect",
      { $id: "https://a.example/s", $schema: draft07, ...property({ $id: "b", type: "null" }) },
      property({ type: "null" }),
    ],
    [
      "a reference by an identifier",
      { $id: "https://a.example/s", ...property({ $ref: "/s#b" }), $defs: { x: { $anchor: "b" } } },
      { ...property({ $ref: "#/$defs/x" }), $defs: { x: {} } },
    ],
    [
      "spellings of older drafts",
      {
        $schema: "http://json-schema.org/draft-04/schema#",
        ...property({ type: "array", items: [{ minimum: 1, exclusiveMinimum: true }] }),
      },
      property({ type: "array", prefixItems: [{ exclusiveMinimum: 1 }], items: {} }),
    ],
    [
      "what stands twice in a list",
      property({
        type: ["null", "null"],
        dependentRequired: { a: ["b", "b"] },
        required: ["c", "c"],
      }),
      property({ type: "null", dependentRequired: { a: ["b"] }, required: ["c"] }),
    ],
    ["a list of anything", property({ type: "array" }), property({ type: "array", items: {} })],
    ["a boolean within", property(true), property({})],
    ["nothing allowed within", property(false), property({ not: {} })],
    [
      "no other properties",
      object({ additionalProperties: false }),
      object({ additionalProperties: false }),
    ],
    [
      "a keyword newer than its draft",
      { $schema: draft07, ...property({ minContains: 1 }) },
      property({}),
    ],
  ];
  for (const [name, schema, expected] of kept) {
    it(`has the same meaning for ${name}`, () =>
      assert.deepEqual(portableSchema(schema), expected));
  }

  const refused: readonly (readonly [string, unknown])[] = [
    ["no object", { type: "array" }],
    ["no stated type", { properties: {} }],
    ["true", true],
    ["alternatives at its root", object({ oneOf: [{}] })],
    ["a reference outside", property({ $ref: "other.json" })],
    [
      "a reference outside under a name pattern",
      object({ patternProperties: { a: { $ref: "o.json" } } }),
    ],
    ["a reference to a meta-schema", property({ $ref: draft07 })],
    ["a malformed keyword", property({ type: 5 })],
    ["a dialect that is not known", { $schema: "https://a.example/d", type: "object" }],
    ["a name that is long", object({ properties: { ["x".repeat(65)]: {} } })],
    ["a name of other letters", object({ properties: { "a b": {} } })],
  ];
  for (const [name, schema] of refused) {
    it(`does not exist for ${name}`, () =>
      assert.deepEqual(
        [portableSchema(schema as JsonValue), whyNotPortable(schema as JsonValue) === undefined],
        [undefined, false],
      ));
  }

  const withoutRoot = ["types", ...keywordsNotInTools];
  for (const keyword of keywordNames.filter((it) => !withoutRoot.includes(it))) {
    it(`keeps ${keyword} of a value`, () => {
      const [value, , , beside = {}] = keywordSamples[keyword];
      const written = portableSchema(property({ ...beside, [keyword]: value }));
      const a = (written?.["properties"] as JsonObject | undefined)?.["a"];
      assert.ok(isJsonObject(a) && Object.hasOwn(a, keyword));
    });
  }

  it("fits the meta-schema, whatever the values of its keywords, or does not exist", () => {
    const ajv = new Ajv2020({ strict: false });
    const lists = [[], ["a", "a"], ["null", "null"], [1], [{}, {}], [true]];
    const objects = [{}, { a: ["x", "x"] }, { a: {} }, { a: 1 }, { "(": {} }];
    const values = [...lists, ...objects, "", "(", "null", 0, -1, 1.5, null, true, false];
    for (const keyword of keywordNames.map(writtenName)) {
      for (const value of values as readonly JsonValue[]) {
        const written = portableSchema(property({ [keyword]: value }));
        const fits = written === undefined || ajv.validateSchema(written);
        assert.ok(fits, `${keyword}: ${JSON.stringify(value)}: ${ajv.errorsText()}`);
      }
    }
  });

  it("keeps types, writes example as examples, and drops errorMessage", () => {
    const schema = property({ type: ["string", "null"], example: "x", errorMessage: "no" });
    const expected = property({ type: ["string", "null"], examples: ["x"] });
    assert.deepEqual(portableSchema(schema), expected);
    assert.deepEqual([...keywordsNotInTools], ["errorMessage", "example"] satisfies Keyword[]);
  });

  it("can be compiled, and stays the same when written again", () => {
    const some = property({ anyOf: [{ $ref: "#/definitions/a" }, { type: "array" }] });
    const once = portableSchema({ ...some, definitions: { a: { pattern: "^a" } } });
    assert.deepEqual(portableSchema(once), once);
    assert.equal(compileSchema(testableSchema(once)).kind, "ready");
  });
});
