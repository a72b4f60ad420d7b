import { InvocationStore } from "../../../src/engine/invocationStore";
import { machineFiles, machineFolder } from "../../../src/engine/machine";

/** Where the extension keeps what all callers of this machine share. Made with the first invocation. */
function storageFolder(): string {
  return machineFolder(process.env);
}

/** How many invocations the windows have recorded, sent or under way. Fails before the first one. */
export async function recordedInvocations(): Promise<number> {
  const store = new InvocationStore(machineFiles(storageFolder()).invocations);
  return (await store.list(1000)).records.length;
}
