import assert from "node:assert/strict";
import { describe, it } from "mocha";
import type { JsonValue } from "../../../../../src/core/json/jsonValue";
import { fixAllProblems } from "../../../../../src/core/payload/fixes/payloadFixes";
import { applyEdits } from "../../../../../src/core/payload/fixes/textEdit";
import { checkedText } from "./checkedText";

function known(...names: string[]): JsonValue {
  const properties = Object.fromEntries(names.map((name) => [name, {}]));
  return { properties, additionalProperties: false };
}

/** A payment by card or by bank. */
const payment = {
  oneOf: ["card", "bank"].map((kind) => ({
    required: ["kind", "number"],
    properties: { kind: { const: kind }, number: { type: "string" }, [kind]: {} },
    additionalProperties: false,
  })),
};

const schema = {
  type: "object",
  required: ["text", "mode", "name"],
  additionalProperties: false,
  properties: {
    text: { type: "string" },
    mode: { default: "fast", enum: ["fast", "exact"] },
    name: { type: "string" },
    top: { type: "integer" },
    tags: { type: "array", items: { type: "string" } },
  },
};

describe("fixing all unambiguous problems", () => {
  it("converts, renames, adds values from the schema, and removes comments in one go", () => {
    const before = '{\n  "txet": "x", // mine\n  "top": "5",\n  "tags": "a",\n}';
    const input = checkedText(before, schema);
    const { edits, count } = fixAllProblems(input);
    const after = applyEdits(before, edits);
    assert.equal(after, '{\n  "text": "x",\n  "mode": "fast",\n  "top": 5,\n  "tags": ["a"]\n}');
    assert.equal(count, 6);
    const left = checkedText(after, schema).problems.map(({ data }) => data);
    assert.deepEqual(left, [{ kind: "missingProperty", name: "name" }]);
  });

  it("keeps the schema's order if several are added between renamed ones", () => {
    const names = ["one", "two", "three", "four", "five"];
    const properties = Object.fromEntries(names.map((name) => [name, { default: 1 }]));
    const strict = { required: names, properties, additionalProperties: false };
    const before = '{"thre": 1, "fiev": 1}';
    const after = applyEdits(before, fixAllProblems(checkedText(before, strict)).edits);
    assert.equal(after, '{"one": 1, "two": 1, "three": 1, "four": 1, "five": 1}');
  });

  it("fixes every object of a nested text", () => {
    const inner = {
      required: ["from", "to"],
      properties: { from: { type: "integer" }, to: { const: 2 } },
      additionalProperties: false,
    };
    const nested = {
      type: "array",
      items: { properties: { range: inner }, additionalProperties: false },
    };
    const before = '[{"rnage": {"form": "1"}}, {"range": {"from": 1, "too": 3}}]';
    const once = applyEdits(before, fixAllProblems(checkedText(before, nested)).edits);
    const after = applyEdits(once, fixAllProblems(checkedText(once, nested)).edits);
    const last = applyEdits(after, fixAllProblems(checkedText(after, nested)).edits);
    assert.equal(last, '[{"range": {"from": 1, "to": 2}}, {"range": {"from": 1, "to": 2}}]');
    assert.deepEqual(checkedText(last, nested).problems, []);
  });

  it("converts text copied from JavaScript or Python to JSON", () => {
    const before = "{\n  text: 'it\\'s',\n  'mode': \"fast\"\n  name: True\n}";
    const after = applyEdits(before, fixAllProblems(checkedText(before, true)).edits);
    assert.equal(after, '{\n  "text": "it\'s",\n  "mode": "fast",\n  "name": true\n}');
  });

  it("skips problems with more than one possible fix", () => {
    const before = '{"text": "x", "mode": "slow", "name": "n", "other": 1}';
    assert.deepEqual(fixAllProblems(checkedText(before, schema)), { edits: [], count: 0 });
  });

  const guesses: readonly (readonly [given: unknown, schema: JsonValue])[] = [
    [{ x: 1, z: 3 }, known("x", "y")],
    [{ ip: 1 }, known("id")],
    [{ item1: 1, item3: 3 }, known("item1", "item2")],
    [{ colour: 1 }, known("color", "colours")],
    [{ unit: "mm" }, { properties: { unit: { enum: ["m", "cm", "km"] } } }],
    [{ mode: "cap" }, { properties: { mode: { enum: ["car", "cat"] } } }],
    [{ code: "id" }, { properties: { code: { enum: ["ip", "other"] } } }],
    [{ kindx: "bank", number: "1" }, payment],
    [{ pay: { kindx: "bank", number: "1" } }, { properties: { pay: payment } }],
    [{ kind: "cash", number: "1" }, payment],
    [
      { a: "3" },
      { anyOf: [{ properties: { a: { const: 1 } } }, { properties: { a: { const: 2 } } }] },
    ],
    [{}, { anyOf: [{ required: ["a"] }, { required: ["b"] }] }],
    ["5", { anyOf: [{ const: "auto" }, { type: "integer" }] }],
    ["x", { oneOf: [{ enum: ["auto"] }, { type: "object" }] }],
    [{ a: 1, bx: 2, cx: 3 }, { anyOf: [known("a", "bx", "c"), known("a", "b", "cx")] }],
  ];
  for (const [given, schema] of guesses) {
    it(`does not guess in ${JSON.stringify(given)}`, () =>
      assert.deepEqual(fixAllProblems(checkedText(JSON.stringify(given), schema)).edits, []));
  }

  const unsure = [
    '{"a: 1, "b" : 2}',
    '{"a": "x, "1": 2}',
    '{"a": https://example.com/x}',
    `{"a": 'don't do: it', "b": 1,}`,
    '{"a": "x" "y", "b": 1,}',
    '{"text": "Dear "all", please // do: not\n"}',
  ];
  for (const text of unsure) {
    it(`changes nothing after a guess in ${JSON.stringify(text)}`, () =>
      assert.deepEqual(fixAllProblems(checkedText(text, true)).edits, []));
  }

  it("converts a value only to one that the schema allows there", () => {
    const properties = { sortBy: { enum: ["name", "size"] }, top: { type: "integer", maximum: 3 } };
    const text = '{"sortBy": 5, "top": "5"}';
    assert.deepEqual(fixAllProblems(checkedText(text, { properties })).edits, []);
  });

  const sure: readonly (readonly [given: unknown, schema: JsonValue, fixed: unknown])[] = [
    [{ kind: "bank", number: 1 }, payment, { kind: "bank", number: "1" }],
    [{ kind: "bnak", number: "1" }, payment, { kind: "bank", number: "1" }],
    ["Auto", { anyOf: [{ const: "auto" }, { type: "integer" }] }, "auto"],
    [
      { n: "5" },
      { anyOf: [{ type: "null" }, { properties: { n: { type: "integer" } } }] },
      { n: 5 },
    ],
  ];
  for (const [given, schema, fixed] of sure) {
    it(`fixes ${JSON.stringify(given)}, whose text determines the alternative, to ${JSON.stringify(fixed)}`, () => {
      const before = JSON.stringify(given);
      const after = applyEdits(before, fixAllProblems(checkedText(before, schema)).edits);
      assert.deepEqual(JSON.parse(after), fixed);
    });
  }

  it("uses a single similar value", () => {
    const before = '{"mode": "Fats"}';
    const input = checkedText(before, { properties: { mode: { enum: ["fast", "exact"] } } });
    assert.equal(applyEdits(before, fixAllProblems(input).edits), '{"mode": "fast"}');
  });

  it("does not rename two names to one", () => {
    const before = '{"txt": "x", "tetx": "y", "mode": "fast", "name": "n"}';
    assert.deepEqual(fixAllProblems(checkedText(before, schema)).edits, []);
  });
});
