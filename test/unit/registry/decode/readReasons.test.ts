import assert from "node:assert/strict";
import { describe, it } from "mocha";
import type { JsonObject } from "../../../../src/core/json/jsonValue";
import { KeyRedactor } from "../../../../src/core/registry/redactSecrets";
import { failureOfAnswer } from "../../../../src/registry/decode/readErrorBody";
import { readReasons } from "../../../../src/registry/decode/readReasons";

const a = [{ pointer: "/a", message: "must be text" }];

const dialects: readonly (readonly [name: string, body: JsonObject, reasons: unknown])[] = [
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

  it("are the message of a response that has no message", () => {
    const answer = { status: 422, headers: {}, body: Buffer.alloc(0) };
    const detail = [{ loc: ["body", "name"], msg: "Field required" }];
    assert.deepEqual(failureOfAnswer(answer, { detail }, new KeyRedactor()), {
      ...{ kind: "errorAnswer", status: 422, message: "Field required (/name)" },
    });
  });
});
