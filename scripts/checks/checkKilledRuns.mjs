// Kills `skill-registry run` at random moments, resumes it each time, and checks that no line was sent twice and none
// was lost: `node scripts/checks/checkKilledRuns.mjs [lines] [kills] [jobs]`, 10,000, 20 and 8 by default.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { createWriteStream, existsSync } from "node:fs";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { buildExtension } from "../../esbuild.mjs";
import { root } from "../editor/paths.mjs";
import { importTypeScript } from "../importTypeScript.mjs";

const [lines = 10_000, kills = 20, jobs = 8] = process.argv.slice(2).map(Number);
await buildExtension();
const { startCountingRegistry } = await importTypeScript("test/unit/cli/countingRegistry.ts");
const registry = await startCountingRegistry();
const folder = await mkdtemp(join(tmpdir(), "killed-runs-"));
const cli = join(root, "dist/cli.js");
const startedAt = performance.now();

const inputs = createWriteStream(join(folder, "text-stats.jsonl"));
for (let line = 1; line <= lines; line += 1) inputs.write(`{"text":"line ${line}"}\n`);
inputs.end();
await once(inputs, "close");

let peakMegabytes = 0;
for (let kill = 0; kill < kills; kill += 1) {
  const run = startRun();
  const exit = once(run, "exit");
  const next = Math.ceil(((kill + Math.random()) * lines) / (kills + 1));
  if (registry.total() < next) await Promise.race([registry.reached(next), exit]);
  // Not always right after an invocation arrived.
  await new Promise((resolve) => setTimeout(resolve, Math.random() * 20));
  peakMegabytes = Math.max(peakMegabytes, await memoryOf(run.pid));
  run.kill("SIGKILL");
  await exit;
}
const last = startRun();
const [code] = await once(last, "exit");
const merge = start(["merge", "text-stats.jsonl.journal", "--out", "results.jsonl"]);
await once(merge, "exit");

const results = (await readFile(join(folder, "results.jsonl"), "utf8")).trim().split("\n");
const parsed = results.map((line) => JSON.parse(line));
const unknown = parsed.filter(({ status }) => status === "outcome unknown").length;
const twice = [...registry.counts.values()].filter((count) => count > 1).length;
const lost = lines - new Set(parsed.map(({ line }) => line)).size;
const unsent = parsed.filter(
  ({ line, status }) => status === "success" && registry.counts.get(`line ${line}`) !== 1,
).length;
const seconds = Math.round((performance.now() - startedAt) / 1000);
console.log({ lines, kills, code, unknown, twice, lost, unsent, seconds, peakMegabytes });
registry.close();
await rm(folder, { recursive: true });
// A kill leaves at most the running lines open.
process.exitCode = twice + lost + unsent === 0 && unknown <= kills * jobs ? 0 : 1;

/** Starts the run, or continues it if a journal is there: before that, nothing was sent. */
function startRun() {
  const resume = existsSync(join(folder, "text-stats.jsonl.journal")) ? ["--resume"] : [];
  return start(["run", "text-stats.jsonl", ...resume, "--yes", "--jobs", `${jobs}`]);
}

function start(args) {
  const registryArguments = args[0] === "run" ? ["--registry", registry.url] : [];
  return spawn(process.execPath, [cli, ...args, ...registryArguments], {
    cwd: folder,
    env: {
      ...process.env,
      SKILL_REGISTRY_PROJECT_KEY: "skh_counting_0123456789",
      SKILL_REGISTRY_HOME: join(folder, "machine"),
    },
    stdio: ["ignore", "ignore", "ignore"],
  });
}

/** Resolves to the memory of a process in megabytes; 0 if the system does not report it. */
async function memoryOf(pid) {
  const status = await readFile(`/proc/${pid}/status`, "utf8").catch(() => "");
  return Math.round(Number(/^VmRSS:\s+(\d+)/m.exec(status)?.[1] ?? 0) / 1024);
}
