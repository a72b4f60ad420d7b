import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFile, rm } from "node:fs/promises";
import { join, resolve } from "node:path";
import * as esbuild from "esbuild";
import { type Browser, chromium, type Page } from "playwright-core";
import { eventually } from "../editor/eventually";
import { Screen } from "../editor/window/screen";
import { startRawServer } from "../fixtures/network/rawServer";
import { clientFor } from "../fixtures/registries/clientFor";
import { startCancelRegistry } from "./probes/cancelRegistry";
import { type CancelTimes, type CancelWindow, cancelTimes } from "./probes/cancelWindow";
import type { Measure } from "./probes/measure";
import { MeasuredHost } from "./probes/measuredHost";

/** The time beyond the editor's own after which a person would press Cancel again, in milliseconds. */
const limitMs = 100;
const rounds = 5;

/**
 * Measures, for each phase of an invocation, the time from pressing Cancel until the command has ended and the screen
 * shows nothing of it. Compares the median with the median time that the editor takes in the same window to remove a
 * notification with no work behind it. The slowest time is not used, since other programs sometimes caused it.
 */
export async function run(): Promise<readonly Measure[]> {
  const { byPhase, ofNothing } = await windowTimes();
  const peer = limitMs + median(ofNothing);
  const times = { connecting: await connectingTimes(), ...byPhase };
  return Object.entries(times).map(([phase, ofPhase]) => {
    const ours = median(ofPhase);
    const name = `cancel while ${phase}, ms, median of ${ofPhase.length}`;
    return { name, ours, peer, ratio: ours / peer, limit: 1 };
  });
}

function median(times: readonly number[]): number {
  return times.toSorted((one, other) => one - other)[Math.floor(times.length / 2)] ?? Number.NaN;
}

/**
 * Measures canceling while connecting. Uses no window, which would have read the skill over the same connection before.
 */
async function connectingTimes(): Promise<number[]> {
  const silent = await startRawServer(() => undefined);
  const times: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const client = clientFor(`https://127.0.0.1:${silent.port}`);
    const cancel = new AbortController();
    const call = { skillSlug: "s", version: "1.0.0", inputText: "{}" };
    const calling = client.invoke(call, `skh_${"0".repeat(64)}`, cancel.signal);
    while (silent.connections() <= round) await new Promise(setImmediate);
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

/** Drives the window and serves its invocations from this process, so that neither takes time of the measured host. */
async function windowTimes(): Promise<CancelTimes> {
  const dataFolder = resolve(".vscode-test/runs/cancel-bench");
  const file = join(dataFolder, "probe.json");
  const storage = join(dataFolder, "machine");
  await rm(dataFolder, { recursive: true, force: true });
  const registry = await startCancelRegistry(storage);
  const window = spawn(process.execPath, await windowArguments(dataFolder), {
    stdio: "inherit",
    env: { ...process.env, SKILL_REGISTRY_PROBE_FILE: file, SKILL_REGISTRY_HOME: storage },
  });
  const closed = once(window, "exit").then(() => {
    throw new Error("VS Code could not be started to measure canceling.");
  });
  const { address, browser: url } = await Promise.race([toldBy(file), closed]);
  const browser = await chromium.connectOverCDP(url);
  const screen = new Screen(await workbench(browser));
  const host = new MeasuredHost(address);
  const times = await timesOrPicture({ screen, host, registry, storage }, `${file}.png`);
  const exited = closed.catch(() => undefined);
  await host.end();
  await exited;
  await registry.close();
  return times;
}

/** The file that the probe writes once it listens. */
interface ProbeAddress {
  readonly address: string;
  readonly browser: string;
}

function toldBy(file: string): Promise<ProbeAddress> {
  const look = async () => JSON.parse(await readFile(file, "utf8")) as ProbeAddress;
  return eventually("the probe", () => look().catch(() => undefined), 120);
}

async function windowArguments(dataFolder: string): Promise<readonly string[]> {
  const probe = resolve("out/test/bench/cancelProbe.js");
  await esbuild.build({
    entryPoints: ["test/bench/probes/cancelProbe.ts"],
    outfile: probe,
    bundle: true,
    packages: "external",
    external: ["vscode"],
    platform: "node",
    format: "cjs",
    target: "node22",
  });
  return [
    "scripts/editor/serverHost.mjs",
    "--disable-workspace-trust",
    `--user-data-dir=${dataFolder}`,
    `--extensionDevelopmentPath=${resolve(".")}`,
    `--extensionTestsPath=${probe}`,
  ];
}

async function timesOrPicture(window: CancelWindow, picture: string) {
  try {
    return await cancelTimes(window, rounds);
  } catch (error) {
    await window.screen.page.screenshot({ path: picture });
    await window.host.end();
    throw error;
  }
}

async function workbench(browser: Browser): Promise<Page> {
  for (const page of browser.contexts().flatMap((context) => context.pages())) {
    if ((await page.locator(".monaco-workbench").count()) > 0) return page;
  }
  throw new Error("There is no window to call in.");
}
