import assert from "node:assert/strict";
import fc from "fast-check";
import { describe, it } from "mocha";
import { problemText } from "../../../src/core/payload/payloadCheck";
import { testableSchema } from "../../../src/core/schema/read/testableSchema";
import { runSync } from "../../../src/core/text/chunked";
import { english } from "../../../src/core/text/language";
import { checkPayload } from "../../../src/language/checkPayload";
import { compileSchema } from "../../../src/language/compileSchema";
import { surveyBody } from "../../../src/registry/decode/parseJson";

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
    { type: "object", properties: { a: { type: "string", minLength: 2, enum: ["x"] } } },
    '{"a": 1}',
    ["type 1 /a"],
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

  it("names the place in the schema", () => {
    const schema = {
      $defs: { a: { type: "null" } },
      properties: { b: { items: { $ref: "#/$defs/a" } } },
    };
    const [problem] = checkPayload(
      '{"b":[1]}',
      compileSchema(testableSchema(schema)),
      english,
    ).problems;
    assert.equal(problem?.schemaPointer, "/$defs/a/type");
  });

  const data: [schema: unknown, text: string, expected: object | undefined][] = [
    [{ required: ["a"] }, "{}", { kind: "missingProperty", name: "a" }],
    [
      { properties: { firstName: true, age: true }, additionalProperties: false },
      '{"first_name":1}',
      { kind: "unknownProperty", name: "first_name", didYouMean: "firstName", isSure: true },
    ],
    [
      { properties: { age: true }, additionalProperties: false },
      '{"zzz":1}',
      { kind: "unknownProperty", name: "zzz" },
    ],
    [{ type: ["string", "null"] }, "1", { kind: "wrongType", expected: ["string", "null"] }],
    [
      { enum: ["active", "idle"] },
      '"activ"',
      {
        kind: "allowedValues",
        values: ['"active"', '"idle"'],
        total: 2,
        nearest: '"active"',
        isSure: true,
      },
    ],
    [{ maxLength: 2 }, '"😀😀😀"', { kind: "limit", limit: 2 }],
    [{ pattern: "^a" }, '"b"', { kind: "textForm" }],
    [{ contains: true }, "[]", undefined],
    [{}, "[1,]", { kind: "trailingComma" }],
    [{}, "1e999", { kind: "lossyNumber", readAs: "infinity" }],
    [{}, '{"a":1,"a":1}', { kind: "duplicateKey", name: "a", firstStart: 1 }],
  ];
  for (const [schema, text, expected] of data) {
    it(`passes ${expected ? JSON.stringify(expected) : "nothing"} to a quick fix`, () => {
      const [problem] = checkPayload(text, compileSchema(testableSchema(schema)), english).problems;
      assert.deepEqual(problem?.data, expected);
    });
  }

  const words: [schema: object, text: string, message: string][] = [
    [{ not: { type: "string" } }, '"a"', "Must not be a string."],
    [{ not: { enum: ["a", 1] } }, '"a"', 'Must not be "a" or 1.'],
    [{ not: { required: ["a", "b"] } }, '{"a": 1, "b": 2}', 'Must not have "a", "b".'],
    [{ not: { minimum: 5 } }, "6", "Must not be 5 or more."],
    [{ oneOf: [false, false] }, "6", "Nothing is allowed here."],
    [{ not: {} }, "6", 'Must not match the schema under "not".'],
    [{ dependentRequired: { a: ["b"] } }, '{"a": 1}', '"b" is required because "a" is present.'],
    [{ dependentSchemas: { a: false } }, '{"a": 1}', '"a" is not allowed here.'],
    [{ contains: { const: "x" } }, "[1]", 'At least one item must be "x".'],
    [{ contains: { required: ["id"] } }, "[{}]", 'At least one item must have "id".'],
    [{ contains: {} }, "[]", 'At least one item must match "contains".'],
    [{ prefixItems: [{}, {}], items: false }, "[1, 2, 3]", "Must have at most 2 items."],
    [{ prefixItems: [{}], items: false }, "[1, 2]", "Must have at most 1 item."],
    // biome-ignore lint/suspicious/noThenProperty: the keyword has this name.
    [{ if: { type: "string" }, then: false }, '"a"', "Must not be a string."],
    [{ if: { type: "string" }, else: false }, "1", "Must be a string."],
    [{ if: { required: ["a"] }, else: false }, "{}", 'Must have "a".'],
  ];
  for (const [schema, text, message] of words) {
    it(`reports ${message} for ${text} by ${JSON.stringify(schema)}`, () => {
      const check = checkPayload(text, compileSchema(testableSchema(schema)), english);
      assert.deepEqual(
        check.problems.map((problem) => problem.message),
        [message],
      );
    });
  }

  it("appends the author's message to the rule, shortened and on one line", () => {
    const description = `The age\n in years. ${"x".repeat(500)}`;
    const [told] = checkPayload(
      "1",
      compileSchema(testableSchema({ type: "string", description })),
      english,
    ).problems;
    assert.ok(told?.message.includes("The age in years. x") && told.message.length < 300);
    const schema = { minimum: 5, maximum: 9, errorMessage: { minimum: "At least five, please." } };
    const messages = ["1", "10"].map(
      (text) => checkPayload(text, compileSchema(testableSchema(schema)), english).problems,
    );
    assert.ok(messages[0]?.[0]?.message.endsWith("At least five, please."));
    assert.ok(!messages[1]?.[0]?.message.includes("five"));
  });

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

  const digits: [schema: unknown, text: string, state: string][] = [
    [{ minimum: 9007199254740992 }, "9007199254740993", "unchecked"],
    [{ minimum: 9007199254740990 }, "9007199254740993", "valid"],
    [{ maximum: 9007199254740991 }, "9007199254740993", "invalid"],
    [{ maximum: 2 ** 63 }, "9223372036854775807", "unchecked"],
    [{ exclusiveMinimum: 0 }, "1e-400", "unchecked"],
    [{ exclusiveMaximum: 9007199254740992 }, "9007199254740991.5", "unchecked"],
    [{ exclusiveMaximum: 9007199254740992 }, "9007199254740992", "invalid"],
    [{ multipleOf: 2 }, "9007199254740993", "unchecked"],
    [{ multipleOf: 2 }, "9007199254740992", "valid"],
    [{ const: 9007199254740992 }, "9007199254740993", "unchecked"],
    [{ const: 9007199254740992 }, "9007199254740992", "valid"],
    [{ const: { a: [9007199254740992] } }, '{"a": [9007199254740993]}', "unchecked"],
    [{ enum: [1, 2] }, "9007199254740993", "invalid"],
    [{ enum: ["a", 9007199254740992] }, "9007199254740993", "unchecked"],
    [{ not: { const: 9007199254740992 } }, "9007199254740993", "unchecked"],
    [{ uniqueItems: true }, "[9007199254740992, 9007199254740993]", "unchecked"],
    [{ uniqueItems: true }, "[9007199254740993, 9007199254740995]", "valid"],
    [{ type: "integer" }, "1.00000000000000000001", "unchecked"],
    [{ type: "integer" }, "1.00000000000000000000", "valid"],
    [{ type: "integer" }, "9007199254740993.0", "valid"],
    [{ type: "integer" }, "[1.00000000000000000001]", "invalid"],
    [{ type: ["integer", "number"] }, "1.00000000000000000001", "valid"],
    [{ items: { type: "integer", maximum: 5 } }, "[1, 2, 1e400]", "invalid"],
    [{ properties: { a: { const: 1 } } }, '{"a": 1, "b": 9007199254740993}', "valid"],
  ];
  for (const [schema, text, state] of digits) {
    it(`returns ${state} for ${text}, which JavaScript may round: ${JSON.stringify(schema)}`, () =>
      assert.equal(
        checkPayload(text, compileSchema(testableSchema(schema)), english).state,
        state,
      ));
  }

  // The schema as a registry writes it; parsed into numbers, it has lost digits.
  const writtenDigits: [schema: string, text: string, state: string][] = [
    ['{"minimum": 9007199254740993}', "9007199254740992", "unchecked"],
    ['{"minimum": 9007199254740993}', "9007199254740993", "unchecked"],
    ['{"minimum": 9007199254740993}', "9007199254740990", "invalid"],
    ['{"minimum": 9007199254740993}', "9007199254740994", "valid"],
    ['{"maximum": 9007199254740993}', "9007199254740994", "invalid"],
    ['{"maximum": 18446744073709551615}', "1", "valid"],
    ['{"maximum": 18446744073709551615}', "18446744073709551616", "unchecked"],
    ['{"maximum": 18446744073709551615}', "18446744073709555712", "invalid"],
    ['{"exclusiveMinimum": 0.10000000000000000001}', "0.1", "unchecked"],
    ['{"const": 9007199254740993}', "9007199254740992", "unchecked"],
    ['{"const": 9007199254740993}', "1", "invalid"],
    ['{"const": {"a": [9007199254740993]}}', '{"a": [9007199254740992]}', "unchecked"],
    ['{"enum": ["a", 9007199254740993]}', '"a"', "valid"],
    ['{"enum": ["a", 9007199254740993]}', "9007199254740992", "unchecked"],
    ['{"not": {"const": 9007199254740993}}', "9007199254740992", "unchecked"],
    ['{"multipleOf": 0.10000000000000000001}', "0.3", "unchecked"],
    ['{"multipleOf": 0.10000000000000000001}', '"0.3"', "valid"],
    ['{"default": 9007199254740993, "type": "integer"}', "9007199254740992", "valid"],
    ['{"default": 9007199254740993, "maximum": 9}', "10", "invalid"],
    ['{"title": "9007199254740993", "maximum": 9007199254740992}', "9007199254740992", "valid"],
  ];
  for (const [written, text, state] of writtenDigits) {
    it(`returns ${state} for ${text} by a schema whose number JavaScript may round: ${written}`, () => {
      const options = { lossyNumbers: lossyOf(written) };
      const compiled = compileSchema(testableSchema(JSON.parse(written)));
      assert.equal(checkPayload(text, compiled, english, options).state, state);
    });
  }

  it("never contradicts the verdict by all digits of schema and value", () => {
    const near = fc.bigInt({ min: 2n ** 53n - 4n, max: 2n ** 53n + 12n });
    const keyword = fc.constantFrom("minimum", "maximum", "exclusiveMinimum", "const");
    let decided = 0;
    fc.assert(
      fc.property(keyword, near, near, (rule, limit, value) => {
        const fits = {
          minimum: value >= limit,
          maximum: value <= limit,
          exclusiveMinimum: value > limit,
          const: value === limit,
        }[rule];
        const written = `{"${rule}": ${limit}}`;
        const { state } = checkPayload(
          `${value}`,
          compileSchema(testableSchema(JSON.parse(written))),
          english,
          {
            lossyNumbers: lossyOf(written),
          },
        );
        if (state === "unchecked") return;
        decided += 1;
        assert.equal(state, fits ? "valid" : "invalid", `${value} ${written}`);
      }),
    );
    assert.ok(decided > 20, `${decided} decided`);
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

  const tall = (items: string) => `{\n "a": [\n  ${items}\n ]\n}`;
  const marks: [what: string, schema: unknown, text: string, marked: string][] = [
    ["a list over several lines at its bracket", { minItems: 3 }, tall("1,\n  2"), "["],
    ["a list in one line as it is", { minItems: 3 }, '{"a": [1, 2]}', "[1, 2]"],
    ["an object at its brace", { minProperties: 3 }, '{"a": {\n}}', "{"],
    ["the first item that is too many", { maxItems: 1 }, tall('1,\n  "second",\n 3'), '"second"'],
    [
      "the item that repeats",
      { uniqueItems: true },
      tall('"one",\n  2,\n "on\\u0065"'),
      '"on\\u0065"',
    ],
    ["an item over several lines at its brace", { maxItems: 0 }, tall('{\n  "b": 1}'), "{"],
  ];
  for (const [what, rule, text, marked] of marks) {
    it(`marks ${what}`, () => {
      const schema = { properties: { a: rule } };
      const [problem] = checkPayload(text, compileSchema(testableSchema(schema)), english).problems;
      const { start, end } = problem?.mark ?? problem ?? { start: 0, end: 0 };
      assert.equal(text.slice(start, end), marked);
      const whole = text.slice(problem?.start, problem?.end);
      assert.match(whole, /^[[{].*[\]}]$/s, "fixes get the whole value");
    });
  }

  it("escapes invisible characters in names and values", () => {
    const schema = {
      required: ["a\u202Eb"],
      properties: { c: { enum: ["d\u200Be"] } },
      additionalProperties: false,
    };
    const text = '{"c": "f\u2066", "g\u200B": 1}';
    const { problems } = checkPayload(text, compileSchema(testableSchema(schema)), english);
    const messages = problems.map(({ message }) => message).join();
    assert.doesNotMatch(messages, /[\u200B\u202E\u2066]/);
    for (const shown of ["a\\u202Eb", "d\\u200Be", "g\\u200B"])
      assert.ok(messages.includes(shown), messages);
    const unread = compileSchema(testableSchema({ $ref: "#/\u202E" }));
    const { reason = "" } = checkPayload("1", unread, english);
    assert.match(reason, /\\u202E/);
  });

  it("warns about a credential without repeating it, if requested", () => {
    const key = `skh_${"0123456789abcdef".repeat(4)}`;
    const own = "a very own key";
    const compiled = compileSchema(testableSchema({ type: "object" }));
    const found = (text: string, secrets?: readonly string[]) => {
      const asked = secrets && { secrets };
      const { state, problems } = checkPayload(text, compiled, english, asked);
      for (const { message } of problems)
        assert.ok(!message.includes(key) && !message.includes(own));
      const marked = problems.filter(({ code }) => code === "secret");
      return [state, marked.map(({ start, end, severity }) => severity + text.slice(start, end))];
    };
    const text = JSON.stringify({ [key]: own });
    assert.deepEqual(found(text, [own]), ["valid", [`warning${key}`, `warning${own}`]]);
    assert.deepEqual(found(text, []), ["valid", [`warning${key}`]]);
    assert.deepEqual(found(text), ["valid", []]);
    assert.deepEqual(found(`{"a": "${key}"`, []), ["invalid", [`warning${key}`]]);
  });

  it("names the property of a credential and of a number that loses digits, but no secret name", () => {
    const key = `skh_${"0123456789abcdef".repeat(4)}`;
    const texts: [text: string, begins: string][] = [
      [`{"a": [{"b": "${key}"}]}`, "a[0].b: This looks like a Project Key"],
      [`{"a": 12345678901234567890}`, "a: This number loses precision"],
      [`{"${key}": "${key}"}`, "This looks like"],
      ['{"very own": "very own!"}', "This looks like your Project Key"],
    ];
    const compiled = compileSchema(testableSchema({ type: "object" }));
    for (const [text, begins] of texts) {
      const { problems } = checkPayload(text, compiled, english, { secrets: ["very own"] });
      assert.ok(problems.length > 0, text);
      for (const problem of problems) {
        assert.ok(problemText(problem).startsWith(begins), problemText(problem));
      }
    }
  });

  it("is never valid if the schema cannot be applied", () => {
    const check = checkPayload("  1", compileSchema(testableSchema({ $ref: "#" })), english);
    assert.equal(check.state, "unchecked");
    assert.deepEqual(
      check.problems.map(({ code, start, end }) => [code, start, end]),
      [["unchecked", 2, 3]],
    );
  });
});

/** Returns the inexact numbers of a text, as the registry's decoder notes them. */
function lossyOf(text: string): readonly number[] {
  const { lossyNumbers } = runSync(surveyBody(Buffer.from(text)));
  assert.ok(lossyNumbers !== "many");
  return lossyNumbers;
}
