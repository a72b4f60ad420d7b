import { join } from "node:path";
import type { InvocationRecord } from "../../src/core/invocation/record/invocationRecord";
import { InvocationStore } from "../../src/engine/invocationStore";
import type { MemoryEditor } from "./memoryEditor";

/** Reads the records of all invocations from an editor's disk, the newest first. */
export async function recordsOf(editor: MemoryEditor): Promise<readonly InvocationRecord[]> {
  const store = new InvocationStore(join(editor.parts.machine.storage, "invocations"));
  return (await store.list(1000)).records;
}
