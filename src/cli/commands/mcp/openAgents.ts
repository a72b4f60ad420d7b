import { AgentRefusals } from "../../../agents/agentRefusals";
import { AgentSession } from "../../../agents/agentSession";
import type { KeptAgentSettings } from "../../../agents/keptAgentSettings";
import { inputSchemaOf } from "../../../core/skill/skill";
import { type auditOption, openEngine, readAllowances } from "../../engine/cliEngine";
import { openChecker } from "../../engine/payloadChecker";
import { agentPolicies } from "../../files/teamFolder";
import type { OptionValues } from "../../options";
import { type OpenRegistry, openRegistry, type RegistryValues } from "../../registry/openRegistry";
import { readSkill } from "../../registry/readSkill";
import type { Terminal } from "../../terminal";

/** Opens everything that tool calls need, until `close`. Throws a `CommandError` if the registry cannot be opened. */
export async function openAgents(
  options: RegistryValues & OptionValues<typeof auditOption>,
  terminal: Terminal,
  registryName: string,
  settings: KeptAgentSettings,
) {
  const registry = await openRegistry(options, terminal, {
    ...{ name: registryName, isByKey: true, windowUse: "never", needsKey: true },
  });
  const checker = await openChecker(terminal);
  const opened = await openEngine(registry, "mcp", readAllowances(options), terminal);
  const { engine, history, store, audit } = opened;
  const log = (text: string) => terminal.err(`${text}\n`);
  // Agents only learn that there is no key. The user learns the reason.
  if (registry.keyProblem !== undefined) log(registry.keyProblem);
  const session = new AgentSession<OpenRegistry>({
    engine,
    history,
    store,
    settings,
    refusals: new AgentRefusals(store, audit),
    isEnabled: () => true,
    policies: () => agentPolicies(terminal.cwd),
    suspended: ({ skill }) => log(`Agents can no longer invoke ${skill}: its contract changed.`),
    connect: async () => registry,
    search: ({ client }, query, cursor, signal) => client.search(query, cursor, signal),
    readSkill: (at, slug, wanted) => readSkill(at, { slug, version: wanted }, terminal.signal),
    check: (at, skill, text) => checker.check(text, inputSchemaOf(skill), { key: at.findKey() }),
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
