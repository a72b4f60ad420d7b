import { strict as assert } from "node:assert";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { dataFolder } from "./dataFolder";

/** Where the extension keeps what all windows share. Made with the first invocation. */
export async function storageFolder(): Promise<string> {
  const names = await readdir(dataFolder(), { recursive: true });
  const folder = names.find((name) => /globalStorage.skill-registry\.skill-registry$/.test(name));
  assert.ok(folder !== undefined, `${dataFolder()} is not where the window keeps its data`);
  return join(dataFolder(), folder);
}
