// Bundles test/inMemory/**/*.test.ts and runs it with mocha in this Node: the extension as a whole, in an editor in
// memory. Arguments keep only the files whose path contains one of them.

import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { ensureInstalled } from "./ensureInstalled.mjs";

await ensureInstalled();
const esbuild = await import("esbuild");
const { buildExtension, oneEditor } = await import("../esbuild.mjs");
const { out, root } = await import("./editor/paths.mjs");
const { testFilesNamed } = await import("./suite/testFiles.mjs");
const { runUnitTests, unitBundle } = await import("./unit.mjs");

/** The globals that the editor in memory replaces for the extension: the clock and the environment. */
const replaced = "Date, performance, setTimeout, clearTimeout, setInterval, clearInterval, process";

/**
 * Bundles the extension as one readable file that exports a function, called once for each editor with `vscode` and
 * some globals, so that it is compiled once for all of them.
 */
export async function bundleForMemory() {
  await esbuild.build({
    ...unitBundle,
    packages: "bundle",
    external: ["vscode"],
    // Members are read when they are used, so that the editor in memory can report missing ones.
    plugins: [oneEditor('export * from "vscode";')],
    mainFields: ["module", "main"],
    entryPoints: [join(root, "src/extension.ts")],
    outfile: join(out, "test/inMemory/extension.js"),
    banner: {
      js: `module.exports = (require, module) => {\nconst { ${replaced} } = require("editor:globals");`,
    },
    footer: { js: "};" },
    sourcemap: "linked",
  });
}

/** Runs tests in memory, bundled under `name`; `dist` contains the threads and pages. Resolves to mocha's exit code. */
export async function runMemoryTests(run) {
  await bundleForMemory();
  return runUnitTests(run);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const files = await testFilesNamed("test/inMemory", process.argv.slice(2));
  await buildExtension();
  process.exitCode = await runMemoryTests({ name: "memory", files });
}
