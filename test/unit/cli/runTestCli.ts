import { rmSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import * as esbuild from "esbuild";
import { after, before } from "mocha";
import { commands } from "../../../src/cli/cli";
import { runCommand } from "../../../src/cli/program/runCommand";
import type { Threads } from "../../../src/cli/terminal";
import { LanguageClient } from "../../../src/language/languageClient";
import { startLocalRegistry } from "../../../src/localRegistry/startLocalRegistry";

/** What a command wrote and how it ended. */
export interface CliRun {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

/**
 * A folder to run commands in, made anew for a suite and removed after it. What reads schemas is the suite's, and a
 * built-in registry runs in this process: that a command starts a thread of either, its program shows.
 */
export function cliFolder() {
  let folder = "";
  let language: LanguageClient | undefined;
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), "skill-registry-cli-"));
  });
  after(async () => {
    language?.dispose();
    await rm(folder, { recursive: true, force: true });
  });
  const threads: Threads = {
    language: async () => {
      const workerPath = join(dirname(await buildProgram()), "languageWorker.js");
      language ??= new LanguageClient({ workerPath });
      const client = language;
      return {
        check: (...asked) => client.check(...asked),
        manifest: (...asked) => client.manifest(...asked),
        sample: (...asked) => client.sample(...asked),
        dispose: () => undefined,
      };
    },
    registry: () => startLocalRegistry(),
  };
  return {
    threads,
    path: (...parts: readonly string[]) => join(folder, ...parts),
    run: async (
      args: readonly string[],
      env: Record<string, string> = {},
      signal: AbortSignal = new AbortController().signal,
      below = "",
      /** Hears each text that it writes, as output or beside it. */
      heard: (text: string) => void = () => undefined,
      /** What a person at a terminal types, one line after the other; undefined for nobody. */
      typed?: readonly string[],
      columns?: number,
    ): Promise<CliRun> => {
      const lines = [...(typed ?? [])];
      const written = { out: "", err: "" };
      const code = await runCommand(commands, args, {
        // What a command says where no registry is named is tested once.
        env: {
          SKILL_REGISTRY_URL: "built-in",
          SKILL_REGISTRY_HOME: join(folder, "machine"),
          ...env,
        },
        cwd: join(folder, below),
        program: ["/bin/skill-registry"],
        threads,
        out: (text) => {
          written.out += text;
          heard(text);
        },
        err: (text) => {
          written.err += text;
          heard(text);
        },
        errColumns: typed === undefined ? undefined : (columns ?? 1000),
        ...(typed !== undefined && { readLine: async () => lines.shift() ?? "" }),
        columns,
        signal,
      });
      return { code, ...written };
    },
  };
}

let built: Promise<string> | undefined;

/** Builds the command line as a program, beside its threads, once for all tests of a process. Resolves to its path. */
export function buildProgram(): Promise<string> {
  built ??= build(resolve("out/test", `cli-${process.pid}`));
  return built;
}

async function build(outdir: string): Promise<string> {
  process.once("exit", () => rmSync(outdir, { recursive: true, force: true }));
  await esbuild.build({
    entryPoints: [
      resolve("src/cli/main.ts"),
      resolve("src/language/languageWorker.ts"),
      resolve("src/localRegistry/localRegistryWorker.ts"),
    ],
    outdir,
    entryNames: "[name]",
    bundle: true,
    platform: "node",
    format: "cjs",
    target: "node22",
    mainFields: ["module", "main"],
    logLevel: "warning",
  });
  return resolve(outdir, "main.js");
}
