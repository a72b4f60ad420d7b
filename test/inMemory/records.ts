import type { InvocationRecord } from "../../src/core/invocation/record/invocationRecord";
import { machineFiles } from "../../src/engine/files/machine";
import { InvocationStore } from "../../src/engine/record/invocationStore";
import type { MemoryEditor } from "./memoryEditor";

/** Reads the records of all invocations from an editor's disk, the newest first. */
export async function recordsOf(editor: MemoryEditor): Promise<readonly InvocationRecord[]> {
  return (await storeOf(editor).list(1000)).records;
}

/** The store in which an editor and all others of its machine keep invocations. */
export function storeOf({ parts }: MemoryEditor): InvocationStore {
  return new InvocationStore(machineFiles(parts.machine.storage).invocations);
}
