import assert from "node:assert/strict";
import { describe, it } from "mocha";
import german from "../../../l10n/bundle.l10n.de.json";
import { problemText } from "../../../src/core/payload/payloadCheck";
import { testableSchema } from "../../../src/core/schema/read/testableSchema";
import { english, languageOf } from "../../../src/core/text/language";
import { checkPayload } from "../../../src/language/checkPayload";
import { compileSchema } from "../../../src/language/compileSchema";

describe("checkPayload", () => {
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
    [{ items: { type: "string" } }, "[null]", { kind: "wrongType", expected: ["string"] }],
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

  const having = (rules: object) => ({ required: ["a"], properties: { a: rules } });
  const words: [schema: object, text: string, message: string][] = [
    [{ not: { type: "string" } }, '"a"', "Must not be a string."],
    [{ not: { enum: ["a", 1] } }, '"a"', 'Must not be "a" or 1.'],
    [{ not: { minimum: 5 } }, "6", "Must not be 5 or more."],
    [{ oneOf: [false, false] }, "6", "No value is allowed here."],
    [{ not: {} }, "6", 'Must not match the schema under "not".'],
    [{ dependentRequired: { a: ["b"] } }, '{"a": 1}', '"b" is required because "a" is present.'],
    [{ dependentSchemas: { a: false } }, '{"a": 1}', '"a" is not allowed here.'],
    [{ contains: { const: "x" } }, "[1]", 'At least one item must be "x".'],
    [{ contains: { required: ["id"] } }, "[{}]", "At least one item must have “id”."],
    [
      { contains: { type: "string", minLength: 2, pattern: "^x" } },
      "[1]",
      "At least one item must be a string with at least 2 characters that matches /^x/.",
    ],
    // What words cannot say completely is not said in part.
    [
      { not: { required: ["a"], properties: { a: { not: { type: "null" } } } } },
      '{"a": 1}',
      'Must not match the schema under "not".',
    ],
    [{ not: { properties: { a: { const: 1 } } } }, "{}", 'Must not match the schema under "not".'],
    [
      { not: { required: ["a"], additionalProperties: { type: "number" } } },
      '{"a": 1}',
      'Must not match the schema under "not".',
    ],
    [{ contains: {} }, "[]", 'At least one item must match "contains".'],
    // At most two levels of members, and ten parts.
    [
      { not: having(having({ const: 1 })) },
      '{"a":{"a":1}}',
      "Must not have “a” with a value with “a”: 1.",
    ],
    [
      { not: having(having(having({ const: 1 }))) },
      '{"a":{"a":{"a":1}}}',
      'Must not match the schema under "not".',
    ],
    [
      { contains: { required: [..."abcdefghijk"] } },
      "[{}]",
      'At least one item must match "contains".',
    ],
    [{ prefixItems: [{}, {}], items: false }, "[1, 2, 3]", "Must have at most 2 items."],
    [{ prefixItems: [{}], items: false }, "[1, 2]", "Must have at most 1 item."],
    // biome-ignore lint/suspicious/noThenProperty: the keyword has this name.
    [{ if: { type: "string" }, then: false }, '"a"', "Must not be a string."],
    [{ if: { type: "string" }, else: false }, "1", "Must be a string."],
    [{ if: { required: ["a"] }, else: false }, "{}", "Must have “a”."],
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

  const inBothLanguages: [schema: object, text: string, message: string, german: string][] = [
    [
      { not: { properties: { a: { const: 1 } }, required: ["a"] } },
      '{"a": 1}',
      "Must not have “a” with 1.",
      "Darf „a“ mit 1 nicht haben.",
    ],
    [
      { contains: { properties: { id: { const: 1 } }, required: ["id"] } },
      '[{"id": 2}]',
      "At least one item must have “id”: 1.",
      "Mindestens ein Element muss „id“: 1 haben.",
    ],
    [
      // biome-ignore lint/suspicious/noThenProperty: the keyword has this name.
      { if: { properties: { c: { const: "US" } } }, then: false },
      '{"c": "US"}',
      'Not allowed where “c” is "US".',
      'Nicht erlaubt, wenn „c“ "US" ist.',
    ],
    [{ not: { pattern: "^x" } }, '"x"', "Must not match /^x/.", "Darf nicht auf /^x/ passen."],
    [
      { contains: { pattern: "^x" } },
      '["y"]',
      "At least one item must match /^x/.",
      "Mindestens ein Element muss auf /^x/ passen.",
    ],
    [
      { not: { anyOf: [{ const: 1 }, { const: 2 }] } },
      "1",
      "Must not be 1 or 2.",
      "Darf nicht 1 oder 2 sein.",
    ],
    [
      { not: { required: ["a", "b"] } },
      '{"a": 1, "b": 2}',
      "Must not have “a” and “b” together.",
      "Darf „a“ und „b“ nicht zusammen haben.",
    ],
    [
      { type: "string", enum: ["name", "size"] },
      "5",
      'Must be "name" or "size".',
      'Erwartet wird "name" oder "size".',
    ],
    [{ enum: [] }, "5", "No value is allowed here.", "Hier ist kein Wert erlaubt."],
    [
      {},
      "a: 1",
      'An object needs braces: {"a": 1}',
      'Ein Objekt braucht geschweifte Klammern: {"a": 1}',
    ],
  ];
  for (const [schema, text, message, inGerman] of inBothLanguages) {
    it(`reports ${message} and ${inGerman} for ${text} by ${JSON.stringify(schema)}`, () => {
      const compiled = compileSchema(testableSchema(schema));
      const messages = [english, languageOf("de", german)].map((language) =>
        checkPayload(text, compiled, language).problems.map((problem) => problem.message),
      );
      assert.deepEqual(messages, [[message], [inGerman]]);
    });
  }

  it("appends the author's message to the rule, shortened and on one line, and no description", () => {
    const errorMessage = { type: `The age\n in years. ${"x".repeat(500)}` };
    const told = (schema: object) =>
      checkPayload("1", compileSchema(testableSchema({ type: "string", ...schema })), english)
        .problems[0]?.message ?? "";
    assert.ok(told({ errorMessage }).includes("The age in years. x"));
    assert.ok(told({ errorMessage }).length < 300);
    assert.equal(told({ description: "The age." }), "Must be a string, not a number.");
    const schema = { minimum: 5, maximum: 9, errorMessage: { minimum: "At least five, please." } };
    const messages = ["1", "10"].map(
      (text) => checkPayload(text, compileSchema(testableSchema(schema)), english).problems,
    );
    assert.ok(messages[0]?.[0]?.message.endsWith("At least five, please."));
    assert.ok(!messages[1]?.[0]?.message.includes("five"));
  });

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
    const long = JSON.stringify({ b: "x".repeat(1_000_000) }).slice(0, -1);
    const [problem] = checkPayload(`${long},"a":12345678901234567890}`, compiled, english).problems;
    assert.equal(problem?.pointer, "", "a long text is not read twice");
    for (const [text, begins] of texts) {
      const { problems } = checkPayload(text, compiled, english, { secrets: ["very own"] });
      assert.ok(problems.length > 0, text);
      for (const problem of problems) {
        assert.ok(problemText(problem).startsWith(begins), problemText(problem));
      }
    }
  });
});
