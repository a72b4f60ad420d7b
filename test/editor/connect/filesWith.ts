import { strict as assert } from "node:assert";
import { readFile } from "node:fs/promises";
import { pathsBelow } from "../dataFolder";

/** Lists every file below a folder that holds one of the texts, in UTF-8 or UTF-16. */
export async function filesWith(root: string, texts: readonly string[]): Promise<string[]> {
  const files = await pathsBelow(root, "files");
  assert.ok(files.length > 5, `${root} is not where the window keeps its data`);
  const wanted = texts.flatMap((text) => [Buffer.from(text), Buffer.from(text, "utf16le")]);
  const found: string[] = [];
  for (const path of files) {
    const content = await readFile(path).catch(() => Buffer.alloc(0));
    if (wanted.some((needle) => content.includes(needle))) found.push(path);
  }
  return found;
}
