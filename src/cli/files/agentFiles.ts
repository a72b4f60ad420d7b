import { join } from "node:path";
import { KeptAgentSettings } from "../../agents/keptAgentSettings";
import { configFolder, machineFolder } from "../../engine/files/machine";
import { storeName } from "../../engine/store/operations";
import { openMachineStore } from "../engine/machineStore";
import type { Terminal } from "../terminal";

/** The settings for agents of the command line, until `close`. */
interface OpenedAgentSettings {
  readonly settings: KeptAgentSettings;
  readonly close: () => Promise<void>;
}

/** Opens the settings for agents of the command line. */
export function openAgentSettings(terminal: Terminal): OpenedAgentSettings {
  const { env, err } = terminal;
  const { store, close } = openMachineStore(terminal);
  const path = join(machineFolder(env), storeName);
  const stopFile = join(configFolder(env), "agents.stopped");
  const settings = new KeptAgentSettings(store, { path, stopFile }, { kind: "ownerOnly" }, () =>
    err(`Agents may do nothing: ${path} cannot be read, or others may write it or its folder.\n`),
  );
  return {
    settings,
    close: () => {
      settings.dispose();
      return close();
    },
  };
}
