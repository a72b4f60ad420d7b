import assert from "node:assert/strict";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Duplex } from "node:stream";
import { setImmediate as nextTurn } from "node:timers/promises";
import { afterEach, describe, it } from "mocha";
import type { InvocationOutcome } from "../../../../src/core/invocation/invocation";
import type { RegistryClient } from "../../../../src/registry/registryClient";
import { InterimResponses } from "../../../../src/registry/transport/interimResponses";
import { makeAuthority } from "../../../fixtures/network/certificates";
import { httpAnswer, type RawServer, startRawServer } from "../../../fixtures/network/rawServer";
import { clientFor, never, plainNetwork } from "../../../fixtures/registries/clientFor";

const call = { skillSlug: "text-stats", version: "", inputText: "{}" };
const key = "skh_0123456789abcdef";
const proceed = "HTTP/1.1 100 Continue\r\n\r\n";
const output = JSON.stringify("HTTP/1.1 100 Continue");
const final = httpAnswer(200, `{"invocationId":"inv-1","status":"success","output":${output}}`);

describe("unrequested interim responses", () => {
  let server: RawServer | undefined;
  let client: RegistryClient | undefined;
  let folder: string | undefined;

  afterEach(async () => {
    client?.close();
    await server?.close();
    if (folder !== undefined) await rm(folder, { recursive: true });
    folder = undefined;
  });

  const forms: readonly (readonly [string, string])[] = [
    ["once", proceed],
    ["with header fields", "HTTP/1.1 100 Go on\r\nx: y\r\nz: 1\r\n\r\n"],
    ["beside early hints", `${proceed}HTTP/1.1 103 Hints\r\nlink: </a>\r\n\r\n${proceed}`],
  ];
  for (const [name, interim] of forms) {
    it(`lose no output if they come ${name}, also for the connection's next invocation`, async () => {
      server = await startRawServer((socket) =>
        socket.write(Buffer.concat([Buffer.from(interim), final])),
      );
      client = clientFor(server.baseUrl);
      for (const _ of [1, 2]) {
        const outcome: InvocationOutcome = await client.invoke(call, key, never);
        assert.ok(outcome.kind === "success", JSON.stringify(outcome));
        assert.equal(outcome.outputText, output);
        // The connection is free for the next request after the turn in which the response ended.
        await nextTurn();
      }
      assert.deepEqual([server.requests.length, server.connections()], [2, 1]);
    });
  }

  it("lose no output over TLS, before the response", async () => {
    const authority = makeAuthority();
    server = await startRawServer(
      (socket) => socket.write(proceed, () => socket.write(final)),
      authority.issue(["127.0.0.1"]),
    );
    folder = await mkdtemp(join(tmpdir(), "interim-"));
    const environment = { NODE_EXTRA_CA_CERTS: join(folder, "extra.pem") };
    await writeFile(environment.NODE_EXTRA_CA_CERTS, authority.cert);
    client = clientFor(server.baseUrl, { network: { ...plainNetwork, environment } });
    const outcome = await client.invoke(call, key, never);
    assert.ok(outcome.kind === "success", JSON.stringify(outcome));
  });
});

describe("InterimResponses", () => {
  /** Returns what a connection's reader gets of `chunks` that arrive after a request was written. */
  function readOf(chunks: readonly Buffer[]): string {
    const left = [...chunks];
    const responses = new InterimResponses();
    const socket = new Duplex({
      read() {
        this.push(left.shift() ?? null);
      },
      write: (_chunk, _encoding, done) => done(),
    });
    responses.removeFrom(socket);
    responses.requestStarts();
    socket.write("POST / HTTP/1.1\r\n\r\n");
    const read: Buffer[] = [];
    // Data pushed during a read may arrive with the next one.
    for (let turn = 0; turn <= 2 * chunks.length; turn += 1) {
      const chunk: Buffer | null = socket.read();
      if (chunk !== null) read.push(chunk);
    }
    return Buffer.concat(read).toString("latin1");
  }

  const stream = Buffer.concat([Buffer.from(proceed + proceed), final]);

  it("removes them at any split of the bytes", () => {
    for (let at = 1; at < proceed.length * 2 + 20; at += 1) {
      const pieces = [stream.subarray(0, at), stream.subarray(at)];
      assert.equal(readOf(pieces), final.toString("latin1"), `cut at ${at}`);
    }
    assert.equal(readOf([...stream].map((byte) => Buffer.from([byte]))), final.toString("latin1"));
  });

  it("keeps a body that looks like one", () => {
    const head = "HTTP/1.1 200 OK\r\ncontent-length: 25\r\n\r\n";
    assert.equal(readOf([Buffer.from(head), Buffer.from(proceed)]), head + proceed);
  });

  it("passes one that does not end within 32 KB to the parser, which rejects it", () => {
    const endless = `HTTP/1.1 100 Continue\r\nx: ${"y".repeat(40_000)}`;
    assert.equal(readOf([Buffer.from(endless)]), endless);
  });
});
