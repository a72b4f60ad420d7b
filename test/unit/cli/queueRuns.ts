import assert from "node:assert/strict";
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { rm, writeFile } from "node:fs/promises";
import { after, before, beforeEach } from "mocha";
import { readJournal } from "../../../src/batch/readJournal";
import { settledCounts, unknownLines } from "../../../src/core/invocation/run/runJournal";
import { type CountingRegistry, startCountingRegistry } from "./countingRegistry";
import { buildProgram, cliFolder } from "./runTestCli";

/** The Project Key of runs and workers. */
export const projectKey = "skh_counting_0123456789";

/**
 * Returns the tools of a suite for a file of lines, a run and its workers, each as on a machine of its own. `url` is
 * the address of their Redis.
 */
export function queueRuns(url: () => string) {
  const folder = cliFolder();
  let registry: CountingRegistry;
  let program: string;
  before(async () => {
    registry = await startCountingRegistry();
    program = await buildProgram();
  });
  after(() => registry.close());
  const journal = () => folder.path("text-stats.jsonl.journal");
  beforeEach(async () => {
    registry.forget();
    await rm(journal(), { force: true });
    await rm(folder.path("machine"), { recursive: true, force: true });
  });
  const writeLines = (count: number) =>
    writeFile(
      folder.path("text-stats.jsonl"),
      Array.from({ length: count }, (_, at) => `{"text":"line ${at + 1}"}\n`).join(""),
    );
  const envOf = (machine: string) => ({
    SKILL_REGISTRY_PROJECT_KEY: projectKey,
    SKILL_REGISTRY_HOME: folder.path(machine),
  });
  const options = () => ["--registry", registry.url, "--yes", "--queue", url()];
  const run = (...more: string[]) =>
    folder.run(["run", "text-stats.jsonl", ...options(), ...more], envOf("machine"));
  /** Starts a worker on a machine of its own. */
  const startWorker = (machine: string, ...more: string[]): ChildProcess =>
    spawn(process.execPath, [program, "work", "text-stats", ...options(), ...more], {
      cwd: folder.path(),
      env: { ...process.env, ...envOf(machine) },
      stdio: ["ignore", "ignore", "pipe"],
    });
  const atWork = async (...workers: ChildProcess[]) => {
    await Promise.all(
      workers.map(async ({ stderr }) => {
        let text = "";
        for await (const chunk of stderr ?? []) {
          text += chunk;
          if (text.includes("Waiting for lines")) return;
        }
        throw new Error(`A worker ended: ${text}`);
      }),
    );
  };
  const end = async (...workers: ChildProcess[]) => {
    await Promise.all(
      workers.map(async (worker) => {
        if (worker.exitCode !== null || worker.signalCode !== null) return;
        const exit = once(worker, "exit");
        worker.kill("SIGTERM");
        await exit;
      }),
    );
  };
  /**
   * Checks that every line has one known end or an unknown outcome, and arrived once at most; lines that succeeded
   * arrived exactly once.
   */
  const requireNothingTwiceOrLost = async (lines: number) => {
    assert.ok(
      [...registry.counts.values()].every((times) => times === 1),
      JSON.stringify([...registry.counts].filter(([, times]) => times > 1)),
    );
    const state = (await readJournal(journal())).state;
    const { success, failed, unknown } = settledCounts(state);
    assert.deepEqual([success + unknown, failed, state.notRun.size], [lines, 0, 0]);
    const open = new Set(unknownLines(state));
    for (let line = 1; line <= lines; line += 1) {
      if (!open.has(line)) assert.equal(registry.counts.get(`line ${line}`), 1, `line ${line}`);
    }
    return unknown;
  };
  /** Starts a run as a separate program, which can be killed. */
  const startRun = (...more: string[]) => {
    const args = [program, "run", "text-stats.jsonl", ...options(), ...more];
    const env = { ...process.env, ...envOf("machine") };
    const child = spawn(process.execPath, args, { cwd: folder.path(), env, stdio: "ignore" });
    return { child, exit: once(child, "exit") };
  };
  return {
    ...{ folder, journal, writeLines, envOf, options, run, startRun, startWorker, atWork, end },
    ...{ requireNothingTwiceOrLost, registry: () => registry },
  };
}
