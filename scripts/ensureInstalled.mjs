import { spawnSync } from "node:child_process";
import { accessSync, constants, readFileSync } from "node:fs";
import { homedir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { continueInNewerNode } from "./node/continueInNewerNode.mjs";
import { oldestNode } from "./node/packagedNode.mjs";

const root = resolve(fileURLToPath(import.meta.url), "../..");

/**
 * Installs the dependencies if one in package-lock.json is missing or has another version, so that every command works
 * in a fresh clone. If this Node.js is too old, continues in that of the dependencies. Uses only Node.js itself; ends
 * the process if npm fails.
 */
export async function ensureInstalled() {
  letNpmCache();
  if (!isInstalled(root)) install();
  await continueInNewerNode();
}

/** Gives npm a cache in the repository if its own cannot be written. */
function letNpmCache() {
  const cache = process.env.npm_config_cache ?? join(homedir(), ".npm");
  if (!canCacheIn(cache, isWritable)) process.env.npm_config_cache = join(root, ".vscode-test/npm");
}

/** Returns whether npm can use a folder as its cache: it can be written, or is missing and can be created. */
export function canCacheIn(folder, canWrite) {
  return canWrite(folder) ?? canWrite(dirname(folder)) ?? false;
}

/** Returns whether a folder can be written. Undefined if it does not exist. */
function isWritable(folder) {
  try {
    accessSync(folder, constants.W_OK);
    return true;
  } catch (error) {
    return error.code === "ENOENT" ? undefined : false;
  }
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
 * Returns whether a folder has all packages of its package-lock.json. Compares contents, not times, which every
 * checkout changes; additional packages do no harm.
 */
export function isInstalled(folder) {
  const installed = packagesOf(join(folder, "node_modules/.package-lock.json"));
  return Object.entries(packagesOf(join(folder, "package-lock.json"))).every(
    // The first entry is the project itself; an optional package may be for another platform.
    ([path, { version, optional }]) =>
      path === "" || (installed[path] ?? (optional && { version }))?.version === version,
  );
}

/** Returns the packages of a lock file by their folder; none if the file is missing or unreadable. */
function packagesOf(path) {
  try {
    return JSON.parse(readFileSync(path, "utf8")).packages;
  } catch {
    return {};
  }
}
