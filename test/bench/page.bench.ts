import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFile, rm } from "node:fs/promises";
import { join, resolve } from "node:path";
import type { Measure } from "./probes/measure";

/**
 * How many times as long as an empty webview the page of a skill may take to open. Loading its script, reading the
 * skill and drawing it add about half; the rest is variation between runs.
 */
const limit = 1.7;

/** How many times the heap of an empty webview a page may take in its host. */
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

/** The measurements of a skill's page and of an empty one, in each round. */
type Pages = Readonly<Record<"ours" | "peer", number[]>>;

/** Returns the mean of the middle half. A median would jump, since times come in steps of a frame. */
function middle(numbers: readonly number[]): number {
  const quarter = Math.floor(numbers.length / 4);
  const half = [...numbers].sort((a, b) => a - b).slice(quarter, numbers.length - quarter);
  return half.reduce((sum, each) => sum + each, 0) / half.length;
}
