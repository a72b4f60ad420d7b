import { type ChildProcess, fork, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import * as esbuild from "esbuild";
import {
  defaultMachineSettings,
  keepMachineSettings,
} from "../../src/engine/files/machineSettings";
import textStats from "../../src/localRegistry/skills/text-stats/skillhub.json";
import { atStore, keepRecords } from "../fixtures/machineStore";
import { usageRecords } from "../fixtures/usageRecords";
import type { Measure } from "./probes/measure";

const starts = 15;

/**
 * The first requests that every client sends to the server for agents. `answer` waits for the response to the last one.
 */
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

/** A program to start. It is ready when its output contains `answer`, or if that is left out, when it has ended. */
interface Started {
  readonly args: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  readonly input?: string;
  readonly answer?: string;
}

const asked = { input: firstRequests, answer: '"id":2' };
/**
 * A server that is only the protocol's library, bundled like ours. Its start takes 2.8 to 4.4 times as long as bare
 * Node.js.
 */
const emptyServer = "out/test/bench/emptyServer.cjs";
/** The programs to start, each with its peer and how many times the peer's time it may take. */
const started: readonly {
  readonly name: string;
  readonly limit: number;
  readonly ours: Started;
  readonly peer: Started;
}[] = [
  {
    name: "start of the command line",
    limit: 3,
    ours: { args: ["dist/cli.js", "check", "--help"] },
    peer: { args: ["-e", "0"] },
  },
  {
    // The peer is not bare Node.js, since the library alone takes more than twice its time. Beside the library, ours
    // takes 1.0 times as long on a quiet machine and 1.2 to 1.4 times on a busy one, since it reads more code.
    name: "start of the server for agents beside its library's, until it has listed its tools",
    limit: 1.5,
    ours: { ...asked, args: ["dist/cli.js", "mcp", "--registry", "https://registry.example"] },
    peer: { ...asked, args: [emptyServer] },
  },
];

/** The number of validated payload files: each is small, and most have a label in their name. */
const files = 5000;
/**
 * The number of lines of a run with eight jobs. The run with one job gets an eighth of them, which would take as long
 * if parallel jobs cost nothing.
 */
const lines = 1600;
/** The records that are listed and added up. */
const records = 100_000;

/** Measures starts of the command line, `validate` of many files, and `run` of many lines. */
export async function run(): Promise<readonly Measure[]> {
  const folder = await mkdtemp(join(tmpdir(), "skill-registry-bench-"));
  try {
    return [
      ...(await measureStarts()),
      await measureValidate(folder),
      await measureJobs(folder),
      await measureLog(folder),
    ];
  } finally {
    await rm(folder, { recursive: true });
  }
}

/** Measures `validate` of many files against ajv alone, each with the start of its process. */
async function measureValidate(folder: string): Promise<Measure> {
  const payloads = join(folder, "payloads");
  const schema = join(folder, "schema.json");
  await mkdir(payloads);
  await writeFile(schema, JSON.stringify(textStats.inputSchema));
  for (let file = 0; file < files; file += 1) {
    const text = JSON.stringify({ text: `Row ${file}: the quick brown fox.` }, undefined, 2);
    await writeFile(join(payloads, `text-stats.case-${file}.skill-input.json`), text);
  }
  const times: Record<"ours" | "peer", number[]> = { ours: [], peer: [] };
  const ours = { args: ["dist/cli.js", "validate", payloads, "--registry", "built-in"] };
  const peer = { args: [resolve("test/bench/probes/ajvFiles.cjs"), payloads, schema] };
  for (let round = 0; round < 5; round += 1) {
    times.peer.push(await timeOf(peer));
    times.ours.push(await timeOf(ours));
  }
  const name = `validate ${files} files, beside ajv alone`;
  return measureOf(name, median(times.ours), median(times.peer), 5);
}

/**
 * Measures the time per line of a run with eight jobs against one job, at a registry that takes 50 ms per invocation.
 */
async function measureJobs(folder: string): Promise<Measure> {
  const { url, registry } = await startSlowRegistry();
  const timeOfLine = async (jobs: number, count: number) => {
    const inputs = join(folder, `${jobs}.jsonl`);
    const all = Array.from({ length: count }, (_, line) => `{"text":"${jobs} ${line}"}\n`);
    await writeFile(inputs, all.join(""));
    const args = [
      "dist/cli.js",
      "run",
      inputs,
      "--skill",
      "text-stats",
      "--registry",
      url,
      "--yes",
    ];
    return (await timeOf({ args: [...args, "--jobs", String(jobs)], env: keyed(folder) })) / count;
  };
  try {
    const peer = await timeOfLine(1, lines / 8);
    const ours = await timeOfLine(8, lines);
    return measureOf("a line of a run, with eight jobs beside one", ours, peer, 1 / 6);
  } finally {
    registry.disconnect();
  }
}

/** Measures the list of all records against their sums, each with the start of its process. */
async function measureLog(folder: string): Promise<Measure> {
  const home = join(folder, "record");
  await mkdir(home);
  await atStore(home, async (store) => {
    await keepMachineSettings(store, { ...defaultMachineSettings, maxEntries: records });
    await keepRecords(store, usageRecords(records, Date.now()));
  });
  const env = { SKILL_REGISTRY_HOME: home };
  const [ours, peer]: number[][] = [[], []];
  for (let round = 0; round < 3; round += 1) {
    peer?.push(await timeOf({ args: ["dist/cli.js", "usage"], env }));
    ours?.push(await timeOf({ args: ["dist/cli.js", "log"], env }));
  }
  return measureOf(
    `log of ${records} records, beside usage`,
    median(ours ?? []),
    median(peer ?? []),
    2,
  );
}

/** The environment variables with a Project Key and a record of its own. */
function keyed(folder: string) {
  const key = "bench-project-key-0123456789";
  return { SKILL_REGISTRY_PROJECT_KEY: key, SKILL_REGISTRY_HOME: join(folder, "machine") };
}

async function startSlowRegistry(): Promise<{ url: string; registry: ChildProcess }> {
  const outfile = resolve("out/test/bench/slowRegistry.cjs");
  await esbuild.build({
    entryPoints: [resolve("test/bench/probes/slowRegistry.ts")],
    outfile,
    bundle: true,
    platform: "node",
    format: "cjs",
    target: "node22",
    logLevel: "warning",
  });
  const registry = fork(outfile);
  const [url] = await once(registry, "message");
  return { url, registry };
}

/** Measures the starts of the command line and of its servers, each against a program that does nothing else. */
async function measureStarts(): Promise<readonly Measure[]> {
  const { serverWithoutAjv } = await import(pathToFileURL(resolve("esbuild.mjs")).href);
  await esbuild.build({
    entryPoints: ["test/bench/probes/emptyServer.ts"],
    outfile: emptyServer,
    bundle: true,
    minify: true,
    platform: "node",
    format: "cjs",
    target: "node22",
    mainFields: ["module", "main"],
    plugins: [serverWithoutAjv],
    logLevel: "warning",
  });
  const measures: Measure[] = [];
  for (const { name, limit, ours, peer } of started) {
    const times: Record<"ours" | "peer", number[]> = { ours: [], peer: [] };
    for (let start = 0; start < starts; start += 1) {
      times.peer.push(await timeOf(peer));
      times.ours.push(await timeOf(ours));
    }
    measures.push(measureOf(name, median(times.ours), median(times.peer), limit));
  }
  return measures;
}

function measureOf(name: string, ours: number, peer: number, limit: number): Measure {
  return { name, ours, peer, ratio: ours / peer, limit };
}

async function timeOf({ args, env, input = "", answer }: Started): Promise<number> {
  const startedAt = performance.now();
  const child = spawn(process.execPath, args, {
    env: { ...process.env, ...env },
    stdio: ["pipe", "pipe", "ignore"],
  });
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
