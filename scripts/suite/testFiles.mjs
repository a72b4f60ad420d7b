import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { root } from "../editor/paths.mjs";

/** Lists the test files below a folder of the repository in order, with paths relative to the root and with `/`. */
export async function testFilesBelow(folder) {
  const names = await readdir(join(root, folder), { recursive: true });
  const paths = names.map((name) => `${folder}/${name.replaceAll("\\", "/")}`);
  return paths.filter((path) => path.endsWith(".test.ts")).sort();
}

/** Returns the files of each of the `parts` of a test suite: a file belongs to the first part that matches it. */
export function filesOfParts(files, parts) {
  const shares = new Map(parts.map((part) => [part, []]));
  for (const file of files) {
    const owner = parts.find(({ tests }) => tests.test(file));
    if (owner === undefined) throw new Error(`Nothing runs ${file}.`);
    shares.get(owner).push(file);
  }
  return shares;
}

/**
 * Resolves to the test files below a folder whose paths contain one of these texts, or all if none is given. Rejects if
 * no path contains a text, since a mistyped one would otherwise pass without a test.
 */
export async function testFilesNamed(folder, wanted) {
  const all = await testFilesBelow(folder);
  const unknown = wanted.find((text) => !all.some((file) => file.includes(text)));
  if (unknown !== undefined)
    throw new Error(`No path of a test below ${folder} contains "${unknown}".`);
  return all.filter((file) => wanted.length === 0 || wanted.some((text) => file.includes(text)));
}
