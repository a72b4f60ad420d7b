import { spawnSync } from "node:child_process";
import type { Measure } from "./probes/measure";

const starts = 15;

/** What is started: with which arguments and input, and how many times as long as bare Node.js it may take. */
const started = [
  { name: "start of the command line", limit: 3, args: ["check", "--help"], input: "" },
  {
    name: "start of the server for agents",
    limit: 3.5,
    args: ["mcp", "--registry", "https://registry.example"],
    input: [
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
      .join(""),
  },
] as const;

/** Measures the start of the command line, and of what it serves, against an empty program. */
export async function run(): Promise<readonly Measure[]> {
  return started.map(({ name, limit, args, input }) => {
    const times: Record<"ours" | "peer", number[]> = { ours: [], peer: [] };
    for (let start = 0; start < starts; start += 1) {
      times.peer.push(timeOf(["-e", "0"]));
      times.ours.push(timeOf(["dist/cli.js", ...args], input));
    }
    const [ours, peer] = [median(times.ours), median(times.peer)];
    return { name, ours, peer, ratio: ours / peer, limit };
  });
}

function timeOf(args: readonly string[], input = ""): number {
  const startedAt = performance.now();
  const { status } = spawnSync(process.execPath, args, {
    input,
    stdio: ["pipe", "ignore", "ignore"],
  });
  if (status !== 0) throw new Error(`node ${args.join(" ")} ended with ${status}.`);
  return performance.now() - startedAt;
}

function median(times: readonly number[]): number {
  return times.toSorted((one, other) => one - other)[Math.floor(times.length / 2)] ?? Number.NaN;
}
