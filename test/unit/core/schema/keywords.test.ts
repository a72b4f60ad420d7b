import assert from "node:assert/strict";
import { describe, it } from "mocha";
import type { JsonObject, JsonValue } from "../../../../src/core/json/jsonValue";
import { schemaChanges } from "../../../../src/core/schema/compare/schemaChanges";
import { evaluateSchema } from "../../../../src/core/schema/evaluate/evaluateSchema";
import { describeFailure } from "../../../../src/core/schema/explain/describeFailure";
import {
  type DecidingKeyword,
  decidingKeywords,
  type Keyword,
  keywordNames,
  rowOf,
} from "../../../../src/core/schema/keywords";
import { readLeniently, readSchema } from "../../../../src/core/schema/read/readSchema";
import { english } from "../../../../src/core/text/language";

/** Two values of each keyword, one of a payload that the first one rejects, and what has to stand beside them. */
const samples: Readonly<
  Record<DecidingKeyword, [JsonValue, JsonValue, JsonValue, JsonObject?]> &
    Record<Exclude<Keyword, DecidingKeyword>, [JsonValue, JsonValue]>
> = {
  types: ["string", "number", 1],
  enum: [["a"], ["b"], "b"],
  const: ["a", "b", "b"],
  format: ["date", "time", "b"],
  minLength: [2, 3, "b"],
  maxLength: [2, 3, "bbb"],
  pattern: ["a", "b", "b"],
  minimum: [2, 3, 1],
  exclusiveMinimum: [2, 3, 2],
  maximum: [2, 3, 3],
  exclusiveMaximum: [2, 3, 2],
  multipleOf: [2, 3, 1],
  minItems: [2, 3, [1]],
  maxItems: [2, 3, [1, 2, 3]],
  uniqueItems: [true, false, [1, 1]],
  prefixItems: [[{ minimum: 2 }], [{ minimum: 3 }], [1]],
  items: [{ minimum: 2 }, { minimum: 3 }, [1]],
  contains: [{ minimum: 2 }, { minimum: 3 }, [1]],
  minContains: [2, 3, [1], { contains: { type: "integer" } }],
  maxContains: [2, 3, [1, 2, 3], { contains: { type: "integer" } }],
  unevaluatedItems: [{ minimum: 2 }, { minimum: 3 }, [1]],
  minProperties: [2, 3, {}],
  maxProperties: [1, 3, { a: 1, b: 1 }],
  properties: [{ a: { minimum: 2 } }, { a: { minimum: 3 } }, { a: 1 }],
  required: [["a"], ["b"], {}],
  patternProperties: [{ a: { minimum: 2 } }, { a: { minimum: 3 } }, { a: 1 }],
  additionalProperties: [{ minimum: 2 }, { minimum: 3 }, { a: 1 }],
  propertyNames: [{ minLength: 2 }, { minLength: 3 }, { a: 1 }],
  dependentRequired: [{ a: ["b"] }, { a: ["c"] }, { a: 1 }],
  dependentSchemas: [{ a: { minProperties: 2 } }, { a: { minProperties: 3 } }, { a: 1 }],
  unevaluatedProperties: [{ minimum: 2 }, { minimum: 3 }, { a: 1 }],
  allOf: [[{ minimum: 2 }], [{ minimum: 3 }], 1],
  oneOf: [[{ minimum: 2 }, { maximum: 0 }], [{ minimum: 3 }, { maximum: 0 }], 1],
  anyOf: [[{ minimum: 2 }, { maximum: 0 }], [{ minimum: 3 }, { maximum: 0 }], 1],
  not: [{ minimum: 2 }, { minimum: 3 }, 2],
  if: [{ minimum: 2 }, { minimum: 3 }, 1, { else: { maximum: 0 } }],
  // biome-ignore lint/suspicious/noThenProperty: the keyword has this name.
  then: [{ maximum: 1 }, { maximum: 2 }, 2, { if: { minimum: 2 } }],
  else: [{ minimum: 2 }, { minimum: 3 }, 1, { if: { minimum: 2 } }],
  title: ["a", "b"],
  description: ["a", "b"],
  errorMessage: ["a", "b"],
  default: ["a", "b"],
  examples: [["a"], ["b"]],
  example: ["a", "b"],
  deprecated: [true, false],
  contentEncoding: ["a", "b"],
  contentMediaType: ["a", "b"],
  readOnly: [true, false],
  writeOnly: [true, false],
};

function schemasOf(keyword: Keyword): [JsonObject, JsonObject] {
  const [one, other, , beside = {}] = samples[keyword];
  const name = keyword === "types" ? "type" : keyword;
  return [
    { ...beside, [name]: one },
    { ...beside, [name]: other },
  ];
}

describe("every keyword", () => {
  for (const keyword of keywordNames) {
    const [schema, other] = schemasOf(keyword);

    it(`${keyword} is read, whether the schema is applied or shown`, () => {
      const applied = readSchema(schema);
      assert.ok(applied.kind === "read");
      assert.notEqual(applied.root[keyword], undefined);
      const shown = readLeniently(schema);
      assert.notEqual(shown.read(shown.root)[keyword], undefined);
    });

    it(`${keyword} is told where it changes`, () => {
      const isWording = rowOf(keyword).compared === "wording";
      const told = schemaChanges(schema, other).map((change) => change.keyword);
      assert.ok(told.length > 0 && told.includes("") === false);
      assert.equal(told.includes("description"), isWording, told.join());
    });
  }

  for (const keyword of decidingKeywords) {
    it(`${keyword} decides, and says why it does`, () => {
      const [schema] = schemasOf(keyword);
      const read = readSchema(schema);
      assert.ok(read.kind === "read");
      const testOf = (pattern: string) => (text: string) => text.includes(pattern);
      const verdict = evaluateSchema({ ...read, testOf }, samples[keyword][2]);
      assert.ok(verdict.kind === "decided");
      const { failures, warnings } = verdict.findings;
      assert.equal(verdict.fits, keyword === "format");
      const [failure] = [...failures, ...warnings];
      assert.ok(failure);
      assert.notEqual(describeFailure(failure, english), "Nothing is allowed here.");
    });
  }
});
