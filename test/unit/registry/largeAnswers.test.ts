import assert from "node:assert/strict";
import { Worker } from "node:worker_threads";
import { afterEach, describe, it } from "mocha";
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

/** In a thread of its own, so that sending is not counted as reading. */
const serverSource = `
  const { createServer } = require("node:http");
  const { parentPort, workerData } = require("node:worker_threads");
  const server = createServer((request, response) => {
    request.resume();
    response.setHeader("content-type", "application/json");
    response.end(workerData);
  });
  server.listen(0, "127.0.0.1", () => parentPort.postMessage(server.address().port));
`;

describe("a public answer of ten megabytes", () => {
  let worker: Worker | undefined;
  let client: RegistryClient | undefined;
  afterEach(async () => {
    client?.close();
    await worker?.terminate();
  });

  for (const [name, body] of bodies) {
    it(`of ${name} lets others have their turn while it is read`, async () => {
      worker = new Worker(serverSource, { eval: true, workerData: body });
      const port = await new Promise((resolve) => worker?.once("message", resolve));
      client = clientFor(`http://127.0.0.1:${port}`, {
        maxResponseBytes: 10_000_000,
        requestTimeoutSeconds: 60,
      });
      const turns = watchTurns();
      await client.search({ text: "", filters: {} }, undefined, never);
      await client.skill("a-skill", undefined, never);
      const { longest } = turns.end();

      assert.ok(longest < 250, `${longest} ms`);
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
