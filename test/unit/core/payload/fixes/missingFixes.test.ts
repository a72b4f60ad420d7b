import assert from "node:assert/strict";
import { describe, it } from "mocha";
import { foldedFixes } from "../../../../../src/core/payload/fixes/payloadFix";
import { payloadFixes } from "../../../../../src/core/payload/fixes/payloadFixes";
import { applyEdits } from "../../../../../src/core/payload/fixes/textEdit";
import { editSnippet } from "../../../../../src/core/payload/fixes/unfilledSnippet";
import { english, localize } from "../../../../../src/core/text/language";
import { checkedText } from "./checkedText";
import { fixesOf } from "./fixesOf";

describe("the fix for missing properties", () => {
  const schema = {
    required: ["a", "b", "c"],
    properties: {
      a: { type: "string", default: "x" },
      b: { type: "object", required: ["d"], properties: { d: { const: 1 } } },
      c: { enum: [true] },
    },
  };

  it("is offered once by all problems of its object, and apart by those of another object", () => {
    const list = { items: schema };
    const input = checkedText("[{}, {}]", list);
    const folded = foldedFixes(input.problems.map((problem) => payloadFixes(input, problem)));
    const all = folded.filter(({ fix }) => /^Add all/.test(localize(fix.title, english)));
    assert.deepEqual(
      all.map(({ of }) => of),
      [
        [0, 1, 2],
        [3, 4, 5],
      ],
    );
    assert.equal(folded.length, 2 + input.problems.length);
  });

  const texts: [name: string, before: string, after: string][] = [
    [
      "all, in the order of the schema, to an empty object",
      "{}",
      '{\n  "a": "x",\n  "b": {\n    "d": 1\n  },\n  "c": true\n}',
    ],
    [
      "one in the middle",
      '{\n\t"a": 1,\n\t"c": 2\n}',
      '{\n\t"a": 1,\n\t"b": {\n\t\t"d": 1\n\t},\n\t"c": 2\n}',
    ],
    ["two on one line", '{ "b": 1 }', '{ "a": "x", "b": 1, "c": true }'],
    [
      "those that come first at the beginning",
      '{"z": 0, "c": 1}',
      '{"a": "x", "b": {"d":1}, "z": 0, "c": 1}',
    ],
    [
      "them after properties that the schema does not name",
      '{"y": 0, "z": 1}',
      '{"y": 0, "z": 1, "a": "x", "b": {"d":1}, "c": true}',
    ],
    [
      "one with the text's line ends",
      '{\r\n    "a": 1,\r\n    "b": 2\r\n}',
      '{\r\n    "a": 1,\r\n    "b": 2,\r\n    "c": true\r\n}',
    ],
  ];
  for (const [name, before, after] of texts) {
    it(`adds ${name}`, () => {
      const fixes = fixesOf(before, {
        required: schema.required,
        properties: {
          ...schema.properties,
          a: { default: "x" },
          b: { type: ["object", "integer"], required: ["d"], properties: { d: { const: 1 } } },
          c: { enum: [true, 1, 2] },
        },
      });
      const preferred = Object.keys(fixes).find((title) => title.startsWith("* Add"));
      assert.ok(preferred, Object.keys(fixes).join());
      assert.equal(fixes[preferred], after);
    });
  }

  const filled: readonly (readonly [before: string, after: string])[] = [
    ["{}", '{\n  "a": "$1",\n  "b": {\n    "x": $<2:0>\n  \\},\n  "c": "x"\n}'],
    ['{"b": {"x": 1}}', '{"a": "$1", "b": {"x": 1}, "c": "x"}'],
    ['{"a": ""}', '{"a": "", "b": {"x":$<1:0>\\}, "c": "x"}'],
    ['{"y": ""}', '{"y": "", "a": "$1", "b": {"x":$<2:0>\\}, "c": "x"}'],
  ];
  for (const [before, after] of filled) {
    it(`has a tab stop at each value that nobody gave, in ${before}`, () => {
      const number = { required: ["x"], properties: { x: { type: "number" } } };
      const input = checkedText(before, {
        required: ["a", "b", "c"],
        properties: { a: { type: "string" }, b: number, c: { default: "x" } },
      });
      const [problem] = input.problems;
      const [fix] = problem === undefined ? [] : payloadFixes(input, problem);
      let next = 1;
      const edits = (fix?.edits ?? []).map((edit) => {
        const text = editSnippet(edit, next);
        next += edit.stops?.length ?? 0;
        return { ...edit, text };
      });
      const written = applyEdits(before, edits).replaceAll(/\$\{(\d:\d)\}/g, "$<$1>");
      assert.equal(written, after);
    });
  }

  it("offers each property by itself too", () => {
    assert.deepEqual(Object.keys(fixesOf("{}", schema)), [
      "* Add all 3 that are missing",
      'Add "a"',
    ]);
  });

  it("finds the value if a branch only requires the name", () => {
    const branched = JSON.parse(`{
      "properties": { "kind": { "const": "x" }, "size": { "default": 3 } },
      "if": { "properties": { "kind": { "const": "x" } } },
      "then": { "required": ["size"] }
    }`);
    assert.deepEqual(fixesOf('{"kind": "x"}', branched), {
      '* Add "size"': '{"kind": "x", "size": 3}',
    });
  });

  it("puts a branch's properties after the schema's own", () => {
    const branched = JSON.parse(`{
      "properties": { "kind": {}, "note": {} },
      "if": { "required": ["kind"] },
      "then": { "required": ["size"], "properties": { "size": { "default": 3 } } }
    }`);
    assert.deepEqual(fixesOf('{"kind": 1, "note": 2}', branched), {
      '* Add "size"': '{"kind": 1, "note": 2, "size": 3}',
    });
  });

  it("follows references", () => {
    const referring = {
      $ref: "#/$defs/root",
      $defs: {
        root: { required: ["a"], properties: { a: { $ref: "#/$defs/a" } } },
        a: { default: [1] },
      },
    };
    assert.deepEqual(fixesOf("{}", referring), { '* Add "a"': '{\n  "a": [\n    1\n  ]\n}' });
  });
});
