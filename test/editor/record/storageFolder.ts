import { strict as assert } from "node:assert";
import { join } from "node:path";
import { InvocationStore } from "../../../src/engine/invocationStore";
import { dataFolder, pathsBelow } from "../dataFolder";

/** Where the extension keeps what all windows share. Made with the first invocation. */
export async function storageFolder(): Promise<string> {
  const folders = await pathsBelow(dataFolder(), "folders");
  const folder = folders.find((path) => /globalStorage.skill-registry\.skill-registry$/.test(path));
  assert.ok(folder !== undefined, `${dataFolder()} is not where the window keeps its data`);
  return folder;
}

/** How many invocations the windows have recorded, sent or under way. Fails before the first one. */
export async function recordedInvocations(): Promise<number> {
  const store = new InvocationStore(join(await storageFolder(), "invocations"));
  return (await store.list(1000)).records.length;
}
