import assert from "node:assert/strict";
import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { once } from "node:events";
import { afterEach, before, describe, it } from "mocha";
import type { RegistryClient } from "../../../src/registry/registryClient";
import { clientFor, never } from "../../fixtures/clientFor";

const size = 9_900_000;
const fill = (item: string) =>
  Array(Math.floor(size / (item.length + 1)))
    .fill(item)
    .join(",");
const row = '{"slug":"a-skill","displayName":"A","tags":["x"],"more":{"a":[1,2,{}]}}';
const bodies: readonly (readonly [string, string])[] = [
  ["rows", `{"skills":[${fill(row)}]}`],
  ["empty lists", `{"skills":[${fill("[]")}]}`],
  ["members", `{"version":"1","inputSchema":{},"skills":[],${members(300_000)}}`],
  ["a schema of members", `{"version":"1","inputSchema":{${members(99_000)}},"skills":[]}`],
  ["nested lists", `{"skills":${"[".repeat(size / 2)}${"]".repeat(size / 2)}}`],
  ["one text", `{"skills":[],"version":"${"\\u006b".repeat(size / 6)}"}`],
  ["an error", `{"error":{"message":"${"x ".repeat(size / 2)}"}}`],
];

function members(length: number): string {
  return Array.from({ length }, (_, index) => `"m${String(index).padStart(22, "0")}":[1]`).join(
    ",",
  );
}

/** In a process of its own, so that sending is not counted as reading. */
const serverSource = `
  const { createServer } = require("node:http");
  const { buffer } = require("node:stream/consumers");
  buffer(process.stdin).then((body) => {
    const server = createServer((request, response) => {
      request.resume();
      response.setHeader("content-type", "application/json");
      response.end(body);
    });
    server.listen(0, "127.0.0.1", () => console.log(server.address().port));
  });
`;

/** What may be computed between two turns of others, as a multiple of what it takes to parse a plain answer of the size. */
const longestInParses = 1.5;

describe("a public answer of ten megabytes", () => {
  let server: ChildProcessWithoutNullStreams | undefined;
  let client: RegistryClient | undefined;
  let parseMs = 0;
  before(() => {
    const plain = `[${fill(row)}]`;
    const parses = [1, 2, 3].map(() => {
      const start = process.cpuUsage().user;
      JSON.parse(plain);
      return (process.cpuUsage().user - start) / 1000;
    });
    parseMs = Math.max(...parses);
  });
  afterEach(async () => {
    client?.close();
    server?.kill();
    if (server !== undefined) await once(server, "exit");
  });

  for (const [name, body] of bodies) {
    it(`of ${name} lets others have their turn while it is read`, async () => {
      server = spawn(process.execPath, ["-e", serverSource]);
      server.stdin.end(body);
      const [port] = await once(server.stdout, "data");
      client = clientFor(`http://127.0.0.1:${Number(port)}`, {
        maxResponseBytes: 10_000_000,
        requestTimeoutSeconds: 60,
      });
      const turns = watchTurns();
      await client.search({ text: "", filters: {} }, undefined, never);
      await client.skill("a-skill", undefined, never);
      const { longest } = turns.end();
      assert.ok(longest < longestInParses * parseMs, `${longest} ms, a parse takes ${parseMs} ms`);
    });
  }
});

/** Finds the longest that was computed between two turns of others, in milliseconds. */
function watchTurns(): { end(): { readonly longest: number } } {
  let isOver = false;
  let longest = 0;
  let before = process.cpuUsage().user;
  const turn = () => {
    const now = process.cpuUsage().user;
    longest = Math.max(longest, (now - before) / 1000);
    before = now;
    if (!isOver) setImmediate(turn);
  };
  setImmediate(turn);
  return {
    end: () => {
      isOver = true;
      return { longest };
    },
  };
}
