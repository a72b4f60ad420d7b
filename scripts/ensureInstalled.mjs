import { spawnSync } from "node:child_process";
import { statSync } from "node:fs";
import { resolve } from "node:path";
import { fileURLToPath } from "node:url";

const root = resolve(fileURLToPath(import.meta.url), "../..");

/**
 * Installs the dependencies when they are missing or older than package-lock.json, so that every
 * command works in a fresh clone. Uses nothing but Node.js; ends the process when npm fails.
 */
export function ensureInstalled() {
  const installed = changed("node_modules/.package-lock.json");
  if (installed >= changed("package-lock.json")) return;
  console.log("Installing dependencies (npm ci) …");
  const { status, error } = spawnSync("npm", ["ci", "--loglevel=error"], {
    cwd: root,
    stdio: "inherit",
    // npm is a .cmd file on Windows, which only a shell can start.
    shell: process.platform === "win32",
  });
  if (status === 0) return;
  console.error(
    `npm ci failed${error ? `: ${error.message}` : ""}. Node.js 20 and npm are needed.`,
  );
  process.exit(1);
}

/** When a file was last written, in milliseconds; 0 for a missing one. */
function changed(path) {
  return statSync(resolve(root, path), { throwIfNoEntry: false })?.mtimeMs ?? 0;
}
