import { spawnSync } from "node:child_process";
import type { Measure } from "./probes/measure";

/** The command line may take this many times as long to start as bare Node.js. */
const limit = 3;
const starts = 15;

/** Measures the start of the command line against an empty program. */
export async function run(): Promise<readonly Measure[]> {
  const times: Record<"ours" | "peer", number[]> = { ours: [], peer: [] };
  for (let start = 0; start < starts; start += 1) {
    times.peer.push(timeOf("-e", "0"));
    times.ours.push(timeOf("dist/cli.js", "check", "--help"));
  }
  const [ours, peer] = [median(times.ours), median(times.peer)];
  return [{ name: "start of the command line", ours, peer, ratio: ours / peer, limit }];
}

function timeOf(...args: readonly string[]): number {
  const startedAt = performance.now();
  const { status } = spawnSync(process.execPath, args, { stdio: "ignore" });
  if (status !== 0) throw new Error(`node ${args.join(" ")} ended with ${status}.`);
  return performance.now() - startedAt;
}

function median(times: readonly number[]): number {
  return times.toSorted((one, other) => one - other)[Math.floor(times.length / 2)] ?? Number.NaN;
}
