// Sends a run as the shards of an array job, each in a process with a record of its own. Kills half of them, starts these
// again, and checks that no line was sent twice, none was lost, and the cost stays within the limit of the whole run:
// `node scripts/checks/checkKilledShards.mjs [lines] [shards]`, 800 and 20 by default.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { buildExtension } from "../../esbuild.mjs";
import { root } from "../editor/paths.mjs";
import { importTypeScript } from "../importTypeScript.mjs";

const [lines = 800, shards = 20] = process.argv.slice(2).map(Number);
await buildExtension();
const { startCountingRegistry } = await importTypeScript("test/unit/cli/countingRegistry.ts");
const registry = await startCountingRegistry();
const folder = await mkdtemp(join(tmpdir(), "killed-shards-"));
const cli = join(root, "dist/cli.js");
/** What the counting registry bills for an invocation. */
const cents = 2;

/** Runs all shards, and kills and restarts every second one. Returns the counts of `merge`. */
async function runShards(name, text, limits) {
  registry.forget();
  registry.describe({ takesMs: 100 });
  await writeFile(join(folder, `${name}.jsonl`), text);
  const running = Array.from({ length: shards }, async (_, index) => {
    const starts = index % 2 === 0 ? 2 : 1;
    for (let attempt = 1; attempt <= starts; attempt += 1) {
      const args = ["run", `${name}.jsonl`, "--skill", "text-stats", "--yes", "--shard", "auto"];
      const child = start([...args, "--jobs", "2", "--registry", registry.url, ...limits], {
        AWS_BATCH_JOB_ARRAY_INDEX: `${index}`,
        AWS_BATCH_JOB_ARRAY_SIZE: `${shards}`,
        AWS_BATCH_JOB_ATTEMPT: `${attempt}`,
        SKILL_REGISTRY_HOME: join(folder, `${name}-${index}-${attempt}`),
      });
      const exit = once(child, "exit");
      if (attempt < starts) {
        await sentBy(`${name}.jsonl.${index + 1}-${shards}.journal`, exit);
        child.kill("SIGKILL");
      }
      await exit;
    }
  });
  await Promise.all(running);
  const journals = Array.from(
    { length: shards },
    (_, at) => `${name}.jsonl.${at + 1}-${shards}.journal`,
  );
  const merge = start(["merge", ...journals, "--out", `${name}.results`], {});
  const [code] = await once(merge, "exit");
  const results = (await readFile(join(folder, `${name}.results`), "utf8")).trim().split("\n");
  const parsed = results.map((line) => JSON.parse(line));
  const unknown = parsed.filter(({ status }) => status === "outcome unknown").length;
  const twice = [...registry.counts.values()].filter((count) => count > 1).length;
  return { code, results: parsed.length, unknown, twice, sent: registry.total() };
}

/** Resolves once a journal has the end of a line, or the program has ended. */
async function sentBy(journal, exit) {
  let isOver = false;
  void exit.then(() => {
    isOver = true;
  });
  while (!isOver) {
    const text = await readFile(join(folder, journal), "utf8").catch(() => "");
    if (text.includes('"kind":"ended"')) return;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

function start(args, env) {
  const key = { SKILL_REGISTRY_PROJECT_KEY: "skh_counting_0123456789" };
  const all = { ...process.env, ...key, ...env };
  return spawn(process.execPath, [cli, ...args], { cwd: folder, env: all, stdio: "ignore" });
}

const inputs = Array.from({ length: lines }, (_, at) => `{"text":"line ${at + 1}"}\n`).join("");
const whole = await runShards("whole", inputs, ["--rate", `${shards * 1000}`]);
const maxCents = lines;
const limited = await runShards("limited", inputs, ["--max-cents", `${maxCents}`]);
console.log({ lines, shards, whole, limited: { ...limited, maxCents } });
registry.close();
await rm(folder, { recursive: true });
const isWhole = whole.code === 0 && whole.results === lines && whole.twice === 0;
const isWithin = limited.twice === 0 && limited.sent * cents <= maxCents;
process.exitCode = isWhole && isWithin && limited.sent > 0 ? 0 : 1;
