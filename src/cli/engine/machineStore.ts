import { english, type LocalizableText, localize } from "../../core/text/language";
import { machineFolder } from "../../engine/files/machine";
import { replacedText, setAsideText } from "../../engine/store/openDatabase";
import { openStore } from "../../engine/store/openStore";
import type { OpenedStore } from "../../engine/store/questions";
import type { Terminal } from "../terminal";

/** Opens the store of this machine for a command, until `close`. */
export function openMachineStore({ env, err }: Terminal): OpenedStore {
  const say = (text: LocalizableText) => err(`${localize(text, english)}\n`);
  return openStore(machineFolder(env), {
    setAside: (name, folder) => say(setAsideText(name, folder)),
    isReplaced: (folder) => say(replacedText(folder)),
    // This does not fail the command. The editor's log reports it.
    isSlow: () => undefined,
  });
}
