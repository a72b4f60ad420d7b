import assert from "node:assert/strict";
import { afterEach, beforeEach, describe, it } from "mocha";
import { KeyRedactor } from "../../../../src/core/registry/redactSecrets";
import { invokeLocal } from "../../../../src/registry/routes/invokeLocal";
import { httpAnswer, type RawServer, startRawServer } from "../../../fixtures/network/rawServer";
import { never, plainNetwork } from "../../../fixtures/registries/clientFor";

const key = "skh_0123456789abcdef";
const secret = "tr0ub4dor";
const json = { "content-type": "application/json; charset=utf-8" };

describe("a trial of the code on this machine", () => {
  let server: RawServer;
  let answer: Buffer | undefined;
  let asked: () => void;
  beforeEach(async () => {
    server = await startRawServer((socket) => {
      asked();
      if (answer !== undefined) socket.end(answer);
    });
    answer = httpAnswer(200, '{"words": 2}', json);
    asked = () => undefined;
  });
  afterEach(() => server.close());

  const redactor = new KeyRedactor(key);
  redactor.learnSecret(secret);
  const send = (text: string, signal = never, address = `${server.baseUrl}/words?a=1`) =>
    invokeLocal(
      address,
      text,
      { network: plainNetwork, limits: { seconds: 5, maxBytes: 1000 }, redactor },
      signal,
    );

  it("sends what the public gateway sends, with the payload as typed, and no credential", async () => {
    const text = '{ "n": 12345678901234567890, "n2": 1.0, "t": "ü" }\n';
    const outcome = await send(text);
    assert.deepEqual(outcome, {
      kind: "answered",
      status: 200,
      start: "",
      outputText: '{"words": 2}',
    });
    assert.equal(server.requests.length, 1);
    const [head = "", body = ""] = (server.requests[0] ?? "").split("\r\n\r\n");
    assert.match(head, /^POST \/words\?a=1 HTTP\/1\.1\r\n/);
    assert.match(head, /^accept: application\/json\r?$/im);
    assert.match(head, /^content-type: application\/json\r?$/im);
    assert.doesNotMatch(head, /authorization|cookie|skh_/i);
    assert.equal(Buffer.from(body, "latin1").toString("utf8"), `{"input":${text}}`);
  });

  for (const [title, text] of [
    ["a Project Key", `{"a":"${key}"}`],
    ["a secret of an environment", `{"a":"x${secret}x"}`],
  ] as const) {
    it(`sends nothing that contains ${title}`, async () => {
      const outcome = await send(text);
      assert.deepEqual(outcome, {
        kind: "failed",
        failure: { kind: "containsKey" },
        isSent: false,
      });
      assert.equal(server.connections(), 0);
    });
  }

  it("sends nothing to another machine", async () => {
    await assert.rejects(send("{}", never, "http://run.example/"), TypeError);
    await assert.rejects(send("{}", never, "http://127.0.0.1@run.example/"), TypeError);
  });

  it("follows no redirect", async () => {
    answer = httpAnswer(307, "{}", { location: `${server.baseUrl}/other` });
    const outcome = await send("{}");
    assert.ok(outcome.kind === "answered");
    assert.equal(outcome.redirectTarget, server.baseUrl);
    assert.equal(server.requests.length, 1);
  });

  it("redacts keys and secrets in the answer", async () => {
    answer = httpAnswer(200, `{"a":"${key}","b":"${secret}"}`);
    assert.doesNotMatch(JSON.stringify(await send("{}")), /0123456789abcdef|tr0ub4dor/);
    answer = httpAnswer(500, `no JSON ${key} ${secret}`);
    assert.doesNotMatch(JSON.stringify(await send("{}")), /0123456789abcdef|tr0ub4dor/);
  });

  for (const [title, body, output, start] of [
    ["a text", "done", undefined, "done"],
    ["no body", "", undefined, ""],
    ["two values", "{} {}", undefined, "{} {}"],
    ["a byte order mark", '\uFEFF{"a":1}', '{"a":1}', ""],
    ["a bare value", "null", "null", ""],
  ] as const) {
    it(`reads ${title}`, async () => {
      answer = httpAnswer(200, body);
      const outcome = await send("{}");
      assert.ok(outcome.kind === "answered");
      assert.deepEqual([outcome.outputText, outcome.start], [output, start]);
    });
  }

  it("knows that the public gateway returns JSON of another content type as a text", async () => {
    for (const [type, isTypedAsText] of [
      ["application/json", undefined],
      ["text/plain", true],
      ["application/problem+json", true],
    ] as const) {
      answer = httpAnswer(200, "{}", { "content-type": type });
      const outcome = await send("{}");
      assert.ok(outcome.kind === "answered");
      assert.deepEqual([outcome.outputText, outcome.isTypedAsText], ["{}", isTypedAsText]);
    }
    answer = httpAnswer(200, "{}");
    assert.equal(((await send("{}")) as { isTypedAsText?: boolean }).isTypedAsText, true);
  });

  it("limits the bytes of the answer", async () => {
    answer = httpAnswer(200, `"${"x".repeat(2000)}"`);
    const outcome = await send("{}");
    assert.ok(outcome.kind === "failed");
    assert.deepEqual([outcome.failure.kind, outcome.isSent], ["tooLarge", true]);
  });

  it("can be canceled, and knows whether it was sent", async () => {
    answer = undefined;
    const cancel = new AbortController();
    asked = () => cancel.abort();
    const failure = { kind: "cancelled" };
    assert.deepEqual(await send("{}", cancel.signal), { kind: "failed", failure, isSent: true });
    assert.deepEqual(await send("{}", cancel.signal), { kind: "failed", failure, isSent: false });
    await server.quiet();
  });

  it("knows that nobody answers", async () => {
    await server.close();
    const outcome = await send("{}");
    assert.ok(outcome.kind === "failed" && outcome.failure.kind === "unreachable");
    assert.deepEqual([outcome.failure.cause, outcome.isSent], ["refused", false]);
  });
});
