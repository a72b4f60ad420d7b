import { english, localize } from "../../core/text/language";
import { machineFolder } from "../../engine/files/machine";
import { createStore, type OpenedStore } from "../../engine/store/operations";
import { StoreCalls } from "../../engine/store/thread/storeCalls";
import type { StoreCall } from "../../engine/store/thread/storeMessages";
import type { Terminal } from "../terminal";

/** Opens the store of this machine for a command, until `close`. It is loaded when its first operation runs. */
export function openMachineStore({ env, err }: Terminal): OpenedStore {
  const calls = new StoreCalls(({ kind, text }) => {
    // A slow store does not fail the command, so only the editor's log reports it.
    if (kind !== "slow") err(`${localize(text, english)}\n`);
  });
  let serving: Promise<(asked: StoreCall) => Promise<void>> | undefined;
  const send = async (asked: StoreCall) => {
    serving ??= import("../../engine/store/thread/serveStore").then(({ serveStore }) =>
      serveStore(machineFolder(env), (said) => calls.receive(said)),
    );
    await (await serving)(asked);
  };
  return {
    store: createStore((name, args) => calls.call(name, args, send)),
    close: async () => {
      if (serving !== undefined) await calls.call("close", [], send);
    },
  };
}
