import assert from "node:assert/strict";
import type { Socket } from "node:net";
import { mock } from "node:test";
import { afterEach, describe, it } from "mocha";
import type {
  RegistryClient,
  RegistryClientOptions,
} from "../../../../src/registry/registryClient";
import { mockTimeouts } from "../../../fixtures/mockTimeouts";
import { httpAnswer, type RawServer, startRawServer } from "../../../fixtures/network/rawServer";
import { clientFor, never } from "../../../fixtures/registries/clientFor";
import { startTestRegistry, type TestRegistry } from "../../../fixtures/registries/testRegistry";

const everything = { text: "", filters: {} };
const call = { skillSlug: "text-stats", version: "", inputText: "{}" };
const key = "skh_0123456789abcdef";
const seconds = 0.1;

/** The servers that make a client wait, each in its own way. */
const slow: readonly (readonly [string, (socket: Socket) => void])[] = [
  ["never answers", () => undefined],
  [
    "answers one byte at a time",
    (socket) => drip(socket, "HTTP/1.1 200 OK\r\ncontent-length: 2\r\n"),
  ],
  [
    "sends its body one byte at a time",
    (socket) => {
      socket.write("HTTP/1.1 200 OK\r\ncontent-length: 100000\r\n\r\n");
      drip(socket, " ".repeat(1000));
    },
  ],
  [
    "stops within its body",
    (socket) => socket.write("HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\n["),
  ],
  [
    "sends 100 and 103 forever",
    (socket) => drip(socket, "HTTP/1.1 103 Early\r\n\r\n".repeat(99), 22),
  ],
  [
    "sends white space as chunks",
    (socket) => {
      socket.write("HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n");
      drip(socket, "1\r\n \r\n".repeat(1000), 6);
    },
  ],
];

describe("the timeout", () => {
  let server: RawServer | TestRegistry | undefined;
  let client: RegistryClient | undefined;

  async function open(
    answer: (socket: Socket) => void,
    limits: Partial<RegistryClientOptions> = {},
  ) {
    const raw = await startRawServer(answer);
    server = raw;
    client = clientFor(raw.baseUrl, limits);
    return { server: raw, client };
  }

  afterEach(async () => {
    mock.timers.reset();
    client?.close();
    await server?.close();
  });

  for (const [name, answer] of slow) {
    it(`ends a list from a registry that ${name}`, async () => {
      const { server, client } = await open(answer, { requestTimeoutSeconds: seconds });
      assert.deepEqual(await client.search(everything, undefined, never), {
        ok: false,
        failure: { kind: "timeout", seconds },
      });
      await server.quiet();
    });

    it(`leaves an invocation's outcome unknown if the registry ${name}`, async () => {
      let arrived: () => void = () => undefined;
      const arrival = new Promise<void>((resolve) => {
        arrived = resolve;
      });
      const limits = { invokeTimeoutSeconds: seconds };
      const { server, client } = await open((socket) => {
        answer(socket);
        arrived();
      }, limits);
      // Time passes only once the request has left, however busy the machine is.
      mockTimeouts();
      const invoked = client.invoke(call, key, never);
      await arrival;
      for (const _ of ["half", "all of it"]) {
        await someBytes();
        mock.timers.tick((seconds * 1000) / 2);
      }
      const outcome = await invoked;
      assert.ok(outcome.kind === "outcomeUnknown", JSON.stringify(outcome));
      assert.deepEqual(outcome.failure, { kind: "timeout", seconds });
      await server.quiet();
      assert.equal(server.requests.length, 1);
    });

    it(`is not awaited after a cancellation at a registry that ${name}`, async () => {
      const asked = new AbortController();
      const { server, client } = await open((socket) => {
        answer(socket);
        setImmediate(() => asked.abort());
      });
      const outcome = await client.invoke(call, key, asked.signal);
      assert.ok(outcome.kind === "outcomeUnknown", JSON.stringify(outcome));
      assert.deepEqual(outcome.failure, { kind: "cancelled" });
      await server.quiet();
      assert.equal(server.requests.length, 1);
    });
  }

  it("ends an endless handshake, with nothing sent", async () => {
    // It accepts connections and sends nothing, so TLS waits for its hello.
    const { server } = await open(() => undefined);
    const secure = clientFor(`https://127.0.0.1:${server.port}`, { invokeTimeoutSeconds: seconds });
    assert.deepEqual(await secure.invoke(call, key, never), {
      kind: "notSent",
      failure: { kind: "timeout", seconds },
    });
    await server.quiet();
    secure.close();
  });

  it("does not end a handshake that another caller still waits for", async () => {
    const { server } = await open(() => undefined);
    const secure = clientFor(`https://127.0.0.1:${server.port}`, { invokeTimeoutSeconds: seconds });
    const listing = secure.search(everything, undefined, never);
    await secure.invoke(call, key, never);
    assert.equal(await Promise.race([listing, Promise.resolve("waiting")]), "waiting");
    secure.close();
    assert.deepEqual(await listing, { ok: false, failure: { kind: "cancelled" } });
  });

  it("covers all hops of redirects together", async () => {
    const { client } = await open(
      (socket) => void setTimeout(() => socket.write(httpAnswer(302, "", { location: "/x" })), 40),
      { requestTimeoutSeconds: seconds },
    );
    assert.deepEqual(await client.search(everything, undefined, never), {
      ok: false,
      failure: { kind: "timeout", seconds },
    });
  });

  it("of an additional source does not fail the page", async () => {
    server = await startTestRegistry({
      "/v1/skills/abc": { body: { version: "1.0.0" } },
      "**": "never",
    });
    const all = ["listing", "prices", "feedback", "publisher"];
    const seconds = 1;
    // Time passes once the page itself has arrived, however busy the machine is.
    let answered: () => void = () => undefined;
    const own = new Promise<void>((resolve) => {
      answered = resolve;
    });
    const log = (line: string) => line.startsWith("GET /v1/skills/abc: 200,") && answered();
    client = clientFor(server.baseUrl, { requestTimeoutSeconds: seconds, log });
    mockTimeouts();
    const reading = client.skill("abc", undefined, never);
    await own;
    mock.timers.tick(seconds * 1000);
    const detail = await reading;
    mock.timers.reset();
    assert.deepEqual(detail.ok && detail.value.unanswered, all);
    client.close();
    client = clientFor(server.baseUrl, { requestTimeoutSeconds: 3600 });
    const patient = await client.skill("abc", undefined, never, { withinSeconds: 0.1 });
    assert.deepEqual(patient.ok && patient.value.unanswered, all);
  });

  it("of an additional source is not awaited for a missing skill", async () => {
    server = await startTestRegistry({
      "/v1/skills/abc": { status: 404, body: { error: "Skill not found." } },
      "**": "never",
    });
    client = clientFor(server.baseUrl, { requestTimeoutSeconds: 60 });
    assert.deepEqual(await client.skill("abc", undefined, never), {
      ok: false,
      failure: { kind: "notFound", message: "Skill not found." },
    });
  });

  it("is not awaited after the client is closed", async () => {
    let arrived: () => void = () => undefined;
    const arrival = new Promise<void>((resolve) => {
      arrived = resolve;
    });
    const { server, client } = await open(() => server.requests.length === 2 && arrived());
    const outcome = client.invoke(call, key, never);
    const listing = client.search(everything, undefined, never);
    await arrival;
    client.close();
    assert.deepEqual(await listing, { ok: false, failure: { kind: "cancelled" } });
    const ended = await outcome;
    assert.ok(ended.kind === "outcomeUnknown");
    assert.deepEqual(ended.failure, { kind: "cancelled" });
    await server.quiet();
  });
});

/** Lets a slow server send some bytes, while time-outs do not pass. */
function someBytes(): Promise<void> {
  return new Promise((resolve) => {
    const timer = setInterval(() => resolve(clearInterval(timer)), 40);
  });
}

function drip(socket: Socket, text: string, step = 1): void {
  let at = 0;
  const timer = setInterval(() => {
    socket.write(text.slice(at, at + step));
    at += step;
    if (at >= text.length) clearInterval(timer);
  }, 10);
  socket.on("close", () => clearInterval(timer));
}
