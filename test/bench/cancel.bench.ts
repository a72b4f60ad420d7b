import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFile, rm } from "node:fs/promises";
import { join, resolve } from "node:path";
import * as esbuild from "esbuild";
import { clientFor } from "../fixtures/clientFor";
import { startRawServer } from "../fixtures/rawServer";
import { startCancelRegistry } from "./cancelRegistry";
import type { Measure } from "./measure";

/** Longer than this, and a person presses again. */
const limitMs = 100;
const rounds = 5;

/**
 * Measures, for each phase of a call, how long it takes from the press on Cancel until the command has
 * ended and nothing of it is on the screen. The worst of several times counts.
 */
export async function run(): Promise<readonly Measure[]> {
  const times = { connecting: await connectingTimes(), ...(await windowTimes()) };
  return Object.entries(times).map(([phase, ofPhase]) => {
    const ours = Math.max(...ofPhase);
    const name = `cancel while ${phase}, ms, worst of ${ofPhase.length}`;
    return { name, ours, peer: limitMs, ratio: ours / limitMs, limit: 1 };
  });
}

/** No window shows a call that is connecting alone: its skill was read over the same connection. */
async function connectingTimes(): Promise<number[]> {
  const silent = await startRawServer(() => undefined);
  const times: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const client = clientFor(`https://127.0.0.1:${silent.port}`);
    const cancel = new AbortController();
    const call = { skillSlug: "s", version: "1.0.0", inputText: "{}" };
    const calling = client.invoke(call, `skh_${"0".repeat(64)}`, cancel.signal);
    while (silent.connections <= round) await new Promise(setImmediate);
    const pressedAt = performance.now();
    cancel.abort();
    const { kind } = await calling;
    if (kind !== "notSent") throw new Error(`The call ended as ${kind}.`);
    times.push(performance.now() - pressedAt);
    client.close();
  }
  await silent.close();
  return times;
}

async function windowTimes(): Promise<Record<string, number[]>> {
  const dataFolder = resolve(".vscode-test/runs/cancel-bench");
  const file = join(dataFolder, "times.json");
  const probe = resolve("out/test/bench/cancelProbe.js");
  const storage = join(dataFolder, "data/User/globalStorage/skill-registry.skill-registry");
  await rm(dataFolder, { recursive: true, force: true });
  await esbuild.build({
    entryPoints: ["test/bench/cancelProbe.ts"],
    outfile: probe,
    bundle: true,
    packages: "external",
    external: ["vscode"],
    platform: "node",
    format: "cjs",
    target: "node22",
  });
  const registry = await startCancelRegistry(storage);
  const host = spawn(
    process.execPath,
    [
      "test/host/serverHost.mjs",
      "--disable-workspace-trust",
      `--user-data-dir=${dataFolder}`,
      `--extensionDevelopmentPath=${resolve(".")}`,
      `--extensionTestsPath=${probe}`,
    ],
    {
      stdio: "inherit",
      env: {
        ...process.env,
        SKILL_REGISTRY_PROBE_FILE: file,
        SKILL_REGISTRY_PROBE_STORAGE: storage,
        SKILL_REGISTRY_PROBE_REGISTRY: registry.baseUrl,
        SKILL_REGISTRY_PROBE_KEY: registry.projectKey,
      },
    },
  );
  const [code] = await once(host, "exit");
  await registry.close();
  if (code !== 0) throw new Error("VS Code could not be started to measure cancelling.");
  return JSON.parse(await readFile(file, "utf8")) as Record<string, number[]>;
}
