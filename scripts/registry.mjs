// Runs the built-in registry alone until Ctrl+C: npm run registry -- [--port N]

import { spawn } from "node:child_process";
import { dirname, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { ensureInstalled } from "./ensureInstalled.mjs";

const root = resolve(dirname(fileURLToPath(import.meta.url)), "..");

await ensureInstalled();
// Loaded only now: it needs esbuild, which may just have been installed.
const { buildExtension } = await import("../esbuild.mjs");
await buildExtension();

const registry = spawn(
  process.execPath,
  [resolve(root, "dist/localRegistryCli.js"), ...process.argv.slice(2)],
  { stdio: "inherit" },
);
// Ctrl+C reaches both processes: the registry closes itself, and this script ends with it.
for (const signal of ["SIGINT", "SIGTERM"]) process.on(signal, () => registry.kill(signal));
registry.once("exit", (code) => {
  process.exitCode = code ?? 1;
});
