import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { root } from "../editor/paths.mjs";

/** Lists the test files below a folder of the repository, with `/` and seen from the root, in order. */
export async function testFilesBelow(folder) {
  const names = await readdir(join(root, folder), { recursive: true });
  const paths = names.map((name) => `${folder}/${name.replaceAll("\\", "/")}`);
  return paths.filter((path) => path.endsWith(".test.ts")).sort();
}

/** Keeps of the `parts` of a test suite what each runs: a file belongs to the first part that names it. */
export function filesOfParts(files, parts) {
  const shares = new Map(parts.map((part) => [part, []]));
  for (const file of files) {
    const owner = parts.find(({ tests }) => tests.test(file));
    if (owner === undefined) throw new Error(`Nothing runs ${file}.`);
    shares.get(owner).push(file);
  }
  return shares;
}
