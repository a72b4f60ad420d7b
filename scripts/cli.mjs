// Runs the command line from the sources: npm run cli -- search csv

import { spawn } from "node:child_process";
import { join } from "node:path";
import { ensureInstalled } from "./ensureInstalled.mjs";

await ensureInstalled();
// Loaded only now: it needs esbuild, which may just have been installed.
const { buildExtension } = await import("../esbuild.mjs");
const { root } = await import("./editor/paths.mjs");
await buildExtension();

const cli = spawn(process.execPath, [join(root, "dist/cli.js"), ...process.argv.slice(2)], {
  // npm changes to the project's folder, but file names are relative to where the command was typed.
  cwd: process.env.INIT_CWD ?? process.cwd(),
  stdio: "inherit",
});
for (const signal of ["SIGINT", "SIGTERM"]) process.on(signal, () => cli.kill(signal));
cli.once("exit", (code) => {
  process.exitCode = code ?? 1;
});
