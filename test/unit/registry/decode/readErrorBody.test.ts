import assert from "node:assert/strict";
import { describe, it } from "mocha";
import type { JsonValue } from "../../../../src/core/json/jsonValue";
import type { RegistryFailure } from "../../../../src/core/registry/registryFailure";
import { failureOfAnswer, unreadable } from "../../../../src/registry/decode/readErrorBody";

const cases: [what: string, status: number, body: JsonValue | undefined, RegistryFailure][] = [
  ["no JSON", 502, undefined, { kind: "errorAnswer", status: 502 }],
  ["no object", 500, ["x"], { kind: "errorAnswer", status: 500 }],
  [
    "an error that is a text",
    400,
    { error: "Bad.", code: "invalid_input" },
    { kind: "errorAnswer", status: 400, code: "invalid_input", message: "Bad." },
  ],
  [
    "an error that is an object",
    403,
    { error: { code: "no", message: "No." } },
    { kind: "errorAnswer", status: 403, code: "no", message: "No." },
  ],
  [
    "problem details",
    409,
    { title: "Conflict", detail: "Taken." },
    { kind: "errorAnswer", status: 409, message: "Taken." },
  ],
  ["nothing there", 404, { error: "Gone.", code: "x" }, { kind: "notFound", message: "Gone." }],
];

describe("an error response", () => {
  for (const [what, status, body, expected] of cases) {
    it(`is read with ${what}`, () => assert.deepEqual(failureOfAnswer(status, body), expected));
  }

  it("that is unreadable names its route without the query", () => {
    const failure = { kind: "unreadable", route: "/v1/skills", field: "skills" };
    assert.deepEqual(unreadable("/v1/skills?q=a?b", "skills"), { ok: false, failure });
  });
});
