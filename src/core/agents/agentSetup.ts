/** The clients for which a configuration can be copied. */
export const agentClients = ["VS Code", "Claude Code", "Codex", "Cursor"] as const;

/** The name of a client. */
export type AgentClientName = (typeof agentClients)[number];

/** The command that starts the server. */
export interface ServerCommand {
  readonly command: string;
  readonly args: readonly string[];
}

/** The variable that holds a launcher's path, which stays the same over updates. */
export const launcherVariable = "SKILL_REGISTRY_LAUNCHER";

/** The variable by which the commands of a terminal know the window that it was opened in. */
export const windowVariable = "SKILL_REGISTRY_WINDOW";

/** Builds the command of the server for a registry; `program` starts the command line. */
export function serverCommand(registry: string, program: readonly string[]): ServerCommand {
  const [command = "skill-registry", ...args] = program;
  return { command, args: [...args, "mcp", "--registry", registry] };
}

/** Builds the command for a launcher: on Windows, only a shell runs a script. */
export function launcherProgram(launcher: string, isWindows: boolean): readonly string[] {
  return isWindows ? ["cmd", "/c", launcher] : [launcher];
}

/**
 * Writes what a client needs to start the server. There is no key in it: the server takes it from its environment,
 * which the user gives it where they keep secrets.
 */
export function agentSetup(client: AgentClientName, { command, args }: ServerCommand): string {
  const server = { command, args: [...args] };
  const json = (value: unknown) => `${JSON.stringify(value, null, 2)}\n`;
  switch (client) {
    case "VS Code":
      return json({ servers: { "skill-registry": { type: "stdio", ...server } } });
    case "Claude Code":
      return `claude mcp add skill-registry -- ${[command, ...args].map(quoted).join(" ")}\n`;
    case "Codex":
      return [
        "[mcp_servers.skill-registry]",
        `command = ${JSON.stringify(command)}`,
        `args = ${JSON.stringify(args)}`,
        `env_vars = ["SKILL_REGISTRY_PROJECT_KEY"]`,
        "",
      ].join("\n");
    case "Cursor":
      return json({ mcpServers: { "skill-registry": server } });
  }
}

function quoted(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;
}
