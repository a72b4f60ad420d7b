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

/** The output and exit code of a command. */
export interface CliRun {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

/**
 * Returns a folder in which a suite runs commands; it is removed afterwards. All commands share one language thread,
 * and a built-in registry runs in this process; tests of the program show that a command starts these itself.
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
        mistakes: (...asked) => client.mistakes(...asked),
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
      /** Called with each text that it writes to stdout or stderr. */
      heard: (text: string) => void = () => undefined,
      /** The lines that a person types at the terminal; undefined without a terminal. */
      typed?: readonly string[],
      columns?: number,
    ): Promise<CliRun> => {
      const lines = [...(typed ?? [])];
      const written = { out: "", err: "" };
      const code = await runCommand(commands, args, {
        // The message about an unnamed registry is tested once.
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
        hasControllingTerminal: typed !== undefined,
        signal,
      });
      return { code, ...written };
    },
  };
}

let built: Promise<string> | undefined;

/** Builds the command line as a program with its threads, once per test process. Resolves to its path. */
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
