import { Worker } from "node:worker_threads";
import { Agent, request } from "undici";
import { requestHeaders } from "../../src/registry/transport/wire";
import { clientFor, never } from "../fixtures/registries/clientFor";
import type { Measure } from "./probes/measure";

/**
 * How many times as long as a bare request that parses its response an invocation may take.
 * docs/decisions/json-readers.md explains the overhead for short responses.
 */
const cases = [
  { size: "1 KB", bytes: 1_000, limit: 1.35, warmUp: 2000, rounds: 4000 },
  { size: "10 MB", bytes: 10_000_000, limit: 1.2, warmUp: 4, rounds: 24 },
];

/** The number of warm-up rounds and of measured rounds. */
interface Turns {
  readonly warmUp: number;
  readonly rounds: number;
}

/** Measures an invocation against a bare `undici.request` of the same invocation, on loopback. */
export async function run(): Promise<readonly Measure[]> {
  const measures: Measure[] = [];
  for (const { size, bytes, limit, ...turns } of cases) {
    const server = await startServer(answerOf(bytes));
    const [ours, peer] = await measure(server.url, turns);
    measures.push({ name: `invocation, ${size} output`, ours, peer, ratio: ours / peer, limit });
    await server.close();
  }
  return measures;
}

async function measure(url: string, turns: Turns): Promise<[number, number]> {
  const key = `skh_${"0123456789abcdef".repeat(4)}`;
  const client = clientFor(url, { maxResponseBytes: 20_000_000, invokeTimeoutSeconds: 60 });
  const agent = new Agent();
  const call = { skillSlug: "text-stats", version: "1.0.0", inputText: '{ "text": "to be" }' };
  const body = `{"skillSlug":"text-stats","version":"1.0.0","input":${call.inputText}}`;
  // Both send the same bytes.
  const headers = {
    ...requestHeaders(),
    "content-type": "application/json",
    authorization: `Bearer ${key}`,
  };
  const invoke = async () => {
    const outcome = await client.invoke(call, key, never);
    if (outcome.kind !== "success") throw new Error(`The call ended as ${outcome.kind}.`);
  };
  const bare = async () => {
    const answer = await request(`${url}/v1/runtime/invoke`, {
      method: "POST",
      headers,
      body,
      dispatcher: agent,
    });
    JSON.parse(await answer.body.text());
  };
  const times = await medians(invoke, bare, turns);
  client.close();
  await agent.close();
  return times;
}

/** Runs both in turn and swaps the order each round, so that a slow moment of the machine affects both alike. */
async function medians(
  first: () => Promise<void>,
  second: () => Promise<void>,
  { warmUp, rounds }: Turns,
): Promise<[number, number]> {
  const times: [number[], number[]] = [[], []];
  for (let round = -warmUp; round < rounds; round += 1) {
    for (const which of round % 2 === 0 ? ([0, 1] as const) : ([1, 0] as const)) {
      const started = performance.now();
      await (which === 0 ? first : second)();
      if (round >= 0) times[which].push(performance.now() - started);
    }
  }
  return [median(times[0]), median(times[1])];
}

function median(values: number[]): number {
  return values.sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
}

function answerOf(bytes: number): string {
  const rows: string[] = [];
  for (let length = 0; length < bytes; ) {
    const id = rows.length;
    const row = `{"id":${id},"name":"Row \\"${id}\\" of the table","price":${id / 7},"tags":["a","b"]}`;
    length += row.length + 1;
    rows.push(row);
  }
  const about = '"invocationId":"63615c78","mode":"live","status":"success","latencyMs":3';
  return `{${about},"output":{"rows":[${rows.join(",")}]}}`;
}

const serverSource = `
  const { createServer } = require("node:http");
  const { parentPort, workerData } = require("node:worker_threads");
  const answer = Buffer.from(workerData);
  const server = createServer((request, response) => {
    request.resume().on("end", () => {
      response.setHeader("content-type", "application/json");
      response.setHeader("content-length", answer.length);
      response.end(answer);
    });
  });
  server.listen(0, "127.0.0.1", () => parentPort.postMessage(server.address().port));
`;

/** Starts a server in a separate thread, so that its work is not counted as the client's. */
async function startServer(answer: string): Promise<{ url: string; close(): Promise<number> }> {
  const worker = new Worker(serverSource, { eval: true, workerData: answer });
  const port = await new Promise<number>((resolve, reject) => {
    worker.once("message", resolve);
    worker.once("error", reject);
  });
  return { url: `http://127.0.0.1:${port}`, close: () => worker.terminate() };
}
