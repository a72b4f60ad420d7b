import assert from "node:assert/strict";
import { describe, it } from "mocha";
import type { JsonValue } from "../../../../src/core/json/jsonValue";
import { KeyRedactor } from "../../../../src/core/registry/redactSecrets";
import type { RegistryFailure } from "../../../../src/core/registry/registryFailure";
import { failureOfAnswer, unreadable } from "../../../../src/registry/decode/readErrorBody";

const cases: [what: string, status: number, body: JsonValue | undefined, RegistryFailure][] = [
  ["no JSON", 502, undefined, { kind: "errorAnswer", status: 502 }],
  ["no object", 500, 7, { kind: "errorAnswer", status: 500 }],
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
  [
    "the words of OAuth",
    401,
    { error: "invalid_token", error_description: "The token expired." },
    { kind: "errorAnswer", status: 401, message: "The token expired." },
  ],
  [
    "a list of reasons",
    422,
    [{ field: "age", message: "Too low." }],
    { kind: "errorAnswer", status: 422, message: "Too low. (/age)" },
  ],
  [
    "several messages",
    400,
    { message: ["age must be a number", "x"], error: "Bad Request" },
    { kind: "errorAnswer", status: 400, message: "age must be a number" },
  ],
  [
    "the status in words beside the message",
    400,
    { status: 400, error: "Bad Request", message: "No age.", path: "/v1/skills" },
    { kind: "errorAnswer", status: 400, message: "No age." },
  ],
  [
    "the fault of a gateway",
    400,
    { fault: { faultstring: "No age.", detail: { errorcode: "rules.age" } } },
    { kind: "errorAnswer", status: 400, code: "rules.age", message: "No age." },
  ],
  ["nothing there", 404, { error: "Gone.", code: "x" }, { kind: "notFound", message: "Gone." }],
];

const redactor = new KeyRedactor("a-project-key-to-hide");

function answerOf(status: number, headers: Record<string, string> = {}, body = "") {
  return { status, headers, body: Buffer.from(body) };
}

describe("an error response", () => {
  for (const [what, status, body, expected] of cases) {
    it(`is read with ${what}`, () =>
      assert.deepEqual(failureOfAnswer(answerOf(status), body, redactor), expected));
  }

  const page = { "content-type": "text/html; charset=utf-8", server: "edge a-project-key-to-hide" };
  for (const status of [401, 403, 404, 502]) {
    it(`that is a page with ${status} is not the registry's`, () => {
      const body = `<HTML><title lang="en">\n Access &amp; a-project-key-to-hide\n ${"x".repeat(500)}</title>`;
      const failure = failureOfAnswer(answerOf(status, page, body), undefined, redactor);
      assert.ok(failure.kind === "notRegistry", JSON.stringify(failure));
      const { title = "", ...rest } = failure;
      const server = "edge [Project Key]";
      assert.deepEqual(rest, { kind: "notRegistry", status, mediaType: "text/html", server });
      assert.match(title, /^Access & \[Project Key\] x+…$/);
      assert.equal(title.length, 200);
    });
  }

  const titles: readonly (readonly [type: string, body: string, title: string | undefined])[] = [
    ["text/plain", "age: too low\nname: missing", "age: too low name: missing"],
    [
      "application/xml",
      '<?xml version="1.0"?><e:errors><e:message>Too low &lt;1</e:message><detail> No age.</detail></e:errors>',
      "Too low <1; No age.",
    ],
    ["application/problem+xml", "<problem><title>Bad</title></problem>", "Bad"],
    ["text/html", "<html><title>Blocked</title><p>The reason: <reason>x</reason>", "Blocked"],
    ["application/xml", "<Error><Message>Access Denied</Message></Error>", "Access Denied"],
    ["text/html", "<p>Hello", undefined],
  ];
  for (const [type, body, title] of titles) {
    it(`as ${type} gives ${title ?? "no title"}`, () => {
      const answer = answerOf(403, { "content-type": type }, body);
      const failure = failureOfAnswer(answer, undefined, redactor);
      const expected = { kind: "notRegistry", status: 403, mediaType: type };
      assert.deepEqual(failure, title === undefined ? expected : { ...expected, title });
    });
  }

  it("that is empty or broken JSON is the registry's", () => {
    const type = { "content-type": "application/problem+json" };
    assert.equal(failureOfAnswer(answerOf(404), undefined, redactor).kind, "notFound");
    const broken = failureOfAnswer(answerOf(403, type, "{"), undefined, redactor);
    assert.deepEqual(broken, { kind: "errorAnswer", status: 403 });
  });

  it("that is unreadable names its route without the query", () => {
    const failure = { kind: "unreadable", route: "/v1/skills", field: "skills" };
    assert.deepEqual(unreadable("/v1/skills?q=a?b", "skills"), { ok: false, failure });
  });
});
