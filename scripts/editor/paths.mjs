// Paths of the repository, and of what its tools keep on this machine.
import { accessSync, constants, mkdirSync } from "node:fs";
import { homedir } from "node:os";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";

/** The repository's root folder. */
export const root = resolve(fileURLToPath(import.meta.url), "../../..");

/** Throw-away profiles; `@vscode/test-electron` keeps its editors here as well. */
export const downloads = resolve(root, ".vscode-test");

/**
 * Returns the folder of installed editors and browsers, which all clones of a machine share: the user's folder for
 * caches, or `downloads` if that cannot be written.
 */
export function sharedInstalls({ env = process.env, home = homedir() } = {}) {
  const caches =
    env.XDG_CACHE_HOME || join(home, process.platform === "darwin" ? "Library/Caches" : ".cache");
  const folder = resolve(caches, "skill-registry-editors");
  try {
    mkdirSync(folder, { recursive: true });
    accessSync(folder, constants.W_OK);
    return folder;
  } catch {
    return downloads;
  }
}

/** The results of runs: test bundles, reports, screenshots. */
export const out = resolve(root, "out");

/** An extension that does nothing, as a peer for measurements and as a stand-in. */
export const emptyExtension = resolve(root, "scripts/editor/emptyExtension");
