import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { once } from "node:events";
import { clientFor, never } from "../fixtures/registries/clientFor";
import type { Measure } from "./probes/measure";

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

/** Runs in a separate process, so that sending is not counted as reading. */
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

/**
 * Measures the longest step without a pause while a public response of ten megabytes is read, against parsing a plain
 * one, in milliseconds of CPU time.
 */
export async function run(): Promise<Measure[]> {
  const plain = `[${fill(row)}]`;
  const peer = best(() => JSON.parse(plain));
  const measures: Measure[] = [];
  for (const [name, body] of bodies) {
    const runs = [await longestTurn(body), await longestTurn(body)];
    const ours = Math.min(...runs);
    measures.push({
      name: `longest turn while an answer of ${name} is read`,
      ours,
      peer,
      ratio: ours / peer,
      limit: 1,
    });
  }
  return measures;
}

function best(work: () => unknown): number {
  const runs = [1, 2, 3].map(() => {
    const start = process.cpuUsage().user;
    work();
    return (process.cpuUsage().user - start) / 1000;
  });
  return Math.min(...runs);
}

async function longestTurn(body: string): Promise<number> {
  const server: ChildProcessWithoutNullStreams = spawn(process.execPath, ["-e", serverSource]);
  server.stdin.end(body);
  const [port] = await once(server.stdout, "data");
  const client = clientFor(`http://127.0.0.1:${Number(port)}`, {
    maxResponseBytes: 10_000_000,
    requestTimeoutSeconds: 60,
  });
  const turns = watchTurns();
  await client.search({ text: "", filters: {} }, undefined, never);
  await client.skill("a-skill", undefined, never);
  const { longest } = turns.end();
  client.close();
  server.kill();
  await once(server, "exit");
  return longest;
}

/** Measures the longest computation between two turns of the event loop, in milliseconds. */
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
