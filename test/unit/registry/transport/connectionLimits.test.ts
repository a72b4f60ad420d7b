import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { connect } from "node:net";
import { afterEach, describe, it } from "mocha";
import { Transport } from "../../../../src/registry/transport/transport";
import { type RawServer, startRawServer } from "../../../fixtures/network/rawServer";
import { never, plainNetwork } from "../../../fixtures/registries/clientFor";
import { startTestRegistry, type TestRegistry } from "../../../fixtures/registries/testRegistry";

const exchangeLimits = { seconds: 10, maxBytes: 1000 };
const request = { method: "GET", path: "/", headers: {} } as const;

describe("a connection", () => {
  let server: RawServer | TestRegistry | undefined;
  let transport: Transport | undefined;
  afterEach(async () => {
    transport?.close();
    await server?.close();
  });

  it("that is idle is closed at our limit, however long the registry would keep it", async () => {
    const headers = { connection: "keep-alive", "keep-alive": "timeout=3600" };
    server = await startTestRegistry({ "**": { headers, body: "1" } });
    const limits = { openingSeconds: 20, idleSeconds: 0.1 };
    transport = new Transport(server.baseUrl, plainNetwork, limits);
    const exchange = await transport.exchange(request, exchangeLimits, never);
    assert.equal(exchange.kind, "answered");
    await server.quiet();
  });

  it("is reused before the limit", async () => {
    server = await startTestRegistry({ "**": { body: "1" } });
    transport = new Transport(server.baseUrl, plainNetwork);
    for (const _ of [1, 2, 3]) {
      await transport.exchange(request, exchangeLimits, never);
      // The pool gets its connection back after the response.
      await new Promise(setImmediate);
    }
    assert.equal(server.connections(), 1);
  });

  it("that nobody accepts within its limit is given up, with nothing sent", async function () {
    // On other systems a full queue behaves differently.
    if (process.platform !== "linux") return this.skip();
    const full = await startFullQueue();
    try {
      const limits = { openingSeconds: 0.1, idleSeconds: 10 };
      transport = new Transport(`http://127.0.0.1:${full.port}`, plainNetwork, limits);
      assert.deepEqual(await transport.exchange(request, exchangeLimits, never), {
        kind: "failed",
        failure: { kind: "unreachable", cause: "network", detail: "ETIMEDOUT" },
        mayBeSent: false,
      });
    } finally {
      full.close();
    }
  });

  it("is canceled if its handshake exceeds its limit, with nothing sent", async () => {
    server = await startRawServer(() => undefined);
    const origin = `https://127.0.0.1:${server.port}`;
    transport = new Transport(origin, plainNetwork, { openingSeconds: 0.1, idleSeconds: 10 });
    assert.deepEqual(await transport.exchange(request, exchangeLimits, never), {
      kind: "failed",
      failure: { kind: "unreachable", cause: "network", detail: "ETIMEDOUT" },
      mayBeSent: false,
    });
    await server.quiet();
  });
});

/** Listens without accepting, in a process whose event loop is blocked; two connections wait, and no more may. */
async function startFullQueue() {
  const script = `const server = require("net").createServer().listen({ port: 0, host: "127.0.0.1", backlog: 1 }, () => {
    require("fs").writeSync(1, String(server.address().port));
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
  });`;
  const child = spawn(process.execPath, ["-e", script], { stdio: ["ignore", "pipe", "inherit"] });
  const [port] = await once(child.stdout, "data");
  const waiting = [1, 2].map(() => connect(Number(port), "127.0.0.1"));
  await Promise.all(waiting.map((socket) => once(socket, "connect")));
  return {
    port: Number(port),
    close: () => {
      for (const socket of waiting) socket.on("error", () => undefined).destroy();
      child.kill("SIGKILL");
    },
  };
}
