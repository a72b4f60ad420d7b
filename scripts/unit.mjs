// Bundles test/unit/**/*.test.ts and runs it with mocha in this Node. An argument keeps only the
// files whose path contains it.

import { spawn } from "node:child_process";
import { rm } from "node:fs/promises";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { ensureInstalled } from "./ensureInstalled.mjs";

ensureInstalled();
const esbuild = await import("esbuild");
const { out, root } = await import("../test/host/paths.mjs");
const { testFilesBelow } = await import("./testFiles.mjs");

/** How long a test may take on a busy machine, in milliseconds: long enough for all that end at all. */
const timeoutMs = "20000";

/** How unit tests are bundled, each file on its own. */
export const unitBundle = {
  absWorkingDir: root,
  outbase: "test/unit",
  bundle: true,
  packages: "external",
  platform: "node",
  format: "cjs",
  target: "node20",
  logLevel: "warning",
};

/** Runs unit tests, bundled as the run `name`. Resolves to mocha's exit code. */
export async function runUnitTests({ name, files, mochaArguments = [], env = process.env }) {
  const outdir = join(out, "test/unit", name);
  await rm(outdir, { recursive: true, force: true });
  const { metafile } = await esbuild.build({
    ...unitBundle,
    entryPoints: files,
    outdir,
    sourcemap: "inline",
    metafile: true,
  });
  const child = spawn(
    process.execPath,
    [
      "--enable-source-maps",
      join(root, "node_modules/mocha/bin/mocha.js"),
      "--require",
      join(root, "scripts/prepareUnitTests.cjs"),
      "--timeout",
      timeoutMs,
      ...mochaArguments,
      ...Object.keys(metafile.outputs).map((file) => resolve(root, file)),
    ],
    { cwd: root, env, stdio: "inherit" },
  );
  return new Promise((done) => child.once("exit", (code) => done(code ?? 1)));
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const [wanted = ""] = process.argv.slice(2);
  const files = (await testFilesBelow("test/unit")).filter((file) => file.includes(wanted));
  const name = wanted.replaceAll(/\W+/g, "-") || "all";
  if (files.length === 0) console.error(`No unit test's path contains "${wanted}".`);
  process.exitCode = files.length === 0 ? 1 : await runUnitTests({ name, files });
}
