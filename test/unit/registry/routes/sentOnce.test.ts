import assert from "node:assert/strict";
import type { Socket } from "node:net";
import { afterEach, describe, it } from "mocha";
import type { InvocationOutcome } from "../../../../src/core/invocation/invocation";
import type { RegistryClient } from "../../../../src/registry/registryClient";
import { httpAnswer, type RawServer, startRawServer } from "../../../fixtures/network/rawServer";
import { clientFor, never } from "../../../fixtures/registries/clientFor";
import { startTestRegistry } from "../../../fixtures/registries/testRegistry";

const call = { skillSlug: "text-stats", version: "", inputText: '{"text":"a"}' };
const key = "skh_0123456789abcdef";

type Unknown = Extract<InvocationOutcome, { kind: "outcomeUnknown" }>;

describe("a sent invocation", () => {
  let server: RawServer | undefined;
  let client: RegistryClient | undefined;

  async function open(answer: (socket: Socket, request: string) => void) {
    server = await startRawServer(answer);
    client = clientFor(server.baseUrl);
    return { server, client };
  }

  afterEach(async () => {
    client?.close();
    await server?.close();
  });

  const lost: readonly (readonly [string, (socket: Socket) => void, Unknown["failure"]])[] = [
    [
      "has its connection reset",
      (socket) => socket.resetAndDestroy(),
      { kind: "connectionLost", detail: "ECONNRESET" },
    ],
    [
      "loses its connection",
      (socket) => socket.end(),
      { kind: "connectionLost", detail: "closed" },
    ],
    [
      "gets part of a response",
      (socket) => socket.end("HTTP/1.1 200 OK\r\ncontent-length: 99\r\n\r\n{"),
      { kind: "connectionLost", detail: "closed" },
    ],
    [
      "is answered with half a chunk",
      (socket) => socket.end("HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n9\r\n{"),
      { kind: "connectionLost", detail: "closed" },
    ],
    [
      "gets a response in an unknown protocol",
      (socket) => socket.end("220 mail.example ESMTP\r\n"),
      { kind: "unreadable", route: "/v1/runtime/invoke", field: "" },
    ],
    [
      "is answered by HTTP/2",
      (socket) => socket.end(Buffer.from("000012040000000000", "hex")),
      { kind: "unreadable", route: "/v1/runtime/invoke", field: "" },
    ],
    [
      "is answered by an upgrade",
      (socket) => socket.write("HTTP/1.1 101 Up\r\nconnection: upgrade\r\nupgrade: x\r\n\r\n"),
      { kind: "unreadable", route: "/v1/runtime/invoke", field: "" },
    ],
    [
      "is answered 200 with nothing",
      (socket) => socket.write(httpAnswer(200, "")),
      { kind: "unreadable", route: "/v1/runtime/invoke", field: "" },
    ],
    [
      "is answered 204",
      (socket) => socket.write("HTTP/1.1 204 None\r\n\r\n"),
      { kind: "unreadable", route: "/v1/runtime/invoke", field: "" },
    ],
    [
      "is answered 200 with a page",
      (socket) => socket.write(httpAnswer(200, "<html>Welcome</html>")),
      { kind: "notRegistry", status: 200 },
    ],
    [
      "is answered 200 with something else",
      (socket) => socket.write(httpAnswer(200, '{"ok":true}')),
      { kind: "unreadable", route: "/v1/runtime/invoke", field: "output" },
    ],
    [
      "is answered 502 by a proxy",
      (socket) => socket.write(httpAnswer(502, "<html>Bad Gateway</html>")),
      { kind: "notRegistry", status: 502 },
    ],
    [
      "is answered 504 with a message",
      (socket) => socket.write(httpAnswer(504, '{"error":{"code":"upstream","message":"Late."}}')),
      { kind: "errorAnswer", status: 504, code: "upstream", message: "Late." },
    ],
    [
      "is answered 500 with nothing",
      (socket) => socket.write(httpAnswer(500, "")),
      { kind: "errorAnswer", status: 500 },
    ],
  ];
  for (const [name, answer, failure] of lost) {
    it(`that ${name} has an unknown outcome and is sent once`, async () => {
      const { server, client } = await open(answer);
      const outcome = await client.invoke(call, key, never);
      assert.ok(outcome.kind === "outcomeUnknown", JSON.stringify(outcome));
      assert.deepEqual(outcome.failure, failure);
      assert.ok(outcome.durationMs > 0);
      // A second request would arrive on this connection or a new one before this response is complete.
      await client.search({ text: "", filters: {} }, undefined, never);
      const calls = server.requests.filter((request) => request.startsWith("POST "));
      assert.equal(calls.length, 1);
    });
  }

  it("on a connection that the registry has just closed is not repeated", async () => {
    let answered = 0;
    const { server, client } = await open((socket, request) => {
      answered += 1;
      if (request.startsWith("GET ")) socket.write(httpAnswer(200, "[]"));
      else socket.destroy();
    });
    await client.search({ text: "", filters: {} }, undefined, never);
    const outcome = await client.invoke(call, key, never);
    assert.equal(outcome.kind, "outcomeUnknown");
    assert.equal(answered, server.requests.length);
    assert.equal(server.requests.filter((request) => request.startsWith("POST ")).length, 1);
  });

  it("keeps the ID of a truncated response", async () => {
    const { client } = await open((socket) =>
      socket.end(
        'HTTP/1.1 200 OK\r\ncontent-length: 99\r\n\r\n{"invocation_id":"inv-7","output":{"a',
      ),
    );
    const outcome = await client.invoke(call, key, never);
    assert.ok(outcome.kind === "outcomeUnknown");
    assert.equal(outcome.invocationId, "inv-7");
  });
});

describe("an unsent invocation", () => {
  const nobody: readonly (readonly [string, string, object])[] = [
    ["the host does not exist", "https://registry.invalid", { kind: "unreachable", cause: "name" }],
    [
      "nobody listens",
      "http://127.0.0.1:1",
      { kind: "unreachable", cause: "refused", detail: "ECONNREFUSED" },
    ],
    [
      "nobody listens for TLS",
      "https://127.0.0.1:1",
      { kind: "unreachable", cause: "refused", detail: "ECONNREFUSED" },
    ],
  ];
  for (const [name, baseUrl, failure] of nobody) {
    it(`because ${name} reports that`, async () => {
      const client = clientFor(baseUrl);
      const outcome = await client.invoke(call, key, never);
      client.close();
      assert.ok(outcome.kind === "notSent", JSON.stringify(outcome));
      assert.deepEqual({ ...outcome.failure, ...failure }, outcome.failure);
    });
  }

  it("because the registry speaks no TLS reports that", async () => {
    const plain = await startRawServer(() => undefined);
    const secure = clientFor(`https://127.0.0.1:${plain.port}`, { invokeTimeoutSeconds: 0.3 });
    const outcome = await secure.invoke(call, key, never);
    assert.ok(outcome.kind === "notSent", JSON.stringify(outcome));
    assert.deepEqual(plain.requests, []);
    secure.close();
    await plain.close();
  });

  it("because it was canceled before reports that", async () => {
    const server = await startTestRegistry({ "**": "never" });
    const client = clientFor(server.baseUrl);
    const outcome = await client.invoke(call, key, AbortSignal.abort());
    assert.deepEqual(outcome, { kind: "notSent", failure: { kind: "cancelled" } });
    assert.equal(server.connections(), 0);
    client.close();
    await server.close();
  });

  it("because it was canceled while connecting reports that, and is not sent afterwards", async () => {
    const server = await startTestRegistry({ "**": { body: [] } });
    const client = clientFor(server.baseUrl);
    const asked = new AbortController();
    const outcome = client.invoke(call, key, asked.signal);
    asked.abort();
    assert.deepEqual(await outcome, { kind: "notSent", failure: { kind: "cancelled" } });
    await client.search({ text: "", filters: {} }, undefined, never);
    assert.ok(server.requests.length > 0);
    assert.ok(server.requests.every(({ method }) => method === "GET"));
    client.close();
    await server.close();
  });

  it("that waits for another one's connection is not sent after its cancellation", async () => {
    const server = await startTestRegistry({ "**": { body: [] } });
    const client = clientFor(server.baseUrl);
    const asked = new AbortController();
    const listing = client.search({ text: "", filters: {} }, undefined, never);
    const outcome = client.invoke(call, key, asked.signal);
    asked.abort();
    assert.deepEqual(await outcome, { kind: "notSent", failure: { kind: "cancelled" } });
    assert.ok((await listing).ok);
    // By now its own connection exists, beside the list's.
    for (const text of ["a", "b", "c"])
      await client.search({ text, filters: {} }, undefined, never);
    assert.ok(server.requests.every(({ method }) => method === "GET"));
    client.close();
    await server.close();
  });

  it("without a usable key reports that", async () => {
    const server = await startTestRegistry({ "**": "never" });
    const client = clientFor(server.baseUrl);
    for (const none of ["", " ", "a b", "skh_\r\nX-Evil: 1", "skh_ключ"]) {
      const outcome = await client.invoke(call, none, never);
      assert.deepEqual(outcome, {
        kind: "refused",
        reason: "missingKey",
        status: 0,
        durationMs: 0,
      });
    }
    assert.equal(server.connections(), 0);
    client.close();
    await server.close();
  });
});
