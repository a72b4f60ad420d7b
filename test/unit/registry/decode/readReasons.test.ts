import assert from "node:assert/strict";
import { describe, it } from "mocha";
import type { JsonValue } from "../../../../src/core/json/jsonValue";
import { KeyRedactor } from "../../../../src/core/registry/redactSecrets";
import { failureOfAnswer } from "../../../../src/registry/decode/readErrorBody";
import { readReasons } from "../../../../src/registry/decode/readReasons";

const a = [{ pointer: "/a", message: "must be text" }];

const dialects: readonly (readonly [name: string, body: JsonValue, reasons: unknown])[] = [
  [
    "FastAPI",
    {
      detail: [
        { type: "missing", loc: ["body", "input", "rows", 0, "id"], msg: "Field required" },
        { type: "string_type", loc: ["body", "a"], msg: "must be text", input: 7 },
        { type: "json_invalid", loc: ["body", "input"], msg: "no JSON" },
      ],
    },
    [
      { pointer: "/rows/0/id", message: "Field required" },
      ...a,
      { pointer: "", message: "no JSON" },
    ],
  ],
  ["problem details", { errors: [{ pointer: "#/a", detail: "must be text" }] }, a],
  ["JSON:API", { errors: [{ source: { pointer: "/a" }, detail: "must be text" }] }, a],
  ["Express", { errors: [{ type: "field", path: "a", msg: "must be text" }] }, a],
  ["Spring", { fieldErrors: [{ field: "a", defaultMessage: "must be text" }] }, a],
  ["Symfony", { violations: [{ propertyPath: "a", title: "must be text" }] }, a],
  ["Zod", { error: { issues: [{ path: ["a"], message: "must be text" }] } }, a],
  ["Joi", { details: [{ path: ["a"], message: "must be text", type: "string.base" }] }, a],
  ["Rails and ASP.NET", { errors: { a: ["must be text"] } }, a],
  [
    "Laravel",
    { message: "Invalid.", errors: { "b.0.c": ["x", "y"] } },
    [
      { pointer: "/b/0/c", message: "x" },
      { pointer: "/b/0/c", message: "y" },
    ],
  ],
  ["Marshmallow", { errors: { _: ["as a whole"] } }, [{ pointer: "", message: "as a whole" }]],
  [
    "Google",
    { error: { details: [{ fieldViolations: [{ field: "a", description: "must be text" }] }] } },
    a,
  ],
  [
    "GitHub",
    { errors: [{ resource: "R", field: "a", code: "missing" }] },
    [{ pointer: "/a", message: "missing" }],
  ],
  [
    "problem details of parameters",
    { "invalid-params": [{ name: "a", reason: "must be text" }] },
    a,
  ],
  [
    "a list at the top",
    [{ field: "a", message: "must be text" }, "as a whole"],
    [...a, { pointer: "", message: "as a whole" }],
  ],
  [
    "Django",
    {
      a: ["must be text"],
      rows: [{}, { id: ["missing"] }],
      non_field_errors: ["as a whole"],
    },
    [...a, { pointer: "/rows/1/id", message: "missing" }, { pointer: "", message: "as a whole" }],
  ],
  [
    "NestJS",
    { statusCode: 400, message: ["a must be text", "b is missing"], error: "Bad Request" },
    [
      { pointer: "", message: "a must be text" },
      { pointer: "", message: "b is missing" },
    ],
  ],
  ["Zod's flat errors", { error: { formErrors: [], fieldErrors: { a: ["must be text"] } } }, a],
  [
    "Mongoose",
    { errors: { a: { name: "ValidatorError", message: "must be text", path: "a" } } },
    a,
  ],
  [
    "nested fields",
    { errors: { a: { message: "must be text" }, b: { c: "missing" } } },
    [...a, { pointer: "/b/c", message: "missing" }],
  ],
  [
    "fields with the names of messages",
    { errors: { message: ["is missing"] } },
    [{ pointer: "/message", message: "is missing" }],
  ],
  [
    "ajv",
    { errors: [{ instancePath: "", params: { allowedValues: ["x"] }, message: "No." }] },
    [{ pointer: "", message: "No." }],
  ],
  ["Stripe", { error: { message: "must be text", param: "a", type: "invalid" } }, a],
  ["Spring's outer object", { path: "/v1/skills", error: "Bad Request", message: "No." }, []],
  [
    "lists that are about something else",
    {
      error: "No.",
      scopes: ["read"],
      skills: [{ name: "x", description: "y" }],
      policy: { decision: "deny", reasons: ["z"] },
    },
    [],
  ],
  ["no dialect", { error: "No.", details: { limit: 60, hint: "Wait." } }, []],
];

describe("the reasons of a rejection", () => {
  for (const [name, body, reasons] of dialects) {
    it(`are read in the dialect of ${name}`, () => {
      assert.deepEqual(readReasons(body), reasons);
    });
  }

  it("are at most 100, of at most 2000 characters each", () => {
    const long = "x".repeat(5000);
    const list = readReasons({ errors: Array(500).fill({ path: long, message: long }) });
    assert.equal(list.length, 100);
    const map = readReasons({
      errors: Object.fromEntries([...Array(500).keys()].map((n) => [`f${n}`, [long, long]])),
    });
    assert.equal(map.length, 100);
    for (const { pointer, message } of [...list, ...map]) {
      assert.ok(message.length <= 2000 && pointer.length <= 2001);
    }
  });

  it("are read from a limited number of values and levels", () => {
    const deep = [...Array(200)].reduce<JsonValue>((value) => [value], "x");
    assert.deepEqual(readReasons({ errors: deep }), []);
    const wide = {
      errors: [...Array(20_000).fill(1), "x"].map((item) => (item === 1 ? {} : item)),
    };
    assert.deepEqual(readReasons(wide), []);
  });

  it("are the message of a response that has no message", () => {
    const answer = { status: 422, headers: {}, body: Buffer.alloc(0) };
    const detail = [{ loc: ["body", "name"], msg: "Field required" }];
    assert.deepEqual(failureOfAnswer(answer, { detail }, new KeyRedactor()), {
      ...{ kind: "errorAnswer", status: 422, message: "Field required (/name)" },
    });
  });
});
