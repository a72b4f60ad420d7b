import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFile, rm } from "node:fs/promises";
import { join, resolve } from "node:path";
import type { Measure } from "./probes/measure";

/**
 * Opening a skill's page may take this many times an empty webview's. Loading its script, reading the skill and
 * drawing all of it come to half; the rest is how far one run of this is from the next.
 */
const limit = 1.7;

/** Its host may hold this many times what an empty webview does. */
const heapLimit = 8;

/** Measures opening the page of a skill against opening an empty webview, in the same window. */
export async function run(): Promise<readonly Measure[]> {
  const dataFolder = resolve(".vscode-test/runs/page-bench");
  const file = join(dataFolder, "times.json");
  await rm(dataFolder, { recursive: true, force: true });
  const host = spawn(
    process.execPath,
    [
      "scripts/editor/serverHost.mjs",
      "--disable-workspace-trust",
      `--user-data-dir=${dataFolder}`,
      `--extensionDevelopmentPath=${resolve(".")}`,
      `--extensionTestsPath=${resolve("test/bench/probes/pageProbe.cjs")}`,
    ],
    { stdio: "inherit", env: { ...process.env, SKILL_REGISTRY_PROBE_FILE: file } },
  );
  const [code] = await once(host, "exit");
  if (code !== 0) throw new Error("VS Code could not be started to measure the page.");
  const { heap, ...times }: Pages & { readonly heap: Pages } = JSON.parse(
    await readFile(file, "utf8"),
  );
  const [ours, peer] = [middle(times.ours), middle(times.peer)];
  const [held, empty] = [Math.min(...heap.ours), Math.min(...heap.peer)];
  return [
    { name: "opening a skill's page", ours, peer, ratio: ours / peer, limit },
    {
      name: "heap of an open skill's page, in kilobytes",
      ...{ ours: held, peer: empty, ratio: held / empty, limit: heapLimit },
    },
  ];
}

/** What was measured of a skill's page and of an empty one, in each round. */
type Pages = Readonly<Record<"ours" | "peer", number[]>>;

/** The mean of the middle half: times come in steps of a frame, which a single one of them would jump between. */
function middle(numbers: readonly number[]): number {
  const quarter = Math.floor(numbers.length / 4);
  const half = [...numbers].sort((a, b) => a - b).slice(quarter, numbers.length - quarter);
  return half.reduce((sum, each) => sum + each, 0) / half.length;
}
