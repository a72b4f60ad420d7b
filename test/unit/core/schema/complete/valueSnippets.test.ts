import assert from "node:assert/strict";
import { describe, it } from "mocha";
import type { JsonObject } from "../../../../../src/core/json/jsonValue";
import { objectSnippets } from "../../../../../src/core/schema/complete/valueSnippets";
import { EvaluationBudget } from "../../../../../src/core/schema/evaluate/evaluationBudget";
import { testableSchema } from "../../../../../src/core/schema/read/testableSchema";

/** Separate from the brace, so that it is the same in a string and in a template. */
const dollar = "$";

const snippetsOf = (schema: JsonObject) => {
  const read = testableSchema(schema);
  return objectSnippets([read.root], new EvaluationBudget(read)).map(({ label, snippet }) => ({
    label,
    snippet: snippet(),
  }));
};
const labelsOf = (schema: JsonObject) => snippetsOf(schema).map(({ label }) => label);

describe("the objects offered for a schema", () => {
  it("are none if nothing is required, or if branches offer theirs", () => {
    assert.deepEqual(labelsOf({ properties: { a: {} } }), []);
    assert.deepEqual(labelsOf({ oneOf: [{ required: ["a"] }, { required: ["b"] }] }), []);
  });

  it("are one per branch, with what the schema itself requires", () => {
    const schema = {
      required: ["a"],
      oneOf: [{ required: ["b"] }, { $ref: "#/$defs/c" }, { required: ["b"] }],
      $defs: { c: { required: ["c"] } },
    };
    assert.deepEqual(labelsOf(schema), ["{ a, b }", "{ a, c }"]);
  });

  it("are one per branch of a condition that only requires something", () => {
    const schema = JSON.parse(
      '{"if": {"required": ["x"]}, "then": {"required": ["x"]}, "else": {"required": ["y"]}}',
    );
    assert.deepEqual(labelsOf(schema), ["{ x }", "{ y }"]);
  });

  it("are named by what distinguishes them, within a list's width", () => {
    const properties = { kind: { const: "x" }, only: { enum: [1] }, free: { enum: [1, 2] } };
    assert.deepEqual(labelsOf({ required: ["free", "only", "kind"], properties }), [
      '{ kind: "x", only: 1, free }',
    ]);
    const names = ["first", "second", "third"].map((name) => name.repeat(4));
    assert.deepEqual(labelsOf({ required: names }), [`{ ${names.slice(0, 2).join(", ")} … }`]);
    assert.equal(labelsOf({ required: ["x".repeat(200)] })[0]?.length, 59);
  });

  it("are at most twenty, with at most forty names, four items of a list and sixty values", () => {
    const names = (count: number) => Array.from({ length: count }, (_, at) => `n${at}`);
    const oneOf = names(21).map((name) => ({ required: [name] }));
    assert.equal(labelsOf({ properties: {}, oneOf }).length, 20);
    const count = (schema: JsonObject, text: string) =>
      (snippetsOf(schema)[0]?.snippet.split(text).length ?? 0) - 1;
    assert.equal(count({ required: names(41) }, '"n'), 40);
    const list = { type: "array", minItems: 6, items: { const: 7 } };
    assert.equal(count({ required: ["a"], properties: { a: list } }, "7"), 4);
    const part = { required: names(40) };
    const properties = { a: part, b: part, c: part };
    assert.equal(count({ required: ["a", "b", "c"], properties }, '"n0"'), 2);
    const long = (length: number) => ({ examples: ["x".repeat(length)] });
    const texts = { a: long(498), b: long(499) };
    assert.equal(count({ required: ["a", "b"], properties: texts }, "xx"), 249);
  });

  it("contain constants, known values, the plainest number and as many items as needed", () => {
    const schema = {
      required: ["kind", "zone", "text", "count", "list", "pair", "form", "more"],
      properties: {
        kind: { const: `${dollar}{1}` },
        zone: { type: "string", examples: ["UTC"] },
        text: { type: "string", minLength: 1, format: "date" },
        count: { type: "integer", minimum: 3 },
        list: { type: "array", minItems: 1, items: { $ref: "#/$defs/item" } },
        pair: { type: "array", minItems: 2, items: { type: "number" } },
        form: { oneOf: [{ type: "string" }, { type: "integer" }] },
        more: { type: "array", items: { $ref: "#/$defs/item" } },
      },
      $defs: { item: { required: ["id"], properties: { id: { type: "string" } } } },
    };
    const stop = (number: number, text = "") =>
      `${dollar}{${number}${text === "" ? "" : `:${text}`}}`;
    assert.deepEqual(
      snippetsOf(schema).map(({ snippet }) => snippet),
      [
        [
          "{",
          `\t"kind": "\\${dollar}{1\\}",`,
          `\t"zone": "${stop(1, "UTC")}",`,
          `\t"text": "${stop(2)}",`,
          `\t"count": ${stop(3, "3")},`,
          `\t"list": [\n\t\t{\n\t\t\t"id": "${stop(4)}"\n\t\t}\n\t],`,
          `\t"pair": [${stop(5, "0")}, ${stop(6, "0")}],`,
          `\t"form": ${stop(7)},`,
          `\t"more": [${stop(8)}]`,
          "}",
        ].join("\n"),
      ],
    );
  });

  it("end, however much a schema requires at each level", () => {
    const level = (depth: number): JsonObject =>
      depth === 0
        ? { const: 1 }
        : {
            required: Array.from({ length: 40 }, (_, index) => `k${index}`),
            properties: Object.fromEntries(
              Array.from({ length: 40 }, (_, index) => [
                `k${index}`,
                { $ref: `#/$defs/l${depth - 1}` },
              ]),
            ),
          };
    const $defs = Object.fromEntries(
      Array.from({ length: 7 }, (_, depth) => [`l${depth}`, level(depth)]),
    );
    const [object] = snippetsOf({ $ref: "#/$defs/l6", $defs });
    assert.ok(object !== undefined && object.snippet.length < 100_000);
  });

  it("contain the plainest value of an object's member, at any depth", () => {
    const size = { required: ["size"], properties: { size: { type: "integer", minimum: 5 } } };
    const box = { required: ["box"], properties: { box: size } };
    const [only] = snippetsOf({ required: ["big"], properties: { big: box } });
    assert.match(only?.snippet ?? "", /"size": \$\{1:5\}/);
  });
});
