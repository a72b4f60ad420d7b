// Kills programs of every kind that share a machine's folder at random moments: editors, `invoke`, `run` and servers
// for agents. Checks that nothing was sent twice, that everything sent is recorded, and that the record is intact:
// `node scripts/checks/checkKilledMix.mjs [kills]`, 18 by default.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import * as esbuild from "esbuild";
import { ensureInstalled } from "../ensureInstalled.mjs";

await ensureInstalled();
const { buildExtension } = await import("../../esbuild.mjs");
const { out, root } = await import("../editor/paths.mjs");
const { importTypeScript } = await import("../importTypeScript.mjs");
const { bundleForMemory } = await import("../memory.mjs");
const { unitBundle } = await import("../unit.mjs");

const kills = Number(process.argv[2] ?? 18);
/** The number of programs of each kind, and how many texts each sends. */
const kinds = {
  editor: { programs: 2, texts: 14, work: workAsEditor },
  invoke: { programs: 2, texts: 10, work: workByInvoke },
  run: { programs: 3, texts: 100, work: workByRun },
  // Below an agent's limits for a session and a day.
  mcp: { programs: 3, texts: 15, work: workAsAgent },
};
const jobs = 4;
const key = "skh_counting_0123456789";

await buildExtension();
await bundleForMemory();
const editorProgram = join(out, "test/inMemory/invokingEditor.js");
await esbuild.build({
  ...unitBundle,
  entryPoints: ["test/inMemory/invokingEditor.ts"],
  outfile: editorProgram,
});
const { startCountingRegistry } = await importTypeScript("test/unit/cli/countingRegistry.ts");
const { allowOnMachine } = await importTypeScript("test/fixtures/allowedMachine.ts");
const { atStore, atTables } = await importTypeScript("test/fixtures/machineStore.ts");
const { defaultMachineSettings, keepMachineSettings } = await importTypeScript(
  "src/engine/files/machineSettings.ts",
);
const registry = await startCountingRegistry();
// Long enough that some kills happen while a response is awaited.
registry.describe({ takesMs: 30 });
const folder = await mkdtemp(join(tmpdir(), "killed-mix-"));
const machine = join(folder, "machine");
const home = join(machine, "globalStorage");
const env = { ...process.env, SKILL_REGISTRY_HOME: home, SKILL_REGISTRY_PROJECT_KEY: key };
const cli = join(root, "dist/cli.js");
await mkdir(home, { recursive: true });
await allowOnMachine(home, registry.url);
// An invocation is found in the record by its payload.
await atStore(home, (store) =>
  keepMachineSettings(store, { ...defaultMachineSettings, keepTexts: "always" }),
);
const startedAt = performance.now();

/** The texts whose end was reported to a caller. */
const told = [];
/** The running programs: kind and process number of each. */
const running = new Map();
/** The process numbers of killed programs. */
const killed = new Set();
const all = Object.entries(kinds).flatMap(([kind, { programs, texts, work }]) =>
  Array.from({ length: programs }, (_, number) => {
    const name = `${kind}${number}`;
    return { kind, name, texts: Array.from({ length: texts }, (_, at) => `${name} ${at}`), work };
  }),
);
const most = all.reduce((sum, { texts }) => sum + texts.length, 0);
const killing = killAtRandom();
await Promise.all(all.map((one) => one.work(one)));
const killedKinds = await killing;

const faults = await findFaults();
const seconds = Math.round((performance.now() - startedAt) / 1000);
console.log({ programs: all.length, kills: killedKinds, sent: registry.total(), seconds });
for (const fault of faults) console.error(fault);
registry.close();
await rm(folder, { recursive: true });
process.exitCode = faults.length === 0 ? 0 : 1;

/** Kills programs of each kind in turn. Resolves to the number of killed ones of each kind. */
async function killAtRandom() {
  const count = {};
  const names = Object.keys(kinds);
  for (let kill = 0; kill < kills; kill += 1) {
    const next = Math.ceil(((kill + Math.random()) * most) / (kills + 3));
    await registry.reached(next);
    // Not always right after an invocation arrived.
    await new Promise((resolve) => setTimeout(resolve, Math.random() * 200));
    const kind = names[kill % names.length];
    const of = [...running.values()].filter((one) => one.kind === kind);
    const from = of.length > 0 ? of : [...running.values()];
    const chosen = from[Math.floor(Math.random() * from.length)];
    if (chosen === undefined) continue;
    process.kill(chosen.pid, "SIGKILL");
    killed.add(chosen.pid);
    count[chosen.kind] = (count[chosen.kind] ?? 0) + 1;
  }
  return count;
}

/** Runs a program until it ends or is killed. Resolves to its exit code, or null if it was killed. */
async function ranProgram({ kind, name }, args, heard) {
  const child = spawn(process.execPath, args, {
    cwd: root,
    env,
    stdio: ["ignore", "pipe", "ignore"],
  });
  running.set(name, { kind, pid: child.pid });
  createInterface({ input: child.stdout }).on("line", (line) => heard?.(line));
  const [code] = await once(child, "close");
  running.delete(name);
  return code;
}

async function workAsEditor(one) {
  let left = one.texts;
  while (left.length > 0) {
    const args = ["--no-warnings", editorProgram, machine, registry.url, key, ...left];
    const code = await ranProgram(one, args, (text) => told.push(text));
    if (code === 0) return;
    if (code !== null) throw new Error(`${one.name} ended with code ${code}.`);
    // A person does not send again what may have been sent.
    left = left.filter((text) => !told.includes(text) && !registry.counts.has(text));
  }
}

async function workByInvoke(one) {
  const file = join(folder, `${one.name}.json`);
  for (const text of one.texts) {
    await writeFile(file, JSON.stringify({ text }));
    const options = ["--registry", registry.url, "--yes"];
    const code = await ranProgram(one, [cli, "invoke", "text-stats", file, ...options]);
    if (code === 0) told.push(text);
    else if (code !== null) throw new Error(`${one.name} ended with code ${code}.`);
  }
}

async function workByRun(one) {
  const file = join(folder, `${one.name}.jsonl`);
  await writeFile(file, one.texts.map((text) => `${JSON.stringify({ text })}\n`).join(""));
  const options = ["--registry", registry.url, "--yes", "--jobs", `${jobs}`];
  const merged = join(folder, `${one.name}.results`);
  // Before there is a journal, nothing was sent.
  const run = () => {
    const resume = existsSync(`${file}.journal`) ? ["--resume"] : [];
    return ["run", file, "--skill", "text-stats", ...resume, ...options];
  };
  const merge = () => ["merge", `${file}.journal`, "--out", merged];
  for (const argsOf of [run, merge]) {
    while ((await ranProgram(one, [cli, ...argsOf()])) === null);
  }
  for (const result of (await readFile(merged, "utf8")).trim().split("\n")) {
    const { line, status } = JSON.parse(result);
    if (status === "success") told.push(one.texts[line - 1]);
  }
}

async function workAsAgent(one) {
  let client;
  for (const text of one.texts) {
    client ??= await connected(one);
    const { pid } = client.transport;
    try {
      const given = { skill: "text-stats" };
      const { contractHash } = await called(client, "inspect_skill", given);
      const input = { text };
      const answer = await called(client, "invoke_skill", { ...given, contractHash, input });
      if (answer.status !== "success") throw new Error(`${text}: ${JSON.stringify(answer)}`);
      told.push(text);
    } catch (error) {
      if (!killed.has(pid)) throw error;
      client = undefined;
    }
  }
  await client?.close();
  running.delete(one.name);
}

/** Starts a server for agents, with the client of the official library. */
async function connected({ kind, name }) {
  const client = new Client({ name, version: "1" });
  const args = [cli, "mcp", "--registry", registry.url];
  const transport = new StdioClientTransport({
    ...{ command: process.execPath, args, env, stderr: "ignore" },
  });
  await client.connect(transport);
  running.set(name, { kind, pid: transport.pid });
  client.onclose = () => running.delete(name);
  return client;
}

async function called(client, name, given) {
  const { content } = await client.callTool({ name, arguments: given });
  return JSON.parse(content[0].text);
}

/** Compares the registry's counts and the reported ends with the record. */
async function findFaults() {
  const found = [];
  for (const [text, count] of registry.counts)
    if (count > 1) found.push(`${text} was sent ${count} times.`);
  const aside = (await readdir(home)).filter((name) => name.includes("damaged"));
  if (aside.length > 0) found.push(`The record was damaged: ${aside.join(", ")}.`);
  const { integrity_check: integrity } = await atTables(home, (database) =>
    database.prepare("PRAGMA integrity_check").get(),
  );
  if (integrity !== "ok") found.push(`The record is torn: ${integrity}.`);

  const { byText, billed } = await atStore(home, readRecord);
  const listed = [...byText].flatMap(([text, records]) => records.map((one) => ({ ...one, text })));
  for (const { text, status, of } of listed) {
    if (status !== "success" && status !== "outcome unknown") found.push(`${text} is ${status}.`);
    else if (status === "success" && of !== text) found.push(`${text} has the output of ${of}.`);
  }
  for (const text of [...registry.counts.keys(), ...told])
    if (!byText.has(text)) found.push(`${text} was sent and is not on record.`);
  const ended = listed.filter(({ status }) => status === "success");
  const twice = ended.length - new Set(ended.map(({ text }) => text)).size;
  if (twice > 0) found.push(`${twice} are on record twice.`);
  if (billed !== ended.length)
    found.push(`${billed} are counted as billed, and ${ended.length} ended.`);
  // A kill leaves at most the running invocations unsent or without an end.
  const unknown = listed.length - ended.length;
  const unsent = most - byText.size;
  if (unknown > kills * jobs) found.push(`The end of ${unknown} is unknown.`);
  if (unsent > kills) found.push(`${unsent} were never sent.`);
  console.log({ onRecord: byText.size, told: told.length, unknown, unsent });
  return found;
}

/** Reads the whole record by the sent texts, and how many invocations the day's sums count as billed. */
async function readRecord(store) {
  const byText = new Map();
  for (let before = "~"; before !== undefined; ) {
    const { records, next } = await store.list({ before, limit: 500 });
    for (const { id, status } of records) {
      const { inputText, outputText = "{}" } = await store.texts(id);
      const { text } = JSON.parse(inputText);
      byText.set(text, [...(byText.get(text) ?? []), { status, of: JSON.parse(outputText).of }]);
    }
    before = next;
  }
  const { spending } = await store.spent();
  const billed = spending.reduce((sum, { calls, isExpected }) => sum + (isExpected ? 0 : calls), 0);
  return { byText, billed };
}
