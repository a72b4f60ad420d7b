import assert from "node:assert/strict";
import { describe, it } from "mocha";
import type { JsonObject, JsonValue } from "../../../../src/core/json/jsonValue";
import { evaluateSchema } from "../../../../src/core/schema/evaluate/evaluateSchema";
import { EvaluationBudget } from "../../../../src/core/schema/evaluate/evaluationBudget";
import { likelyBranches } from "../../../../src/core/schema/explain/likelyBranches";
import { readSchema } from "../../../../src/core/schema/read/readSchema";
import { testableSchema } from "../../../../src/core/schema/read/testableSchema";
import { schemaFacts } from "../../../../src/core/schema/schemaLimits";
import { schemaOutline } from "../../../../src/core/schema/schemaOutline";
import { schemaLayers } from "../../../../src/core/schema/schemaRules";
import { compilableSize, exceededLimit } from "../../../../src/core/schema/schemaSize";
import { english } from "../../../../src/core/text/language";

describe("the size of a schema", () => {
  const lists = (depth: number): JsonValue => (depth === 0 ? 1 : [lists(depth - 1)]);
  for (const [limit, within, beyond] of [
    ["depth", lists(256), lists(257)],
    ["values", Array(119_999).fill(1), Array(120_000).fill(1)],
    ["characters", "x".repeat(2_000_000), "x".repeat(2_000_001)],
  ] as const) {
    it(`is limited by its ${limit}`, () => {
      const found = [within, beyond].map((schema) => exceededLimit(schema, compilableSize));
      assert.deepEqual(found, [undefined, limit]);
    });
  }

  it("is at most 64 layers for one value", () => {
    const isComplete = (count: number) => {
      const allOf = Array.from({ length: count }, (_, at) => ({ maxLength: at }));
      return schemaLayers([readSchema({ minLength: 1, allOf }).root]).isComplete;
    };
    assert.deepEqual([isComplete(63), isComplete(64)], [true, false]);
  });
});

describe("the words about a schema", () => {
  it("have at most 400 characters of a pattern", () => {
    const [, fact = ""] = schemaFacts([readSchema({ pattern: "a".repeat(500) }).root], english);
    assert.equal(fact.split("a".repeat(400)).length, 2);
    assert.ok(!fact.includes("a".repeat(401)));
  });

  it("are outlined with 4,000 characters of a description, and 150,000 of all", () => {
    const description = "x".repeat(5000);
    const properties: JsonObject = Object.fromEntries(
      Array.from({ length: 60 }, (_, at) => [`p${at}`, { description }]),
    );
    const { children } = schemaOutline(readSchema({ properties }), english);
    assert.equal(children[0]?.description.length, 4000);
    const all = children.reduce((sum, child) => sum + child.description.length, 0);
    assert.ok(all > 140_000 && all <= 150_000, `${all}`);
  });
});

describe("the failures of a value", () => {
  it("are counted up to 100,000", () => {
    const schema = testableSchema({ items: { type: "string" } });
    const evaluable = new EvaluationBudget(schema).schemaAt(schema.root);
    const verdict = evaluateSchema(evaluable, Array(150_000).fill(1), { limit: 1 });
    assert.ok(verdict.kind === "decided");
    assert.equal(verdict.findings.hidden, 100_001);
  });

  it("choose the nearest branch if one has fewer than 20", () => {
    const oneOf = [
      { title: "A", items: { type: "string" } },
      { title: "B", items: { maximum: 0 } },
    ];
    const schema = testableSchema({ oneOf });
    const likely = (zeros: number, ones: number) => {
      const value = [...Array(zeros).fill(0), ...Array(ones).fill(1)];
      const budget = new EvaluationBudget(schema);
      const found = likelyBranches("oneOf", schema.root, { value, steps: [] }, budget);
      return found.map(({ title }) => title);
    };
    assert.deepEqual([likely(1, 19), likely(1, 20)], [["B"], ["A", "B"]]);
  });
});
