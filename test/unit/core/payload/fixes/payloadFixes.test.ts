import assert from "node:assert/strict";
import { describe, it } from "mocha";
import type { JsonValue } from "../../../../../src/core/json/jsonValue";
import { secretProblems } from "../../../../../src/core/payload/findSecrets";
import { fixInput } from "../../../../../src/core/payload/fixes/payloadFix";
import { payloadFixes } from "../../../../../src/core/payload/fixes/payloadFixes";
import { applyEdits } from "../../../../../src/core/payload/fixes/textEdit";
import { english } from "../../../../../src/core/text/language";
import { checkedText } from "./checkedText";
import { fixesOf } from "./fixesOf";

const of = (type: JsonValue, more: Record<string, JsonValue> = {}): JsonValue => ({
  properties: { a: { type, ...more } },
});

const cases: [name: string, schema: JsonValue, text: string, fixes: Record<string, string>][] = [
  ["text to number", of("integer"), '{"a": "5"}', { "* Change to 5": '{"a": 5}' }],
  [
    "the number's spelling stays",
    of("number"),
    '{"a": "9007199254740993.10"}',
    { "* Change to 9007199254740993.10": '{"a": 9007199254740993.10}' },
  ],
  ["text that is no number", of("integer"), '{"a": "five"}', {}],
  ["number to text", of("string"), '{"a": 1.50}', { '* Change to "1.50"': '{"a": "1.50"}' }],
  ["text to flag", of("boolean"), '{"a": "True"}', { "* Change to true": '{"a": true}' }],
  ["a word to flag", of("boolean"), '{"a": "yes"}', { "* Change to true": '{"a": true}' }],
  ["another word to flag", of("boolean"), '{"a": "Off"}', { "* Change to false": '{"a": false}' }],
  ["number to flag", of("boolean"), '{"a": 1}', { "Change to true": '{"a": true}' }],
  ["a fraction", of("integer"), '{"a": 5.7}', { "Round to 6": '{"a": 6}' }],
  [
    "a single item to a list",
    of("array", { items: { type: "string" } }),
    '{"a": "x"}',
    { "* Wrap in an array": '{"a": ["x"]}' },
  ],
  [
    "a single item to a list of something else",
    of("array", { items: { type: "number" } }),
    '{"a": "x"}',
    { "Wrap in an array": '{"a": ["x"]}' },
  ],
  ["a list of one", of("string"), '{"a": [ "x" ]}', { "Unwrap the array": '{"a": "x"}' }],
  [
    "JSON in a text",
    of("object"),
    '{"a": "{\\"b\\": 1}"}',
    { '* Change to {"b": 1}': '{"a": {"b": 1}}' },
  ],
  [
    "the nearest allowed value",
    { properties: { a: { enum: ["fast", "exact"] } } },
    '{"a": "fats"}',
    { '* Change to "fast"': '{"a": "fast"}', 'Change to "exact"': '{"a": "exact"}' },
  ],
  [
    "the only allowed value",
    { properties: { a: { const: 2 } } },
    '{"a": 1}',
    { "* Change to 2": '{"a": 2}' },
  ],
  [
    "an allowed value in another type",
    { properties: { a: { enum: [1, 5] } } },
    '{"a": "5"}',
    { "* Change to 5": '{"a": 5}', "Change to 1": '{"a": 1}' },
  ],
  [
    "too long a text, by characters as JSON Schema counts them",
    of("string", { maxLength: 2 }),
    '{"a": "😀ab\\n"}',
    { "Shorten to 2 characters": '{"a": "😀a"}' },
  ],
  ["too small a number", of("number", { minimum: 3 }), '{"a": 1}', { "* Change to 3": '{"a": 3}' }],
  [
    "a number at an open bound",
    of("number", { exclusiveMaximum: 3 }),
    '{"a": 3}',
    { "* Change to 2": '{"a": 2}' },
  ],
  ["no multiple", of("number", { multipleOf: 5 }), '{"a": 13}', { "* Change to 15": '{"a": 15}' }],
  [
    "too many items",
    of("array", { maxItems: 1 }),
    '{"a": [1, [2, 3], 4]}',
    { "Keep the first 1 only": '{"a": [1]}' },
  ],
  [
    "a misspelled name",
    { properties: { text: {} }, additionalProperties: false },
    '{"txet": 1}',
    { '* Rename to "text"': '{"text": 1}', 'Remove "txet"': "{}" },
  ],
  ["a comment behind a value", {}, '{"a": 1 // one\n}', { "* Remove this comment": '{"a": 1\n}' }],
  [
    "a comment on lines of its own",
    {},
    '{\n  /* one\n     two */\n  "a": 1\n}',
    { "* Remove this comment": '{\n  "a": 1\n}' },
  ],
  [
    "a trailing comma",
    {},
    '{"a": [1, ], "b": 2}',
    { "* Remove this comma": '{"a": [1 ], "b": 2}' },
  ],
  ["a byte order mark", {}, "\ufeff{}", { "* Remove the byte order mark": "{}" }],
  [
    "a name given twice",
    {},
    '{"a": 1, "b": 2, "a": 3}',
    { "Remove this one": '{"a": 1, "b": 2}', "Remove the first one": '{"b": 2, "a": 3}' },
  ],
  [
    "a number that loses digits",
    {},
    "[9007199254740993]",
    { "Write 9007199254740992": "[9007199254740992]" },
  ],
  ["a bracket left open", {}, '{"a": [1', { "* Add ]}": '{"a": [1]}' }],
  ["nothing if more than brackets are missing", {}, '{"a": [1], "b":', {}],
  ["no JSON at all", {}, "", {}],
  ["a name without quotes", {}, "{a-b: 1}", { "* Put a-b in double quotes": '{"a-b": 1}' }],
  ["a number as a name", {}, "{1: 1}", { "* Put 1 in double quotes": '{"1": 1}' }],
  ["a text without quotes", {}, '{"a": b}', { "* Put b in double quotes": '{"a": "b"}' }],
  [
    "a name in single quotes",
    {},
    `{'it\\'s "a"': 1}`,
    { "* Use double quotes": `{"it's \\"a\\"": 1}` },
  ],
  [
    "escapes of other languages",
    {},
    String.raw`{"a": '\x41\u0042\n\q\\	'}`,
    { "* Use double quotes": String.raw`{"a": "\u0041\u0042\nq\\\t"}` },
  ],
  ["a single quote left open", {}, "['a\n]", {}],
  [
    "a pasted text of several lines",
    {},
    '{"a": "Dear all,\r\n\tplease: find", "b": 1}',
    { "* Write it as \\n": String.raw`{"a": "Dear all,\n\tplease: find", "b": 1}` },
  ],
  ["typographic quotes", {}, "{“it's a”: 1}", { "* Use double quotes": `{"it's a": 1}` }],
  ["a typographic quote left open", {}, "[“a b]", {}],
  ["an equals sign", {}, '{"a"=1}', { "* Change to :": '{"a":1}' }],
  ["an arrow", {}, '{"a" => 1}', { "* Change to :": '{"a" : 1}' }],
  ["a semicolon", {}, '{"a": 1; "b": 2}', { "* Change to ,": '{"a": 1, "b": 2}' }],
  ["a semicolon at the end", {}, '{"a": 1};', { "* Remove ;": '{"a": 1}' }],
  ["another language's true", {}, "[True]", { "* Change to true": "[true]" }],
  ["another language's nothing", {}, "[None]", { "* Change to null": "[null]" }],
  [
    "not a number",
    {},
    "[NaN]",
    { "Change to null": "[null]", "Put NaN in double quotes": '["NaN"]' },
  ],
  ["a plus", {}, "[+1]", { "* Change to 1": "[1]" }],
  ["a bare point", {}, "[-.5e3]", { "* Change to -0.5e3": "[-0.5e3]" }],
  ["a point at the end", {}, "[1.]", { "* Change to 1": "[1]" }],
  ["hexadecimal", {}, "[0x1F]", { "* Change to 31": "[31]" }],
  ["a number in groups", {}, "[1_000]", { "* Change to 1000": "[1000]" }],
  ["a leading zero", {}, "[007]", { "Change to 7": "[7]", "Put 007 in double quotes": '["007"]' }],
  ["a missing comma", {}, '{"a": 1\n "b": 2}', { "* Add a comma": '{"a": 1,\n "b": 2}' }],
  ["a missing colon", {}, '{"a" 1}', { "* Add a colon": '{"a": 1}' }],
  ["missing braces", {}, "a: 1\n", { "* Add braces": "{a: 1}\n" }],
  ["missing braces before a comment", {}, '"a": 1 // B\n', { "* Add braces": '{"a": 1} // B\n' }],
  ["missing braces around a quoted name", {}, '"a": 1', { "* Add braces": '{"a": 1}' }],
  ["a comma too many", {}, "[1,,2]", { "* Remove this comma": "[1,2]" }],
  ["a bracket forgotten inside", {}, '{"a": [1}', { "* Add ]": '{"a": [1]}' }],
  [
    "a path with single backslashes",
    {},
    String.raw`["C:\Users"]`,
    { "* Escape the backslash": String.raw`["C:\\Users"]` },
  ],
  ["an escaped single quote", {}, String.raw`["it\'s"]`, { "* Remove the backslash": `["it's"]` }],
  ["a tab in a text", {}, '["\t"]', { "* Write it as \\t": '["\\t"]' }],
  ["a name without its first quote", {}, '{a": 1}', { "* Put a in double quotes": '{"a": 1}' }],
  ["a control character between texts", {}, '["a", \u0000]', {}],
  ["a backslash between texts", {}, '["a", \\, "b"]', {}],
  [
    "a name at the end that nothing follows",
    {},
    '{"a": 1, summ',
    { "* Put summ in double quotes": '{"a": 1, "summ"' },
  ],
  [
    "too few items",
    of("array", { minItems: 3, items: { type: "integer", minimum: 5 } }),
    '{"a": [1]}',
    { "* Add 2 items": '{"a": [1, 5, 5]}' },
  ],
  [
    "too few different items",
    of("array", { minItems: 2, uniqueItems: true, items: { enum: ["x", "y"] } }),
    '{\n  "a": [\n    "x"\n  ]\n}',
    { "* Add 1 item": '{\n  "a": [\n    "x",\n    "y"\n  ]\n}' },
  ],
  [
    "too few items of a tuple, in nothing",
    of("array", { minItems: 2, prefixItems: [{ const: 1 }, { type: "string", minLength: 1 }] }),
    '{"a": [ ]}',
    { "* Add 2 items": '{"a": [\n  1,\n  "x"\n]}' },
  ],
  [
    "no item that would be another",
    of("array", { minItems: 2, uniqueItems: true, items: { const: 1 } }),
    '{"a": [1]}',
    {},
  ],
  [
    "an item that is there twice",
    of("array", { uniqueItems: true }),
    '{"a": [1, {"b": 2, "c": 3}, {"c": 3.0, "b": 2}]}',
    { "* Remove duplicate item": '{"a": [1, {"b": 2, "c": 3}]}' },
  ],
  [
    "items that are there often",
    of("array", { uniqueItems: true }),
    '{"a": [1, 1, 2, 1, 2]}',
    { "* Remove 3 duplicate items": '{"a": [1, 2]}' },
  ],
  [
    "the nearest whole number that is allowed",
    of("integer", { minimum: 2.5 }),
    '{"a": 1}',
    { "* Change to 3": '{"a": 3}' },
  ],
  [
    "the nearest multiple within both bounds",
    of("number", { minimum: 0.05, maximum: 0.35, multipleOf: 0.1 }),
    '{"a": 0.38}',
    { "* Change to 0.3": '{"a": 0.3}' },
  ],
  ["no number between the bounds", of("integer", { minimum: 2.1, maximum: 2.9 }), '{"a": 1}', {}],
  [
    "an old open bound",
    {
      $schema: "http://json-schema.org/draft-04/schema#",
      properties: { a: { minimum: 3, exclusiveMinimum: true, multipleOf: 0.5 } },
    },
    '{"a": 3}',
    { "* Change to 3.5": '{"a": 3.5}' },
  ],
  [
    "spaces and capitals that a pattern does not allow, and the schema's example",
    of("string", { pattern: "^[a-z]{2,}$", examples: ["demo", "No"] }),
    '{"a": " Abc "}',
    { '* Change to "abc"': '{"a": "abc"}', 'Change to "demo"': '{"a": "demo"}' },
  ],
  [
    "a date with a space",
    of("string", { format: "date" }),
    '{"a": "2026-11-20 "}',
    {
      '* Change to "2026-11-20"': '{"a": "2026-11-20"}',
    },
  ],
  [
    "too short a text, by the schema's default",
    of("string", { minLength: 1, default: "x" }),
    '{"a": ""}',
    { 'Change to "x"': '{"a": "x"}' },
  ],
];

describe("the fixes of a problem", () => {
  for (const [name, schema, text, expected] of cases) {
    it(`offer ${Object.keys(expected).join(" or ") || "nothing"}: ${name}`, () =>
      assert.deepEqual(fixesOf(text, schema), expected));
  }

  it("offer at most ten values, the nearest first", () => {
    const values = Array.from({ length: 30 }, (_, index) => `value${index}`);
    const titles = Object.keys(
      fixesOf('{"a": "vlaue29"}', { properties: { a: { enum: values } } }),
    );
    assert.equal(titles.length, 10);
    assert.equal(titles[0], '* Change to "value29"');
  });

  it("are none for a text that ends within an object if its last name is unfinished", () => {
    const input = checkedText('{"a": 1, summ', {});
    const [, end] = input.problems;
    assert.deepEqual(end && payloadFixes(input, end), []);
  });

  it("skip values that are too long to be complete", () => {
    const schema = { properties: { a: { enum: ["x".repeat(5000), "y"] } } };
    assert.deepEqual(Object.keys(fixesOf('{"a": 1}', schema)), ['Change to "y"']);
  });
});

describe("removing a property", () => {
  const strict = { properties: { a: {}, z: {} }, additionalProperties: false };
  const texts: [before: string, after: string][] = [
    ['{\n  "q9": 1,\n  "a": 2\n}', '{\n  "a": 2\n}'],
    ['{\n  "a": 2,\n  "q9": {"b": [1, 2]}\n}', '{\n  "a": 2\n}'],
    ['{ "q9": "x,y}" }', "{}"],
    ['{"a": 1, "q9": [{}], "z": 3}', '{"a": 1, "z": 3}'],
  ];
  for (const [before, after] of texts) {
    it(`leaves ${JSON.stringify(after)} of ${JSON.stringify(before)}`, () =>
      assert.deepEqual(fixesOf(before, strict), { 'Remove "q9"': after }));
  }
});

describe("the indentation of what a fix adds", () => {
  const cases: readonly (readonly [text: string, schema: JsonValue, after: string])[] = [
    ["{}", { required: ["a"], properties: { a: { const: 1 } } }, '{\n\t"a": 1\n}'],
    [
      '{\n  "b": {}\n}',
      { required: ["a"], properties: { a: { const: [1] } } },
      '{\n  "b": {},\n  "a": [\n    1\n  ]\n}',
    ],
    ["[\n1]", { minItems: 2, items: { const: [2] } }, "[\n1,\n[\n\t2\n]]"],
  ];
  for (const [text, schema, after] of cases) {
    it(`is the text's own, else the editor's: ${JSON.stringify(text)}`, () => {
      const input = checkedText(text, schema, "\t");
      const [fix] = input.problems.flatMap((problem) =>
        problem.code === "const" ? [] : payloadFixes(input, problem),
      );
      assert.equal(fix && applyEdits(text, fix.edits), after);
    });
  }
});

describe("fixes beside comments and trailing commas", () => {
  const strict = { properties: { b: {} }, additionalProperties: false };
  const cases: readonly (readonly [
    text: string,
    schema: JsonValue,
    code: string,
    after: string,
  ])[] = [
    ["[[1, /* 1 */], [1,]]", { uniqueItems: true }, "uniqueItems", "[[1, /* 1 */]]"],
    ["[{} // x\n]", { minItems: 2, items: { const: 1 } }, "minItems", "[{}, 1 // x\n]"],
    ["[[1, // x\n]]", { minItems: 2, items: { const: 1 } }, "minItems", "[[1, // x\n], 1]"],
    ['{"a": 1 /* x */, "b": 2}', strict, "additionalProperties", '{"b": 2}'],
    ['{"a": 1, /* x */}', strict, "additionalProperties", "{}"],
    ['{"b": 2, /* x */ "a": 1,}', strict, "additionalProperties", '{"b": 2,}'],
    ['{"b": [1, // x\n]}', { properties: { b: { type: "integer" } } }, "type", '{"b": 1}'],
  ];
  for (const [text, schema, code, after] of cases) {
    it(`make ${JSON.stringify(after)} of ${JSON.stringify(text)} for ${code}`, () => {
      const input = checkedText(text, schema);
      const problem = input.problems.find((one) => one.code === code);
      assert.ok(problem);
      const [fix] = payloadFixes(input, problem);
      assert.equal(fix && applyEdits(text, fix.edits), after);
    });
  }
});

describe("the replacement for a credential in a payload", () => {
  const token = `ghp_${"aB3dE7gH1jK5mN9pQ2sT6vX0zY4cF8bW".repeat(2).slice(0, 36)}`;
  const cases: readonly (readonly [text: string, fixed: string | undefined])[] = [
    [`{"a": "${token}", "b": 1}`, '{"a": "", "b": 1}'],
    [`{"a": "x \\" ${token} y"}`, '{"a": ""}'],
    ['{"a": "-----BEGIN PRIVATE KEY-----\\nMIIE\\n-----END PRIVATE KEY-----"}', '{"a": ""}'],
    [`{"${token}": 1}`, undefined],
    [`{"a": "${token}`, undefined],
  ];
  for (const [text, fixed] of cases) {
    it(`is ${fixed} for ${text}`, () => {
      const problems = secretProblems(text, [], english);
      const input = fixInput({ text, problems, indent: "" }, undefined);
      const [fix] = problems.flatMap((problem) => payloadFixes(input, problem));
      assert.equal(fix && applyEdits(text, fix.edits), fixed);
    });
  }

  for (const sign of ["x", "\\\\", '\\"']) {
    it(`is nothing in a string of 8 MB of ${sign}`, () => {
      const text = `{"a": "${sign.repeat(8_000_000 / sign.length)}${token}"}`;
      const [problem] = secretProblems(text, [token], english);
      assert.ok(problem);
      const [fix] = payloadFixes(
        fixInput({ text, problems: [problem], indent: "" }, undefined),
        problem,
      );
      assert.equal(fix && applyEdits(text, fix.edits), '{"a": ""}');
    });
  }
});
