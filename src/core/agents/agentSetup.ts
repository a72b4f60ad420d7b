import { projectKeyVariable } from "../registry/credential";
import { builtInRegistryName } from "../registry/registryName";
import type { Language } from "../text/language";
import { shellWord } from "../text/plainText";

/** The clients for which a configuration can be copied. */
export const agentClients = ["VS Code", "Claude Code", "Codex", "Cursor"] as const;

/** The name of a client. */
export type AgentClientName = (typeof agentClients)[number];

/** The clients to which a person must add the tools. The editor's own chats have them from this extension. */
export const otherClients = agentClients.filter((client) => client !== "VS Code");

/** Says where the configuration of a client belongs. */
export function setupPlace(client: AgentClientName, { t }: Language): string {
  switch (client) {
    case "Claude Code":
      return t("Run it in the folder of your project, where it writes .mcp.json.");
    case "VS Code":
      return t("Add it to {file}.", { file: ".vscode/mcp.json" });
    case "Codex":
      return t("Add it to {file}.", { file: "~/.codex/config.toml" });
    case "Cursor":
      return t("Add it to {file}.", { file: ".cursor/mcp.json" });
  }
}

/** The command that starts the server for a registry. */
export interface ServerCommand {
  readonly registry: string;
  readonly command: string;
  readonly args: readonly string[];
  /** Environment variables that are not secret. */
  readonly env: Readonly<Record<string, string>>;
}

/** The environment variable with the launcher's path, which stays the same when the extension is updated. */
export const launcherVariable = "SKILL_REGISTRY_LAUNCHER";

/** The environment variable by which a terminal's commands find their window. */
export const windowVariable = "SKILL_REGISTRY_WINDOW";

/**
 * Builds the command that starts the server for a registry. `program` starts the command line; `home` is the folder of
 * this machine's records if it is not the default.
 */
export function serverCommand(
  registry: string,
  program: readonly string[],
  home = "",
): ServerCommand {
  const [command = "skill-registry", ...args] = program;
  const env = home === "" ? {} : { SKILL_REGISTRY_HOME: home };
  return { registry, command, args: [...args, "mcp", "--registry", registry], env };
}

/** Builds the command for a launcher: on Windows, only a shell runs a script. */
export function launcherProgram(launcher: string, isWindows: boolean): readonly string[] {
  return isWindows ? ["cmd", "/c", launcher] : [launcher];
}

/**
 * Writes the configuration with which a client starts the server. It never contains the key. Clients pass on only the
 * environment variables that it names: the key's, unless the registry is the built-in one, which has its own, and the
 * window's, which clients in a terminal of the editor need.
 */
export function agentSetup(
  client: AgentClientName,
  { registry, command, args, env }: ServerCommand,
): string {
  const keyVariables = registry === builtInRegistryName ? [] : [projectKeyVariable];
  const variables = [...keyVariables, windowVariable];
  const server = (more: object) => ({ command, args, env: { ...env, ...more } });
  const passedOn = (refer: (name: string) => string) =>
    Object.fromEntries(variables.map((name) => [name, refer(name)]));
  const json = (value: unknown) => `${JSON.stringify(value, null, 2)}\n`;
  switch (client) {
    case "VS Code": {
      // VS Code runs the server outside a terminal, asks once for the key, and stores it in its secret storage.
      const input = { type: "promptString", id: "skill-registry-key", password: true };
      const description = `Project Key of ${registry}`;
      const key = keyVariables.map((name) => [name, `\${input:${input.id}}`]);
      const stdio = { type: "stdio", ...server(Object.fromEntries(key)) };
      const inputs = keyVariables.length === 0 ? {} : { inputs: [{ ...input, description }] };
      return json({ ...inputs, servers: { "skill-registry": stdio } });
    }
    case "Claude Code": {
      // Claude Code replaces variables in the project's .mcp.json. Without a default, an unset variable stays as
      // written.
      const stdio = { type: "stdio", ...server(passedOn((name) => `\${${name}:-}`)) };
      return `claude mcp add-json --scope project skill-registry ${shellWord(JSON.stringify(stdio))}\n`;
    }
    case "Codex":
      return [
        "[mcp_servers.skill-registry]",
        `command = ${JSON.stringify(command)}`,
        `args = ${JSON.stringify(args)}`,
        `env_vars = ${JSON.stringify(variables)}`,
        ...Object.entries(env).map(
          ([name, value]) => `env = { ${name} = ${JSON.stringify(value)} }`,
        ),
        "",
      ].join("\n");
    case "Cursor":
      return json({
        mcpServers: { "skill-registry": server(passedOn((name) => `\${env:${name}}`)) },
      });
  }
}
