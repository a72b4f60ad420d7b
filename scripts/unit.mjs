// Bundles test/unit/**/*.test.ts and runs it with mocha in this Node. An argument keeps only the
// files whose path contains it.

import { spawn } from "node:child_process";
import { rm } from "node:fs/promises";
import { dirname, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { ensureInstalled } from "./ensureInstalled.mjs";

ensureInstalled();
const esbuild = await import("esbuild");
const root = resolve(dirname(fileURLToPath(import.meta.url)), "..");

/** How long a test may take on a busy machine, in milliseconds: long enough for all that end at all. */
const patienceMs = "20000";

/** Runs the unit tests whose path contains `wanted`. Resolves to mocha's exit code. */
export async function runUnitTests({ wanted = "", mochaArguments = [], env = process.env } = {}) {
  const outdir = resolve(root, "out/test/unit", wanted.replaceAll(/\W+/g, "-") || "all");
  await rm(outdir, { recursive: true, force: true });
  const built = await esbuild.build({
    absWorkingDir: root,
    entryPoints: ["test/unit/**/*.test.ts"],
    outbase: "test/unit",
    outdir,
    bundle: true,
    packages: "external",
    platform: "node",
    format: "cjs",
    target: "node20",
    sourcemap: "inline",
    logLevel: "warning",
    metafile: true,
  });
  const files = Object.entries(built.metafile.outputs)
    .filter(([, output]) => output.entryPoint?.includes(wanted))
    .map(([file]) => resolve(root, file));
  const mocha = resolve(root, "node_modules/mocha/bin/mocha.js");
  const seed = resolve(root, "scripts/propertySeed.cjs");
  const child = spawn(
    process.execPath,
    [
      "--enable-source-maps",
      mocha,
      "--require",
      seed,
      "--timeout",
      patienceMs,
      ...mochaArguments,
      ...files,
    ],
    { cwd: root, env, stdio: "inherit" },
  );
  return new Promise((done) => child.once("exit", (code) => done(code ?? 1)));
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  process.exitCode = await runUnitTests({ wanted: process.argv[2] ?? "" });
}
