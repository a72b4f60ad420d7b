import assert from "node:assert/strict";
import { describe, it } from "mocha";
import { testableSchema } from "../../../src/core/schema/read/testableSchema";
import { applySchema } from "../../../src/language/applySchema";
import { compileSchema } from "../../../src/language/compileSchema";

describe("applySchema", () => {
  const compiled = compileSchema(testableSchema({ type: "string" }));
  assert.ok(compiled.kind === "ready");

  it("gives a verdict if both engines agree", () => {
    const kinds = ["a", 1].map((value) => applySchema(compiled, value, 10).kind);
    assert.deepEqual(kinds, ["decided", "decided"]);
  });

  const lies = { fits: 1, fails: "a" } as const;
  for (const [verdict, value] of Object.entries(lies)) {
    it(`gives no verdict if ajv alone finds that ${JSON.stringify(value)} ${verdict}`, () => {
      const other = { ...compiled, ajvVerdict: () => verdict as keyof typeof lies };
      assert.equal(applySchema(other, value, 10).kind, "undecided");
    });
  }

  it("gives no verdict on a value deeper than ajv's stack", () => {
    const circle = compileSchema(testableSchema({ items: { $ref: "#" } }));
    let deep: unknown[] = [];
    for (let level = 0; level < 100_000; level += 1) deep = [deep];
    assert.ok(circle.kind === "ready" && circle.ajvVerdict !== undefined);
    assert.equal(applySchema(circle, deep, 10).kind, "undecided");
  });

  it("uses our evaluation alone if ajv cannot compile a schema", () => {
    let schema: object = { type: "string" };
    let value: unknown = 1;
    for (let level = 0; level < 700; level += 1) {
      schema = { items: schema };
      value = [value];
    }
    const nested = compileSchema(testableSchema(schema));
    assert.ok(nested.kind === "ready" && nested.ajvVerdict === undefined);
    const applied = applySchema(nested, value, 10);
    assert.deepEqual([applied.kind, applied.findings.failures.length], ["decided", 1]);
  });
});
