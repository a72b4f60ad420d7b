import { readdir } from "node:fs/promises";
import { basename, join } from "node:path";

/** Where the window of this run keeps all its data. */
export function dataFolder(): string {
  const results = process.env["SKILL_REGISTRY_TEST_OUT"] ?? "";
  return join(results, "../../../.vscode-test/runs", basename(results));
}

/**
 * Lists the paths of all files or folders below a folder. Leaves out folders that disappear meanwhile, as a browser's
 * do; `readdir` with `recursive` would fail.
 */
export async function pathsBelow(folder: string, kind: "files" | "folders"): Promise<string[]> {
  const entries = await readdir(folder, { withFileTypes: true }).catch((error) => {
    if (error.code === "ENOENT") return [];
    throw error;
  });
  const paths = entries.map(async (entry) => {
    const path = join(folder, entry.name);
    const isWanted = kind === "files" ? entry.isFile() : entry.isDirectory();
    const below = entry.isDirectory() ? await pathsBelow(path, kind) : [];
    return isWanted ? [path, ...below] : below;
  });
  return (await Promise.all(paths)).flat();
}
