import assert from "node:assert/strict";
import { describe, it } from "mocha";
import type { JsonObject } from "../../../../../src/core/json/jsonValue";
import { explanationAt } from "../../../../../src/core/schema/complete/explanation";
import { testableSchema } from "../../../../../src/core/schema/read/testableSchema";
import { english } from "../../../../../src/core/text/language";

function explained(a: JsonObject): readonly string[] {
  const schema = testableSchema({ properties: { a } });
  return explanationAt(schema, '{"a":1}', 5, english)?.texts ?? [];
}

describe("the explanation of a value", () => {
  it("has at most four texts", () => {
    const anyOf = [1, 2, 3, 4, 5].map((at) => ({ minimum: 0, title: `Title ${at}` }));
    assert.equal(explained({ anyOf }).length, 4);
  });

  it("has texts of at most 1,000 characters, values of 200, and ten allowed values", () => {
    const long = "x".repeat(2000);
    assert.equal(explained({ description: long })[0]?.length, 1000);
    assert.equal(explained({ default: long })[0]?.length, "Default: ".length + 200);
    const allowed = (count: number) =>
      explained({ enum: Array.from({ length: count }, (_, at) => at) })[0] ?? "";
    assert.match(allowed(10), /9$/);
    assert.doesNotMatch(allowed(11), /9,? .*10/);
    assert.match(allowed(11), /1 more$/);
  });
});
