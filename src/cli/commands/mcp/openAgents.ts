import { AgentRefusals } from "../../../agents/agentRefusals";
import { AgentSession } from "../../../agents/agentSession";
import type { AgentSettingsFile } from "../../../agents/agentSettingsFile";
import { inputSchemaOf } from "../../../core/skill/skill";
import { machineFiles, machineFolder } from "../../../engine/files/machine";
import { openChecker, type ParsedArguments, type Terminal } from "../../command";
import { openEngine, readAllowances } from "../../engine/cliEngine";
import { agentPolicies } from "../../files/teamFolder";
import { type OpenRegistry, openRegistry, readSkill } from "../../registry/openRegistry";

/** Opens all that calls of tools go to, until `close`. Throws a `CliError` where the registry cannot be opened. */
export async function openAgents(
  given: ParsedArguments,
  terminal: Terminal,
  registryName: string,
  settings: AgentSettingsFile,
) {
  const registry = await openRegistry(given, terminal, registryName);
  const checker = await openChecker(terminal);
  const opened = await openEngine(registry, "mcp", readAllowances(given), terminal);
  const { engine, history, ledger, audit } = opened;
  const files = machineFiles(machineFolder(terminal.env));
  const log = (text: string) => terminal.err(`${text}\n`);
  const session = new AgentSession<OpenRegistry>({
    engine,
    history,
    ledger,
    settings,
    refusals: new AgentRefusals(files.refusals, audit),
    isEnabled: () => true,
    discovery: () => "facts",
    policies: () => agentPolicies(terminal.cwd),
    suspended: ({ skill }) => log(`Agents can no longer invoke ${skill}: its contract changed.`),
    connect: async () => registry,
    search: ({ client }, query, cursor, signal) => client.search(query, cursor, signal),
    readSkill: (at, slug, wanted) => readSkill(at, { slug, version: wanted }, terminal.signal),
    check: (at, skill, text) =>
      checker.check(text, inputSchemaOf(skill), at.hasKey ? at.projectKey() : undefined),
    sample: checker.sample,
    running: () => () => undefined,
    log,
  });
  const close = async () => {
    checker.close();
    await opened.close();
    registry.close();
  };
  return { session, registry, close };
}
