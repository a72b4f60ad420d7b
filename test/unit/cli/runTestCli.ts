import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import * as esbuild from "esbuild";
import { after, before } from "mocha";
import { runCli } from "../../../src/cli/cli";

/** What a command wrote and how it ended. */
export interface CliRun {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

/** A folder to run commands in, made anew for a suite and removed after it. */
export function cliFolder() {
  let folder = "";
  let partsFolder = "";
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), "skill-registry-cli-"));
    partsFolder = await buildParts();
  });
  after(() => rm(folder, { recursive: true, force: true }));
  return {
    path: (...parts: readonly string[]) => join(folder, ...parts),
    run: async (
      args: readonly string[],
      env: Record<string, string> = {},
      signal: AbortSignal = new AbortController().signal,
      below = "",
      heard: (err: string) => void = () => undefined,
      /** What a person at a terminal types, one line after the other; undefined for nobody. */
      typed?: readonly string[],
      columns?: number,
    ): Promise<CliRun> => {
      const lines = [...(typed ?? [])];
      const written = { out: "", err: "" };
      const code = await runCli(args, {
        // What a command says where no registry is named is tested once.
        env: {
          SKILL_REGISTRY_URL: "built-in",
          SKILL_REGISTRY_HOME: join(folder, "machine"),
          ...env,
        },
        cwd: join(folder, below),
        partsFolder,
        out: (text) => {
          written.out += text;
        },
        err: (text) => {
          written.err += text;
          heard(text);
        },
        isTerminal: typed !== undefined,
        ...(typed !== undefined && { readLine: async () => lines.shift() ?? "" }),
        columns,
        signal,
      });
      return { code, ...written };
    },
  };
}

/** Builds the command line as a program, beside its threads. Resolves to its path. */
export async function buildProgram(): Promise<string> {
  const outfile = resolve("out/test/cli/main.js");
  await esbuild.build({
    entryPoints: [resolve("src/cli/main.ts")],
    outfile,
    bundle: true,
    platform: "node",
    external: ["bullmq", "ioredis"],
    format: "cjs",
    target: "node20",
    mainFields: ["module", "main"],
    logLevel: "warning",
  });
  return outfile;
}

/** Builds the threads that commands start, beside each other as in the package. */
async function buildParts(): Promise<string> {
  const outdir = resolve("out/test/cli");
  await esbuild.build({
    entryPoints: [
      resolve("src/language/languageWorker.ts"),
      resolve("src/localRegistry/localRegistryWorker.ts"),
    ],
    outdir,
    entryNames: "[name]",
    bundle: true,
    platform: "node",
    format: "cjs",
    target: "node20",
    mainFields: ["module", "main"],
    logLevel: "warning",
  });
  return outdir;
}
