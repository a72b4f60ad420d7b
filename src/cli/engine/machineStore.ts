import { english, localize } from "../../core/text/language";
import { machineFolder } from "../../engine/files/machine";
import { openStore } from "../../engine/store/openStore";
import type { OpenedStore } from "../../engine/store/operations";
import type { Terminal } from "../terminal";

/** Opens the store of this machine for a command, until `close`. */
export function openMachineStore({ env, err }: Terminal): OpenedStore {
  return openStore(machineFolder(env), ({ kind, text }) => {
    // A slow store does not fail the command, so only the editor's log reports it.
    if (kind !== "slow") err(`${localize(text, english)}\n`);
  });
}
