import assert from "node:assert/strict";
import { describe, it } from "mocha";
import { decidingKeywords } from "../../../src/core/schema/keywords";
import { testableSchema } from "../../../src/core/schema/read/testableSchema";
import { compileSchema } from "../../../src/language/compileSchema";
import { keywordSamples } from "../../fixtures/keywordSamples";

/** The keywords that ajv is known to get wrong, for which it is not used. */
const blind: readonly string[] = ["unevaluatedItems", "unevaluatedProperties"];

describe("ajv", () => {
  for (const keyword of decidingKeywords) {
    it(`decides ${keyword} correctly, or is not used for it`, () => {
      const [value, , rejected, beside = {}] = keywordSamples[keyword];
      const name = keyword === "types" ? "type" : keyword;
      const compiled = compileSchema(testableSchema({ ...beside, [name]: value }));
      assert.ok(compiled.kind === "ready");
      const verdict = compiled.ajvVerdict?.(compiled.schema.root, rejected);
      const expected = keyword === "format" ? "fits" : "fails";
      assert.equal(verdict, blind.includes(keyword) ? undefined : expected);
    });
  }

  it("is not used for a schema of more than 800 rules, which it compiles for too long", () => {
    const isUsed = (count: number) => {
      const properties = Object.fromEntries(
        Array.from({ length: count - 1 }, (_, at) => [`name${at}`, { minLength: at }]),
      );
      const compiled = compileSchema(testableSchema({ properties }));
      assert.ok(compiled.kind === "ready");
      return compiled.ajvVerdict?.(compiled.schema.root, { name5: "four" }) === "fails";
    };
    assert.deepEqual([isUsed(800), isUsed(801)], [true, false]);
  });
});
