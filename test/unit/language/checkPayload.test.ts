import assert from "node:assert/strict";
import { describe, it } from "mocha";
import { testableSchema } from "../../../src/core/schema/read/testableSchema";
import { english } from "../../../src/core/text/language";
import { checkPayload } from "../../../src/language/checkPayload";
import { compileSchema } from "../../../src/language/compileSchema";

const tagged = {
  oneOf: [
    {
      properties: { kind: { const: "mail" }, to: { type: "string" } },
      required: ["kind", "to"],
      additionalProperties: false,
    },
    {
      properties: { kind: { const: "call" }, number: { type: "integer" } },
      required: ["kind", "number"],
      additionalProperties: false,
    },
    {
      properties: { kind: { enum: ["post", "fax"] }, street: { type: "string" } },
      required: ["kind", "street"],
    },
  ],
};

/** Text and schema in; out: code, marked text, and the pointer of the value. */
const parameter = {
  properties: { name: {}, in: { enum: ["query", "path"] }, schema: {}, content: {}, style: {} },
  additionalProperties: false,
};

const cases: [what: string, schema: unknown, text: string, found: string[]][] = [
  ["a wrong type", { properties: { a: { type: "string" } } }, '{"a": 12}', ["type 12 /a"]],
  [
    "only the wrong type, no rule that depends on the type",
    { type: "object", properties: { a: { type: "string", minLength: 2, pattern: "x" } } },
    '{"a": 1}',
    ["type 1 /a"],
  ],
  [
    "only that the value is not listed, whatever its type",
    { type: "object", properties: { a: { type: "string", minLength: 2, enum: ["x"] } } },
    '{"a": 1}',
    ["enum 1 /a"],
  ],
  [
    "missing properties at the brace",
    { properties: { a: { required: ["b", "c"] } } },
    '{"a":\n {"d": 1}}',
    ["required { /a", "required { /a"],
  ],
  [
    "an unknown property at its key",
    { properties: { name: true }, additionalProperties: false },
    '{"nmae": 1}',
    ['additionalProperties "nmae" /nmae'],
  ],
  [
    "an unevaluated property at its key",
    { allOf: [{ properties: { a: true } }], unevaluatedProperties: false },
    '{"a": 1, "b": {}}',
    ['unevaluatedProperties "b" /b'],
  ],
  [
    "no unevaluated property if a branch fails",
    { allOf: [{ properties: { a: { type: "null" } } }], unevaluatedProperties: false },
    '{"a": 1}',
    ["type 1 /a"],
  ],
  [
    "a property whose schema is false",
    { properties: { a: false } },
    '{"a": 1}',
    ['properties "a" /a'],
  ],
  [
    "a property's name",
    { propertyNames: { maxLength: 2 } },
    '{"ab": 1, "abc": 2}',
    ['propertyNames "abc" /abc'],
  ],
  ["items of a list", { items: { minimum: 2 } }, "[1, 2, 0]", ["minimum 1 /0", "minimum 0 /2"]],
  ["one item too many", { prefixItems: [true], items: false }, "[1, 2]", ["items 2 /1"]],
  ["equal items", { uniqueItems: true }, "[1, 1]", ["uniqueItems [1, 1] "]],
  [
    "a list that does not contain the required item",
    { contains: { const: 1 } },
    "[2]",
    ["contains [2] "],
  ],
  [
    "a missing dependent property",
    { dependentRequired: { a: ["b"] } },
    '{"a": 1}',
    ["dependentRequired { "],
  ],
  [
    "the older spelling of a keyword",
    {
      $schema: "http://json-schema.org/draft-07/schema#",
      dependencies: { a: ["b"] },
    },
    '{"a": 1}',
    ["dependencies { "],
  ],
  [
    "a rule behind references",
    { $ref: "#/$defs/a", $defs: { a: { $ref: "#/$defs/b" }, b: { maxLength: 1 } } },
    '"ab"',
    ['maxLength "ab" '],
  ],
  [
    "the same rule in two places once",
    { allOf: [{ minimum: 1 }, { minimum: 1 }] },
    "0",
    ["minimum 0 "],
  ],
  [
    "two rules with the same message, each by its keyword",
    { allOf: [{ const: 1 }, { enum: [1] }] },
    "2",
    ["const 2 ", "enum 2 "],
  ],
  ["the branch whose tag fits", tagged, '{"kind": "call", "number": "1"}', ['type "1" /number']],
  [
    "the branch whose tag fits though others have fewer failures",
    tagged,
    '{"kind": "call", "to": "a", "x": 1}',
    ["required { ", 'additionalProperties "to" /to', 'additionalProperties "x" /x'],
  ],
  ["a tag that fits no branch", tagged, '{"kind": "mial"}', ['enum "mial" /kind']],
  [
    "the branch for this type of value",
    { anyOf: [{ type: "string" }, { type: "array", items: { type: "string" } }] },
    "[1]",
    ["type 1 /0"],
  ],
  [
    "the types of all branches together",
    { anyOf: [{ type: "string" }, { type: "null" }] },
    "1",
    ["type 1 "],
  ],
  [
    "values of all branches together",
    { oneOf: [{ const: "a" }, { const: "b" }] },
    '"c"',
    ['enum "c" '],
  ],
  [
    "the types and values of branches together",
    { anyOf: [{ type: "integer" }, { enum: ["auto"] }] },
    "true",
    ["anyOf true "],
  ],
  [
    "the branch with the fewest failures",
    {
      anyOf: [
        { required: ["a", "b"], properties: { a: { type: "null" } } },
        { required: ["c"], properties: { c: { type: "null" } } },
      ],
    },
    '{"a": null}',
    ["required { "],
  ],
  [
    "the branch with the most in common if failures are equally many",
    {
      anyOf: [
        { required: ["x"], properties: { x: { type: "null" } } },
        { required: ["a"], properties: { a: { type: "null" } } },
      ],
    },
    '{"a": 1}',
    ["type 1 /a"],
  ],
  ["only a missing tag, if the tag decides the branch", tagged, '{"x": 1}', ["required { "]],
  [
    "once that one of several properties is missing",
    { anyOf: [{ required: ["a"] }, { required: ["b"] }] },
    "{}",
    ["required { "],
  ],
  [
    "an enum that tells no branches apart",
    {
      anyOf: [
        { properties: { kind: { const: "a" }, level: { enum: [1, 2] } }, required: ["kind"] },
        { properties: { size: true }, required: ["size", "unit"] },
      ],
    },
    '{"kind": "a", "level": 3}',
    ["enum 3 /level"],
  ],
  [
    "problems of an object that might also be a reference",
    { oneOf: [{ properties: { $ref: {} }, required: ["$ref"] }, parameter] },
    '{"name": "q", "in": 1, "x": 2}',
    ["enum 1 /in", 'additionalProperties "x" /x'],
  ],
  [
    "the nearest branch, if a property has the same values in all",
    {
      oneOf: [
        { ...parameter, required: ["schema"] },
        { ...parameter, required: ["content", "style"] },
      ],
    },
    '{"name": "q", "in": "body", "schema": 1}',
    ['enum "body" /in'],
  ],
  ["more than one fitting branch", { oneOf: [{ minimum: 1 }, { maximum: 5 }] }, "3", ["oneOf 3 "]],
  ["a value that “not” excludes", { not: { required: ["a"] } }, '{"a": 1}', ['not {"a": 1} ']],
  [
    "a format as a warning",
    { properties: { a: { format: "date" } } },
    '{"a": "2026-13-01"}',
    ['warning format "2026-13-01" /a'],
  ],
  [
    "no format if another branch fits it",
    { anyOf: [{ format: "ipv4" }, { format: "ipv6" }] },
    '"::1"',
    [],
  ],
  [
    "no format of a branch that does not fit",
    { anyOf: [{ format: "date", maxLength: 1 }, { minLength: 1 }] },
    '"ab"',
    [],
  ],
  [
    "a trailing comma beside a schema's rule",
    { properties: { a: { type: "null" } } },
    '{"a": 1,}',
    ["type 1 /a", "json , "],
  ],
  ["comments", {}, "{} // x", ["json // x "]],
  [
    "a key named twice, the last of which counts",
    { properties: { a: { type: "null" } } },
    '{"a": 1, "a": null}',
    ['json "a" '],
  ],
  [
    "a number that loses digits",
    {},
    '{"a": 9007199254740993}',
    ["warning json 9007199254740993 /a"],
  ],
  ["a byte order mark", { type: "object" }, "\ufeff{}", ["json \ufeff "]],
  ["no text", {}, "", ["json  "]],
  [
    "escaped steps of a pointer",
    { items: { properties: { "a/b~c": { type: "null" } } } },
    '[{"a/b~c": 1}]',
    ["type 1 /0/a~1b~0c"],
  ],
  [
    "__proto__ as data",
    JSON.parse('{"properties":{"__proto__":{"type":"null"}}}'),
    '{"__proto__": 1}',
    ["type 1 /__proto__"],
  ],
];

describe("checkPayload", () => {
  for (const [what, schema, text, expected] of cases) {
    it(`reports ${what}`, () => {
      const check = checkPayload(text, compileSchema(testableSchema(schema)), english);
      const found = check.problems.map(({ severity, code, start, end, pointer }) => {
        const prefix = severity === "warning" ? "warning " : "";
        return `${prefix}${code} ${text.slice(start, end)} ${pointer}`;
      });
      assert.deepEqual(found, expected);
      const hasErrors = check.problems.some(({ severity }) => severity === "error");
      assert.equal(check.state, hasErrors ? "invalid" : "valid");
    });
  }

  it("lists 200 problems, errors first, in text order, and counts the rest", () => {
    const row = { properties: { a: { format: "date" }, b: { type: "null" } } };
    const text = JSON.stringify(Array.from({ length: 150 }, () => ({ a: "x", b: 1 })));
    const check = checkPayload(text, compileSchema(testableSchema({ items: row })), english);
    assert.equal(check.problems.length, 200);
    assert.equal(check.hiddenProblems, 100);
    assert.equal(check.problems.filter(({ severity }) => severity === "error").length, 150);
    const starts = check.problems.map(({ start }) => start);
    assert.deepEqual(
      starts,
      starts.toSorted((left, right) => left - right),
    );
  });

  it("lists 20 syntax errors, and reads no further", () => {
    const check = checkPayload(
      `[${"@,".repeat(500)}1]`,
      compileSchema(testableSchema(true)),
      english,
    );
    assert.deepEqual([check.state, check.problems.length], ["invalid", 20]);
  });

  it("is valid for a text with warnings only", () => {
    const check = checkPayload(
      "9007199254740993",
      compileSchema(testableSchema({ type: "integer" })),
      english,
    );
    assert.deepEqual([check.state, check.problems.length], ["valid", 1]);
  });

  const emptyNames: [schema: unknown, text: string, state: string][] = [
    [{ required: [""] }, "{}", "invalid"],
    [{ required: [""] }, '{"": 1}', "valid"],
    [{ required: ["a", ""] }, '{"a": 1}', "invalid"],
    [{ dependentRequired: { a: [""] } }, '{"a": 1}', "invalid"],
    [{ dependentRequired: { a: ["b", ""] } }, '{"a": 1, "b": 1}', "invalid"],
    [{ dependentRequired: { a: [""] } }, "{}", "valid"],
    [{ dependentRequired: { "": ["a"] } }, '{"": 1}', "invalid"],
    [{ minProperties: 1, properties: { "": { type: "null" } } }, '{"": 1}', "invalid"],
  ];
  for (const [schema, text, state] of emptyNames) {
    it(`returns ${state} for ${text} by a schema with an empty property name: ${JSON.stringify(schema)}`, () =>
      assert.equal(
        checkPayload(text, compileSchema(testableSchema(schema)), english).state,
        state,
      ));
  }

  it("is never valid if the schema cannot be applied", () => {
    const check = checkPayload("  1", compileSchema(testableSchema({ $ref: "#" })), english);
    assert.equal(check.state, "unchecked");
    assert.deepEqual(
      check.problems.map(({ code, start, end }) => [code, start, end]),
      [["unchecked", 2, 3]],
    );
  });
});
