import { resolve } from "node:path";
import { version } from "../../../package.json";
import { AgentRefusals } from "../../agents/agentRefusals";
import { AgentSession } from "../../agents/agentSession";
import type { AgentSettingsFile } from "../../agents/agentSettingsFile";
import { exitCodes } from "../../core/findings/report";
import { inputSchemaOf } from "../../core/skill/skill";
import { machineFiles, machineFolder } from "../../engine/machine";
import { openAgentSettings } from "../agentFiles";
import { auditOption, openEngine, readAllowances } from "../cliEngine";
import {
  type Command,
  openChecker,
  type ParsedArguments,
  type Terminal,
  usageError,
} from "../command";
import {
  nameRegistry,
  type OpenRegistry,
  openRegistry,
  readSkill,
  registryOptions,
} from "../openRegistry";
import { agentPolicies } from "../teamFolder";

export const mcp: Command = {
  name: "mcp",
  operands: "",
  summary: "Serve agents over the Model Context Protocol, on standard input and output.",
  details: [
    "The server has five tools: find, inspect, check, invoke and read. Agents may invoke only what `skill-registry agents allow` allowed, within its limits. The Project Key comes from the environment.",
  ],
  options: {
    workspace: {
      value: "DIR",
      text: "The folder whose policy can narrow what agents may do. Default: the working folder.",
    },
    "typed-tools": {
      value: "WHEN",
      text: "Whether each allowed skill is a tool of its own: auto or never. Default: auto.",
    },
    ...auditOption,
    ...registryOptions,
  },
  examples: ["skill-registry mcp --registry https://registry.example"],
  run: async (given, terminal) => {
    const typed = given.text("typed-tools") ?? "auto";
    if (given.operands.length > 0) throw usageError("mcp", "This command has no operands.");
    if (typed !== "auto" && typed !== "never") {
      throw usageError("mcp", "--typed-tools expects auto or never.");
    }
    const cwd = resolve(terminal.cwd, given.text("workspace") ?? ".");
    const registryName = nameRegistry(given, terminal);
    const { serveMcp } = await import("../../mcp/serveMcp");
    const log = (text: string) => terminal.err(`${text}\n`);
    const settings = openAgentSettings(terminal);
    let opening: ReturnType<typeof openAgents> | undefined;
    const open = async () => {
      opening ??= openAgents(given, { ...terminal, cwd }, registryName, settings);
      return opening.catch((error: unknown) => {
        opening = undefined;
        throw error;
      });
    };
    const hasTypedTools = typed === "auto";
    const server = serveMcp({ open, settings, registryName, hasTypedTools, version, log });
    try {
      await gone(terminal.signal);
      const agents = await opening?.catch(() => undefined);
      agents?.session.cancelWaiting();
      // A request that has left is not lost with the client: its end is recorded.
      await terminal.finish(agents?.session.finish() ?? Promise.resolve());
    } finally {
      await server.close();
      settings.dispose();
      await (await opening?.catch(() => undefined))?.close();
    }
    return exitCodes.good;
  },
};

/** Opens all that calls of tools go to, until `close`. Throws a `CliError` where the registry cannot be opened. */
async function openAgents(
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

/** Waits until the client has closed standard input, or the program has to end. */
function gone(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const end = () => resolve();
    process.stdin.once("end", end);
    process.stdin.once("close", end);
    if (signal.aborted) end();
    else signal.addEventListener("abort", end, { once: true });
  });
}
