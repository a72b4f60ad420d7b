import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import type { Socket } from "node:net";
import * as zlib from "node:zlib";
import { afterEach, describe, it } from "mocha";
import type { RegistryClient } from "../../../../src/registry/registryClient";
import { type RawServer, startRawServer } from "../../../fixtures/network/rawServer";
import { clientFor, never } from "../../../fixtures/registries/clientFor";
import {
  type Route,
  startTestRegistry,
  type TestRegistry,
} from "../../../fixtures/registries/testRegistry";

const limitBytes = 1_000_000;
const everything = { text: "", filters: {} };
const call = { skillSlug: "text-stats", version: "", inputText: "{}" };
const key = "skh_0123456789abcdef";

describe("the size limit of responses", () => {
  let server: RawServer | TestRegistry | undefined;
  let client: RegistryClient | undefined;

  /** Opens a raw server for what no HTTP server sends: chunks and heads of any size, endless bodies. */
  async function openRaw(answer: (socket: Socket) => void) {
    server = await startRawServer(answer);
    client = clientFor(server.baseUrl, { maxResponseBytes: limitBytes });
    return { server, client };
  }

  async function open(route: Route) {
    const registry = await startTestRegistry({ "**": route });
    server = registry;
    client = clientFor(registry.baseUrl, { maxResponseBytes: limitBytes });
    return { server: registry, client };
  }

  afterEach(async () => {
    client?.close();
    await server?.close();
  });

  it("ends an endless body at the limit, with its connection", async () => {
    let sent = 0;
    const { server, client } = await openRaw((socket) => {
      socket.write("HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n");
      const chunk = Buffer.concat([
        Buffer.from("10000\r\n"),
        Buffer.alloc(65_536, " "),
        Buffer.from("\r\n"),
      ]);
      const pump = () => {
        while (!socket.destroyed && socket.write(chunk)) sent += chunk.length;
      };
      socket.on("drain", pump);
      pump();
    });
    assert.deepEqual(await client.search(everything, undefined, never), tooLarge);
    await server.quiet();
    assert.ok(sent < 30 * limitBytes, `${sent} bytes were taken`);
  });

  it("rejects a body whose stated length is too large, before reading it", async () => {
    const { server, client } = await openRaw((socket) =>
      socket.write("HTTP/1.1 200 OK\r\ncontent-length: 1073741824\r\n\r\n"),
    );
    assert.deepEqual(await client.search(everything, undefined, never), tooLarge);
    await server.quiet();
  });

  it("accepts a response in chunks of one byte", async () => {
    const count = 900_000;
    const { client } = await openRaw((socket) => {
      socket.write("HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n");
      socket.write(`${"1\r\n \r\n".repeat(count)}0\r\n\r\n`);
    });
    const outcome = await client.invoke(call, key, never);
    assert.equal(outcome.kind, "outcomeUnknown");
  });

  const bombs: readonly (readonly [string, (bytes: Buffer) => Buffer])[] = [
    ["gzip", (bytes) => zlib.gzipSync(bytes)],
    ["x-gzip", (bytes) => zlib.gzipSync(bytes)],
    ["deflate", (bytes) => zlib.deflateSync(bytes)],
    ["deflate without a wrapper", (bytes) => zlib.deflateRawSync(bytes)],
    [
      "br",
      (bytes) =>
        zlib.brotliCompressSync(bytes, { params: { [zlib.constants.BROTLI_PARAM_QUALITY]: 1 } }),
    ],
    ["zstd", (bytes) => zlib.zstdCompressSync(bytes)],
  ];
  for (const [encoding, compress] of bombs) {
    it(`applies after decoding ${encoding}`, async () => {
      const { client } = await open(({ path }) => {
        const isList = path.includes("/v1/skills/search");
        const body = compress(Buffer.from(isList ? '{"skills":[{"slug":"abc"}]}' : "[]"));
        return { headers: { "content-encoding": encoding.split(" ", 1)[0] ?? "" }, body };
      });
      const page = await client.search(everything, undefined, never);
      assert.ok(page.ok && page.value.skills[0]?.slug === "abc", JSON.stringify(page));
    });

    it(`stops a ${encoding} bomb at the limit`, async () => {
      const bomb = compress(Buffer.alloc(10 * limitBytes, " "));
      const headers = { "content-encoding": encoding.split(" ", 1)[0] ?? "" };
      const { server, client } = await open({ headers, body: bomb });
      assert.deepEqual(await client.search(everything, undefined, never), tooLarge);
      // Such a small bomb has arrived completely, and its connection may be kept for the next request.
      client.close();
      await server.quiet();
    });
  }

  it("stops a compressed body that never produces anything", async () => {
    let sent = 0;
    const { server, client } = await openRaw((socket) => {
      socket.write("HTTP/1.1 200 OK\r\ncontent-encoding: gzip\r\n\r\n");
      // A gzip head whose file name has no end.
      socket.write(Buffer.from([0x1f, 0x8b, 8, 8, 0, 0, 0, 0, 0, 3]));
      const name = Buffer.alloc(65_536, "a");
      const pump = () => {
        while (!socket.destroyed && socket.write(name)) sent += name.length;
      };
      socket.on("drain", pump);
      pump();
    });
    assert.deepEqual(await client.search(everything, undefined, never), tooLarge);
    await server.quiet();
    assert.ok(sent < 30 * limitBytes, `${sent} bytes were taken`);
  });

  it("requests only encodings that can be decoded", async () => {
    const { server, client } = await open({ status: 404, body: {} });
    await client.search(everything, undefined, never);
    const { "accept-encoding": asked = "" } = server.requests[0]?.headers ?? {};
    const names = bombs.map(([encoding]) => encoding).filter((name) => !/^x-| /.test(name));
    assert.deepEqual(asked.split(", ").sort(), names.sort());
  });

  for (const encoding of ["gzip, gzip", "gzip,gzip,gzip,gzip,gzip,gzip", "br, gzip", "rot13"]) {
    it(`does not decode ${encoding}`, async () => {
      let body = Buffer.from("[]");
      for (const _ of encoding.split(",")) body = zlib.gzipSync(body);
      const { client } = await open({ headers: { "content-encoding": encoding }, body });
      assert.deepEqual(await client.search(everything, undefined, never), {
        ok: false,
        failure: { kind: "unreadable", route: "/v1/skills/search", field: "content-encoding" },
      });
    });
  }

  const noise = JSON.stringify({ skills: [], noise: randomBytes(3000).toString("hex") });
  const compressed: readonly (readonly [string, Buffer])[] = [
    ["gzip", zlib.gzipSync(noise)],
    ["deflate", zlib.deflateRawSync(noise)],
    ["br", zlib.brotliCompressSync(noise)],
  ];
  for (const [encoding, body] of compressed) {
    it(`reports that a body in ${encoding} ended early`, async () => {
      const headers = { "content-encoding": encoding };
      const { client } = await open({ headers, body: body.subarray(0, body.length / 2) });
      const failure = { kind: "unreadable", route: "/v1/skills/search", field: "content-encoding" };
      const page = await client.search(everything, undefined, never);
      assert.deepEqual(page, { ok: false, failure: { ...failure, isCut: true } });
    });
  }

  it("keeps the ID of an invocation whose compressed response ended early", async () => {
    const text = JSON.stringify({ invocationId: "inv-1", status: "success", noise });
    const body = zlib.gzipSync(text);
    const headers = { "content-encoding": "gzip" };
    const { client } = await open({ headers, body: body.subarray(0, body.length - 10) });
    const outcome = await client.invoke(call, key, never);
    assert.ok(outcome.kind === "outcomeUnknown" && outcome.invocationId === "inv-1");
  });

  it("reports that a body that is not gzip at all cannot be read", async () => {
    const { client } = await open({ headers: { "content-encoding": "gzip" }, body: "hello" });
    const page = await client.search(everything, undefined, never);
    assert.ok(!page.ok && page.failure.kind === "unreadable" && page.failure.isCut === undefined);
  });

  for (const [name, fields] of [
    ["one field of 100 KB", `x-long: ${"a".repeat(100_000)}\r\n`],
    ["10,000 fields", Array.from({ length: 10_000 }, (_, n) => `x-${n}: a\r\n`).join("")],
  ] as const) {
    it(`rejects headers with ${name}`, async () => {
      const { server, client } = await openRaw((socket) =>
        socket.write(`HTTP/1.1 200 OK\r\n${fields}content-length: 2\r\n\r\n[]`),
      );
      const page = await client.search(everything, undefined, never);
      assert.deepEqual(page, { ok: false, failure: { kind: "tooLarge", limitBytes: 32_768 } });
      await server.quiet();
    });
  }

  it("accepts headers of nearly 32 KB", async () => {
    const { client } = await open({ headers: { "x-long": "a".repeat(31_000) }, body: "[]" });
    assert.ok((await client.search(everything, undefined, never)).ok);
  });

  for (const [log, isTaken] of [
    [23, true],
    [24, false],
    [27, false],
  ] as const) {
    it(`${isTaken ? "accepts" : "rejects"} a zstd window of 2 to the power of ${log} bytes`, async () => {
      // RFC 8878: magic, no options, the window's size, one raw and last block of two bytes.
      const head = [0x28, 0xb5, 0x2f, 0xfd, 0, (log - 10) << 3, 0x11, 0, 0];
      const body = Buffer.concat([Buffer.from(head), Buffer.from("[]")]);
      const { client } = await open({ headers: { "content-encoding": "zstd" }, body });
      assert.equal((await client.search(everything, undefined, never)).ok, isTaken);
    });
  }

  it("leaves the outcome of an invocation unknown if its response is too large, with the ID", async () => {
    const about = { invocationId: "inv-1", status: "success" };
    const body = JSON.stringify({ ...about, output: "x".repeat(2 * limitBytes) });
    const { client } = await open({ headers: { "transfer-encoding": "chunked" }, body });
    const outcome = await client.invoke(call, key, never);
    assert.ok(outcome.kind === "outcomeUnknown");
    assert.deepEqual(outcome.failure, { kind: "tooLarge", limitBytes });
    assert.equal(outcome.invocationId, "inv-1");
  });
});

const tooLarge = { ok: false, failure: { kind: "tooLarge", limitBytes } };
