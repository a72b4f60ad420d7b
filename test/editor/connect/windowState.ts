import type { Screen } from "../window/screen";

/**
 * Reads all that a window in a browser keeps by itself (its databases and stores), as one text. On a
 * desktop these are files.
 */
export async function windowState(screen: Screen): Promise<string> {
  return (await screen.readFrames((frame) => frame.evaluate(readAll))).join("\n");
}

/** Runs in the window. */
async function readAll(): Promise<string> {
  const texts = [JSON.stringify({ ...localStorage }), JSON.stringify({ ...sessionStorage })];
  const finished = <Value>(request: IDBRequest<Value>) =>
    new Promise<Value>((resolve, reject) => {
      request.onsuccess = () => resolve(request.result);
      request.onerror = () => reject(request.error);
    });
  const asText = (value: unknown) => {
    if (value instanceof ArrayBuffer) return new TextDecoder().decode(value);
    if (ArrayBuffer.isView(value)) return new TextDecoder().decode(value);
    return JSON.stringify(value);
  };
  for (const { name = "" } of await indexedDB.databases()) {
    const database = await finished(indexedDB.open(name));
    for (const store of database.objectStoreNames) {
      const objects = database.transaction(store).objectStore(store);
      const [keys, values] = await Promise.all([
        finished(objects.getAllKeys()),
        finished(objects.getAll()),
      ]);
      texts.push(JSON.stringify(keys), ...values.map(asText));
    }
    database.close();
  }
  return texts.join("\n");
}
