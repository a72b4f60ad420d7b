import { strict as assert } from "node:assert";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";

/** Lists every file below a folder that holds one of the texts, in UTF-8 or UTF-16. */
export async function filesWith(root: string, texts: readonly string[]): Promise<string[]> {
  const entries = await readdir(root, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile());
  assert.ok(files.length > 5, `${root} is not where the window keeps its data`);
  const wanted = texts.flatMap((text) => [Buffer.from(text), Buffer.from(text, "utf16le")]);
  const found: string[] = [];
  for (const { parentPath, name } of files) {
    const path = join(parentPath, name);
    const content = await readFile(path).catch(() => Buffer.alloc(0));
    if (wanted.some((needle) => content.includes(needle))) found.push(path);
  }
  return found;
}
