import { spawn } from "node:child_process";
import { once } from "node:events";
import { cp, readFile, rm, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import type { Measure } from "./probes/measure";

/**
 * How many times an empty extension's activation ours may take: `taken` in elapsed time, most of which is the editor's
 * own, and `processor` in CPU time, which other programs lengthen less. Measured CPU ratios: 3.9 in the quickest start
 * of a busy machine, 4.7 while twenty programs shared two processors.
 */
const limits = { taken: 3, processor: 5 } as const;

/** The share of the host's heap that an active but unused extension may add. */
const heapLimit = 0.02;

/** The elapsed milliseconds of an activation, and the CPU milliseconds of its thread. */
type Times = Readonly<Record<keyof typeof limits, number>>;

/** How many times VS Code is started; each time brings a fresh extension host. */
const starts = 9;

const our = "skill-registry.skill-registry";
const empty = "skill-registry.empty";

/** Measures our activation against an empty extension's, in the same extension hosts. */
export async function run(): Promise<readonly Measure[]> {
  const extension = await copyThatWaits();
  const times: Readonly<Record<string, Times>>[] = [];
  const heap = await activate<{ readonly heap: number; readonly host: number }>(extension, [our], {
    SKILL_REGISTRY_PROBE_HEAP: "yes",
  });
  for (let start = 0; start < starts; start += 1) {
    // The second activation finds a warmer host, so the order alternates.
    times.push(await activate<Times>(extension, start % 2 === 0 ? [our, empty] : [empty, our]));
  }
  const speeds = (Object.keys(limits) as (keyof Times)[]).map((kind) => {
    const ours = fastest(times.map((time) => time[our]?.[kind] ?? Number.NaN));
    const peer = fastest(times.map((time) => time[empty]?.[kind] ?? Number.NaN));
    const name = kind === "taken" ? "activation" : "activation: time of the processor";
    return { name, ours, peer, ratio: ours / peer, limit: limits[kind] };
  });
  const { heap: ours = Number.NaN, host: peer = Number.NaN } = heap[our] ?? {};
  const name = "activation: heap that it keeps, beside the host's, in kilobytes";
  return [...speeds, { name, ours, peer, ratio: ours / peer, limit: heapLimit }];
}

/** Copies the built extension without its activation events, so that nothing activates it too early. */
async function copyThatWaits(): Promise<string> {
  const folder = resolve(".vscode-test/runs/activation-extension");
  await rm(folder, { recursive: true, force: true });
  await cp("dist", join(folder, "dist"), { recursive: true });
  await cp("package.nls.json", join(folder, "package.nls.json"));
  const manifest = JSON.parse(await readFile("package.json", "utf8"));
  const waiting = { ...manifest, activationEvents: [] };
  await writeFile(join(folder, "package.json"), JSON.stringify(waiting));
  return folder;
}

/** Starts VS Code and activates these extensions in order. Resolves to the measurements of each. */
async function activate<Measured>(
  extension: string,
  ids: readonly string[],
  more: Readonly<Record<string, string>> = {},
): Promise<Readonly<Record<string, Measured>>> {
  const dataFolder = resolve(".vscode-test/runs/activation");
  const file = join(dataFolder, "times.json");
  await rm(dataFolder, { recursive: true, force: true });
  const host = spawn(
    process.execPath,
    [
      "scripts/editor/serverHost.mjs",
      "--disable-workspace-trust",
      `--user-data-dir=${dataFolder}`,
      `--extensionDevelopmentPath=${extension}`,
      `--extensionDevelopmentPath=${resolve("scripts/editor/emptyExtension")}`,
      `--extensionTestsPath=${resolve("test/bench/probes/activationProbe.cjs")}`,
    ],
    {
      stdio: "inherit",
      env: {
        ...process.env,
        ...more,
        SKILL_REGISTRY_PROBE_IDS: ids.join(","),
        SKILL_REGISTRY_PROBE_FILE: file,
      },
    },
  );
  const [code] = await once(host, "exit");
  if (code !== 0) throw new Error("VS Code could not be started to measure the activation.");
  return JSON.parse(await readFile(file, "utf8"));
}

/** Returns the quickest start, which other programs lengthened least. */
function fastest(times: readonly number[]): number {
  return Math.min(...times);
}
