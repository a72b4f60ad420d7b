import assert from "node:assert/strict";
import { describe, it } from "mocha";
import { declaredProperties } from "../../../../src/core/form/declaredProperties";
import type { JsonObject, JsonValue } from "../../../../src/core/json/jsonValue";
import { heldJson } from "../../../../src/core/payload/heldJson";
import { withoutSchema } from "../../../../src/core/payload/payloadCheck";
import {
  fitCountText,
  type PayloadTrial,
  parseSearchedJson,
  skillsForPayload,
  takenText,
} from "../../../../src/core/payload/skillsForPayload";
import { testableSchema } from "../../../../src/core/schema/read/testableSchema";
import { english } from "../../../../src/core/text/language";
import { checkPayload } from "../../../../src/language/checkPayload";
import { compileSchema } from "../../../../src/language/compileSchema";

const text = { type: "string" };

function checked(json: string, schema: JsonValue) {
  return checkPayload(json, compileSchema(testableSchema(schema)), english);
}

function row(slug: string): PayloadTrial["skill"] {
  return { slug, displayName: slug, version: "1.0.0", description: "", tags: [], numbers: {} };
}

/** Returns the skills with these schemas that accept a value, as `name: reason`. */
function found(value: JsonValue, schemas: Readonly<Record<string, JsonValue>>): readonly string[] {
  const trials = Object.entries(schemas).map(
    ([slug, schema]): PayloadTrial => ({
      skill: row(slug),
      declared: declaredProperties(testableSchema(schema), JSON.stringify(value)),
      check: checked(JSON.stringify(value), schema),
    }),
  );
  return skillsForPayload(value, trials, english).map(
    ({ skill, reason }) => `${skill.slug}: ${reason}`,
  );
}

function takes(properties: JsonObject, more: JsonObject = {}): JsonObject {
  return { type: "object", properties, ...more };
}

describe("The skills that accept a JSON value", () => {
  it("are ranked by declared properties, then by how few others exist; skills that accept anything come last", () => {
    const schemas = {
      anything: true,
      half: takes({ text }),
      wide: takes({ text, limit: text, other: text }),
      exact: takes({ text, limit: text }),
    };
    assert.deepEqual(found({ text: "a", limit: "b" }, schemas), [
      "exact: Fits",
      "wide: Fits",
      "half: Fits",
      "anything: Fits",
    ]);
  });

  it("come before skills that miss a property, which is named with its type", () => {
    const priority = { type: "string" };
    const size = { type: ["integer", "null"] };
    const schemas = {
      two: takes({ text, priority, size }, { required: ["text", "priority", "size"] }),
      one: takes({ text, priority }, { required: ["text", "priority"] }),
      all: takes({ text }),
    };
    assert.deepEqual(found({ text: "a" }, schemas), [
      "all: Fits",
      "one: Needs priority: string",
      "two: Needs priority: string, size: integer|null",
    ]);
  });

  it("are described by the first problem of a value, and the number of others", () => {
    const rows = { type: "array", items: takes({ id: text }, { required: ["id"] }) };
    const schema = takes({ text, rows }, { required: ["text"], additionalProperties: false });
    assert.deepEqual(found({ rows: [{}], a: 1, b: 2 }, { one: schema }), [
      'one: Needs text: string · rows[0]: "id" is missing. · 2 more',
    ]);
  });

  it("do not include object schemas that share no property with the value", () => {
    const schemas = {
      strict: takes({ text }, { additionalProperties: false }),
      needy: takes({ text }, { required: ["text"] }),
      list: { type: "array" },
    };
    assert.deepEqual(found({ other: 1 }, schemas), []);
    assert.deepEqual(found([1], schemas), ["list: Fits"]);
    assert.deepEqual(found(null, schemas), []);
  });

  it("are at most twenty, and none with an unknown schema", () => {
    const many = Object.fromEntries(Array.from({ length: 30 }, (_, index) => [`s${index}`, true]));
    assert.equal(found({}, many).length, 20);
    const check = withoutSchema(checked("{}", true), english);
    const trial = { skill: row("s"), declared: new Map<string, string>(), check };
    assert.deepEqual(skillsForPayload({}, [trial], english), []);
  });

  it("are described in one short line, whatever their property names", () => {
    const names = Array.from({ length: 50 }, (_, index) => `n${index}\n\u202e${"x".repeat(500)}`);
    const schema = takes({ text, ...Object.fromEntries(names.map((name) => [name, text])) });
    const [said = ""] = found({ text: "" }, { one: { ...schema, required: names } });
    assert.match(said, /^one: Needs n0[^\n\u202e]* · \d+ more$/);
    assert.ok(said.length < 200, said);
  });
});

describe("The JSON to find skills for", () => {
  it("may be any value", () => {
    assert.deepEqual(parseSearchedJson(" [1] ", english), { value: [1] });
    assert.deepEqual(parseSearchedJson("null", english), { value: null });
  });

  const held: readonly (readonly [what: string, text: string, value: JsonValue])[] = [
    ["with comments and a trailing comma", '{ "a": 1, // one\n "b": [2,], }', { a: 1, b: [2] }],
    ["as a literal of JavaScript", "{ a: 'x', b: undefined }", { a: "x", b: null }],
    ["as a literal of Python", "{'a': True, 'b': None}", { a: true, b: null }],
    ["in a fenced block", 'Send this:\n```json\n{"a": [1]}\n```\nThanks {x}', { a: [1] }],
    ["in a line of a log", '12:00:01 INFO [main] sent {"a": {"b": 1}} in 3 ms', { a: { b: 1 } }],
    ["in a command", `curl -d '{"a": 1}' https://x.example`, { a: 1 }],
    ["with a line break in a text", '{"a": "one\ntwo"}', { a: "one\ntwo" }],
  ];
  for (const [what, text, value] of held) {
    it(`is found ${what}`, () => {
      const read = parseSearchedJson(text, english);
      assert.ok("value" in read, JSON.stringify(read));
      assert.deepEqual(read.value, value);
      assert.deepEqual(JSON.parse(read.taken ?? ""), value);
      assert.match(takenText(read, english), /^Taken from the text: [{[]/);
    });
  }

  it("is searched in bounded time", () => {
    for (const text of ["{".repeat(200_000), "[{'a':".repeat(10_000), "```\n".repeat(50_000)]) {
      assert.ok("problem" in parseSearchedJson(text, english));
    }
  });

  const bad: readonly (readonly [text: string, problem: RegExp])[] = [
    [" \n", /no JSON here/],
    ["[".repeat(1_000_001), /too long/],
    ['{\n  "a": tru\n}', /^This is not valid JSON\. Line 2: /],
  ];
  for (const [text, problem] of bad) {
    it(`cannot be ${JSON.stringify(text.slice(0, 20))}`, () => {
      const read = parseSearchedJson(text, english);
      assert.match("problem" in read ? read.problem : "", problem);
    });
  }
});

describe("The JSON in a pasted text", () => {
  const quoted = (count: number) => `[${Array(count).fill("'x'")}]`;
  const long = (length: number) => `{a:"${"x".repeat(length - 6)}"}`;
  for (const [what, held, other] of [
    ["begins at most at the tenth bracket", `${"[x ".repeat(9)}{}`, `${"[x ".repeat(10)}{}`],
    ["has at most 2,000 mistakes", quoted(2000), quoted(2001)],
    ["has at most 100,000 characters if it has a mistake", long(100_000), long(100_001)],
  ] as const) {
    it(what, () => {
      assert.notEqual(heldJson(held), undefined);
      assert.equal(heldJson(other), undefined);
    });
  }
});

describe("The number of skills that accept a JSON value", () => {
  const counts = { takers: 2, checked: 5, isAll: true };
  const cases = [
    [counts, "2 of 5 skills take this"],
    [{ ...counts, isAll: false }, "2 of 5 checked skills take this; more exist"],
    [{ ...counts, takers: 0 }, "No skill takes this as it is (5 checked)"],
    [
      { ...counts, takers: 0, isAll: false },
      "No skill takes this as it is (5 checked, more exist)",
    ],
  ] as const;
  for (const [given, said] of cases)
    it(`is described as “${said}”`, () => assert.equal(fitCountText(given, english), said));
});
