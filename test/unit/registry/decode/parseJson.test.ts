import assert from "node:assert/strict";
import { describe, it } from "mocha";
import type { JsonValue } from "../../../../src/core/json/jsonValue";
import { type Chunked, runSync } from "../../../../src/core/text/chunked";
import { parseJson, surveyBody } from "../../../../src/registry/decode/parseJson";

const read = (text: string) => runSync(parseJson(Buffer.from(text)));
const rows = Array.from({ length: 4000 }, (_, id) => ({
  id,
  name: `Zürich "${id}"`,
  tags: [[], {}],
}));
const long = 'long \\ " \u2028 text'.repeat(10_000);

/** Each is, or contains, a value larger than what is parsed in one piece. */
const values: readonly (readonly [string, JsonValue])[] = [
  ["a list of rows", rows],
  ["an object of lists", { first: 1, rows, 'a:b "c': rows, last: { rows, x: null } }],
  ["a long text alone", long],
  ["long texts in a list", [1, long, 2, [long], "", { long }]],
  ["lists in lists", [[rows, rows], [[rows]], rows, 1.5e-7, true]],
  ["one large member among small ones", { a: 1, b: rows, c: 2 }],
  ["numbers", Array.from({ length: 50_000 }, (_, index) => index / 7)],
];

describe("parsing a body", () => {
  for (const [name, value] of values) {
    it(`reads ${name} as JSON.parse does, in either spacing`, () => {
      assert.deepEqual(read(JSON.stringify(value)), value);
      assert.deepEqual(read(`\ufeff \n${JSON.stringify(value, null, 2)}\n `), value);
    });
  }

  it("keeps the last of repeated members, and __proto__ as a name", () => {
    const text = `{"a":1,"b":${JSON.stringify(rows)},"a":2,"b":3,"__proto__":{"x":${JSON.stringify(rows)}}}`;
    const value = read(text) as { readonly [name: string]: JsonValue };
    assert.deepEqual(Object.entries(value), Object.entries(JSON.parse(text) as object));
    assert.equal(Object.getPrototypeOf(value), Object.prototype);
  });

  for (const broken of ["]", "}", ",", "x", '"', " 1", "\\", "\u0001"]) {
    it(`rejects a large body with an additional ${JSON.stringify(broken)}`, () => {
      const text = JSON.stringify({ rows });
      for (const at of [0, 1, 9, 100_000, text.length - 1, text.length]) {
        const changed = text.slice(0, at) + broken + text.slice(at);
        let expected: JsonValue | undefined;
        try {
          expected = JSON.parse(changed) as JsonValue;
        } catch {}
        assert.deepEqual(read(changed), expected, `at ${at}`);
      }
    });
  }

  it("rejects deep nesting and too many values, whatever the size", () => {
    const nested = (depth: number, inner: string) => "[".repeat(depth) + inner + "]".repeat(depth);
    assert.notEqual(read(nested(900, JSON.stringify(rows))), undefined);
    for (const text of [
      nested(1100, "1"),
      nested(1100, JSON.stringify(rows)),
      `[${"[],".repeat(1_000_001)}1]`,
    ]) {
      assert.equal(read(text), undefined);
    }
  });

  for (const [name, text] of [
    ["rows", JSON.stringify(Array(60).fill(rows))],
    ["empty lists", `{"skills":[${"[],".repeat(900_000)}1]}`],
    [
      "nested rows",
      JSON.stringify({ data: { skills: [rows, { manifest: { a: Array(50).fill(rows) } }] } }),
    ],
  ] as const) {
    it(`reads megabytes of ${name} in short steps`, () => {
      const steps = stepsOf(parseJson(Buffer.from(text)));
      assert.ok(steps > text.length / 200_000, `${steps} steps for ${text.length} characters`);
    });
  }
});

function stepsOf(work: Chunked<unknown>): number {
  let steps = 1;
  while (!work.next().done) steps += 1;
  return steps;
}

describe("numbers that lose digits", () => {
  const found = (text: string) => runSync(surveyBody(Buffer.from(text))).lossyNumbers;
  const cases: readonly (readonly [string, unknown])[] = [
    ["[1, -2.5, 1e3, 1E-7, 0.1, 9007199254740992, 1e300]", []],
    ["[9007199254740993, 9007199254740993]", [9007199254740992]],
    ["-9007199254740993", [-9007199254740992]],
    ['{"a":0.10000000000000000001}', [0.1]],
    ["[1e400, -1E+400, 1e-400]", [Infinity, -Infinity, 0]],
    ['{"9007199254740993":"9007199254740993 \\" 9007199254740993"}', []],
    ["true false null", []],
    [`[${Array.from({ length: 1002 }, (_, at) => `${at}.00000000000000000001`).join()}]`, "many"],
  ];
  for (const [text, expected] of cases) {
    it(`are found: ${text.slice(0, 60)}`, () => assert.deepEqual(found(text), expected));
  }

  it("are searched for in steps", () => {
    const text = JSON.stringify(rows.concat(rows)) + JSON.stringify(long);
    const work = surveyBody(Buffer.from(text));
    let steps = 1;
    while (!work.next().done) steps += 1;
    assert.ok(steps >= 4, `${steps}`);
  });
});

describe("repeated names in an object", () => {
  const cases: readonly (readonly [string, boolean])[] = [
    ['{"a":1,"b":{"a":1},"c":[{"a":1},{"a":"a"}]}', false],
    ['{"a":"b","b":"a"}', false],
    ['{"a":1,"b":{"c":1,"c":1}}', true],
    ['[{"a" : 1}, {"x":[], "a":{}, "a" :2}]', true],
    [String.raw`{"a":1,"\u0061":2}`, true],
  ];
  for (const [text, isTwice] of cases) {
    it(`are ${isTwice ? "" : "not "}found in ${text}`, () => {
      assert.equal(runSync(surveyBody(Buffer.from(text))).repeatsNames, isTwice);
    });
  }
});

describe("members and values of a body", () => {
  const cases: readonly (readonly [string, number, number])[] = [
    ["1", 0, 1],
    ["[]", 0, 2],
    ['{"a":[1,{"b":null}],"c:,[{":":,"}', 3, 6],
  ];
  for (const [text, members, values] of cases) {
    it(`are counted: ${text}`, () => {
      const survey = runSync(surveyBody(Buffer.from(text)));
      assert.deepEqual([survey.members, survey.values], [members, values]);
    });
  }
});
