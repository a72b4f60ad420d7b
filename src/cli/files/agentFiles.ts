import { join } from "node:path";
import { AgentSettingsFile } from "../../agents/agentSettingsFile";
import { configFolder } from "../../engine/files/machine";
import type { Terminal } from "../terminal";

/** Opens what a person let agents of the command line do, until it is disposed of. */
export function openAgentSettings({ env, err }: Terminal): AgentSettingsFile {
  const path = join(configFolder(env), "agents.json");
  return new AgentSettingsFile(path, { kind: "ownerOnly" }, () =>
    err(
      `${path} does not count: it is broken, or others may write it. Agents may do nothing until it is mended or removed.\n`,
    ),
  );
}
