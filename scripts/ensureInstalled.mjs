import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { continueInNewerNode } from "./node/continueInNewerNode.mjs";
import { oldestNode } from "./node/packagedNode.mjs";

const root = resolve(fileURLToPath(import.meta.url), "../..");

/**
 * Installs the dependencies when one that package-lock.json names is missing or of another version, so
 * that every command works in a fresh clone, and where this Node.js is too old goes on in that of the dependencies.
 * Uses nothing but Node.js; ends the process when npm fails.
 */
export async function ensureInstalled() {
  if (!isInstalled(root)) install();
  await continueInNewerNode();
}

function install() {
  console.log("Installing dependencies (npm ci) …");
  const { status, error } = spawnSync("npm", ["ci", "--loglevel=error"], {
    cwd: root,
    stdio: "inherit",
    // npm is a .cmd file on Windows, which only a shell can start.
    shell: process.platform === "win32",
  });
  if (status === 0) return;
  console.error(
    `npm ci failed${error ? `: ${error.message}` : ""}. Node.js ${oldestNode} or newer and npm are needed.`,
  );
  process.exit(1);
}

/**
 * Returns whether a folder has all packages that its package-lock.json names. By content and not by time,
 * which every checkout of another commit moves; packages too many do no harm.
 */
export function isInstalled(folder) {
  const installed = packagesOf(join(folder, "node_modules/.package-lock.json"));
  return Object.entries(packagesOf(join(folder, "package-lock.json"))).every(
    // The first one is the project itself; an optional one may be for another platform.
    ([path, { version, optional }]) =>
      path === "" || (installed[path] ?? (optional && { version }))?.version === version,
  );
}

/** The packages of a lock file by their folder; none where there is no file or it cannot be read. */
function packagesOf(path) {
  try {
    return JSON.parse(readFileSync(path, "utf8")).packages;
  } catch {
    return {};
  }
}
