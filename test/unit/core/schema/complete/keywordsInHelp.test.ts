import assert from "node:assert/strict";
import { describe, it } from "mocha";
import type { JsonObject, JsonValue } from "../../../../../src/core/json/jsonValue";
import { explanationAt } from "../../../../../src/core/schema/complete/explanation";
import { proposalsAt } from "../../../../../src/core/schema/complete/proposals";
import { type Keyword, keywordNames } from "../../../../../src/core/schema/keywords";
import { testableSchema } from "../../../../../src/core/schema/read/testableSchema";
import { english } from "../../../../../src/core/text/language";
import { keywordSamples } from "../../../../fixtures/keywordSamples";

/** The keywords that change neither a proposal nor a hover; the check reports a violation of them. */
const leftOut: readonly Keyword[] = ["minContains", "maxContains", "not", "errorMessage"];

/** Samples for keywords whose common sample leads to no proposal. */
const helping: Partial<Record<Keyword, [value: JsonValue, beside?: JsonObject]>> = {
  // biome-ignore lint/suspicious/noThenProperty: the keyword has this name.
  then: [{ properties: { b: {} } }, { if: {} }],
  else: [{ properties: { b: {} } }, { if: { type: "string" } }],
};

describe("completion and hover", () => {
  const help = (schema: JsonValue) => {
    const read = testableSchema({ properties: { v: schema } });
    const texts = ['{"v": |}', '{"v": {|}}', '{"v": {"a": |}}', '{"v": [|]}', '{"v": 1, |}'];
    const proposals = texts.map((text) =>
      proposalsAt(read, text.replace("|", ""), text.indexOf("|"), english),
    );
    return JSON.stringify([proposals, explanationAt(read, '{"v": 1}', 2, english)]);
  };
  const helps = (keyword: Keyword) => {
    const [sample, , , given] = keywordSamples[keyword];
    const [value, beside = {}] = helping[keyword] ?? [sample, given];
    const name = keyword === "types" ? "type" : keyword;
    return help({ ...beside, [name]: value }) !== help(beside);
  };

  it("use every keyword except the listed ones", () => {
    assert.deepEqual(
      keywordNames.filter((keyword) => !helps(keyword)),
      leftOut,
    );
  });
});
