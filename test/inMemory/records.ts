import type { InvocationRecord } from "../../src/core/invocation/record/invocationRecord";
import type { Store } from "../../src/engine/store/store";
import { atStore } from "../fixtures/machineStore";
import type { MemoryEditor } from "./memoryEditor";

/** Reads the records of all invocations from an editor's disk, the newest first. */
export async function recordsOf(editor: MemoryEditor): Promise<readonly InvocationRecord[]> {
  return (await askStore(editor, (store) => store.list({}))).records;
}

/** Asks the store of an editor's machine, as another program of it, which has the same clock. */
export function askStore<Value>(
  { parts, clock }: MemoryEditor,
  ask: (store: Store) => Promise<Value>,
): Promise<Value> {
  return atStore(parts.machine.storage, ask, () => clock.now());
}
