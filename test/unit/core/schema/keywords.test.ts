import assert from "node:assert/strict";
import { describe, it } from "mocha";
import type { JsonObject } from "../../../../src/core/json/jsonValue";
import { schemaChanges } from "../../../../src/core/schema/compare/schemaChanges";
import { evaluateSchema } from "../../../../src/core/schema/evaluate/evaluateSchema";
import { describeFailure } from "../../../../src/core/schema/explain/describeFailure";
import {
  decidingKeywords,
  type Keyword,
  keywordNames,
  rowOf,
} from "../../../../src/core/schema/keywords";
import { readSchema } from "../../../../src/core/schema/read/readSchema";
import { english } from "../../../../src/core/text/language";
import { keywordSamples } from "../../../fixtures/keywordSamples";

function schemasOf(keyword: Keyword): [JsonObject, JsonObject] {
  const [one, other, , beside = {}] = keywordSamples[keyword];
  const name = keyword === "types" ? "type" : keyword;
  return [
    { ...beside, [name]: one },
    { ...beside, [name]: other },
  ];
}

describe("the keyword", () => {
  for (const keyword of keywordNames) {
    const [schema, other] = schemasOf(keyword);

    it(`${keyword} is read`, () => assert.notEqual(readSchema(schema).root[keyword], undefined));

    it(`${keyword} is described when it changes`, () => {
      const isWording = rowOf(keyword).compared === "wording";
      const told = schemaChanges(schema, other).map((change) => change.keyword);
      assert.ok(told.length > 0 && told.includes("") === false);
      assert.equal(told.includes("description"), isWording, told.join());
    });
  }

  for (const keyword of decidingKeywords) {
    it(`${keyword} decides, and explains its decision`, () => {
      const [schema] = schemasOf(keyword);
      const read = readSchema(schema);
      const testOf = (pattern: string) => (text: string) => text.includes(pattern);
      const verdict = evaluateSchema({ ...read, testOf }, keywordSamples[keyword][2]);
      assert.ok(verdict.kind === "decided");
      const { failures, warnings } = verdict.findings;
      assert.equal(verdict.fits, keyword === "format");
      const [failure] = [...failures, ...warnings];
      assert.ok(failure);
      assert.notEqual(describeFailure(failure, english), "No value is allowed here.");
    });
  }
});
