import { readdir, stat } from "node:fs/promises";
import { join, relative, sep } from "node:path";
import { readError } from "./fileError";

/** More files of one kind than this are not looked for. */
export const maxFiles = 5000;
const maxDepth = 20;

/**
 * Lists files, relative to `cwd` and with `/` between their parts: those that are named, and in a folder
 * that is named all that `fits`, but not in `node_modules` and folders with a dot. Throws a `CliError`
 * for a name that leads nowhere.
 */
export async function findFiles(
  cwd: string,
  names: readonly string[],
  fits: (path: string) => boolean,
): Promise<readonly string[]> {
  const found = new Set<string>();
  const add = (path: string) => found.add(relative(cwd, path).split(sep).join("/") || ".");
  const walk = async (folder: string, depth: number): Promise<void> => {
    const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
    for (const entry of entries.toSorted((one, other) => (one.name < other.name ? -1 : 1))) {
      if (found.size >= maxFiles) return;
      const path = join(folder, entry.name);
      const isHidden = entry.name.startsWith(".") || entry.name === "node_modules";
      // Links are not followed: they may lead in circles, or out of the repository.
      if (entry.isDirectory() && !isHidden && depth < maxDepth) await walk(path, depth + 1);
      else if (entry.isFile() && fits(entry.name)) add(path);
    }
  };
  for (const name of names) {
    const path = join(name.startsWith(sep) ? "" : cwd, name);
    const about = await stat(path).catch((error: unknown) => {
      throw readError(name, error);
    });
    if (about.isDirectory()) await walk(path, 0);
    else add(path);
  }
  return [...found];
}
