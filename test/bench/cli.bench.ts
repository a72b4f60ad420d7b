import { spawn } from "node:child_process";
import { once } from "node:events";
import type { Measure } from "./probes/measure";

const starts = 15;

/** What the server for agents is asked first by every client; the last one has the number that `answer` waits for. */
const firstRequests = [
  {
    id: 1,
    method: "initialize",
    params: {
      protocolVersion: "2025-06-18",
      capabilities: {},
      clientInfo: { name: "bench", version: "1" },
    },
  },
  { method: "notifications/initialized" },
  { id: 2, method: "tools/list" },
]
  .map((message) => `${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`)
  .join("");

/** A program that is started, and what its output has when it is at work; left out where it has to end. */
interface Started {
  readonly args: readonly string[];
  readonly input?: string;
  readonly answer?: string;
}

const bare: Started = { args: ["-e", "0"] };
/** What is started, and how many times as long as bare Node.js it may take. */
const started: readonly (Started & { readonly name: string; readonly limit: number })[] = [
  { name: "start of the command line", limit: 3, args: ["dist/cli.js", "check", "--help"] },
  {
    name: "start of the server for agents, until it has listed its tools",
    limit: 2.2,
    args: ["dist/cli.js", "mcp", "--registry", "https://registry.example"],
    input: firstRequests,
    answer: '"id":2',
  },
];

/** Measures the start of the command line, and of what it serves, against an empty program. */
export async function run(): Promise<readonly Measure[]> {
  const measures: Measure[] = [];
  for (const { name, limit, ...one } of started) {
    const times: Record<"ours" | "peer", number[]> = { ours: [], peer: [] };
    for (let start = 0; start < starts; start += 1) {
      times.peer.push(await timeOf(bare));
      times.ours.push(await timeOf(one));
    }
    const [ours, peer] = [median(times.ours), median(times.peer)];
    measures.push({ name, ours, peer, ratio: ours / peer, limit });
  }
  return measures;
}

async function timeOf({ args, input = "", answer }: Started): Promise<number> {
  const startedAt = performance.now();
  const child = spawn(process.execPath, args, { stdio: ["pipe", "pipe", "ignore"] });
  const ended = once(child, "close");
  let answeredAt: number | undefined;
  let output = "";
  child.stdout.on("data", (part) => {
    output += part;
    if (answer === undefined || !output.includes(answer)) return;
    answeredAt ??= performance.now();
    child.stdin.end();
  });
  child.stdin.write(input);
  if (answer === undefined) child.stdin.end();
  const [status] = await ended;
  if (status !== 0) throw new Error(`node ${args.join(" ")} ended with ${status}.`);
  return (answeredAt ?? performance.now()) - startedAt;
}

function median(times: readonly number[]): number {
  return times.toSorted((one, other) => one - other)[Math.floor(times.length / 2)] ?? Number.NaN;
}
