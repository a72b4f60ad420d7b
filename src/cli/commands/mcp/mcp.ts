import { resolve } from "node:path";
import { version } from "../../../../package.json";
import { typedTools } from "../../../core/agents/typedTools";
import { CommandError } from "../../../core/findings/commandError";
import { exitCodes } from "../../../core/findings/report";
import { utcDay } from "../../../core/text/dates";
import { sha256 } from "../../../engine/sha256";
import { command } from "../../command";
import { auditOption } from "../../engine/cliEngine";
import { openAgentSettings } from "../../files/agentFiles";
import { findWindow, nameRegistry, skillOptions } from "../../registry/openRegistry";
import { type Terminal, UsageError } from "../../terminal";
import { windowAgents } from "../../window/windowAgents";
import type { openAgents } from "./openAgents";

export const mcp = command({
  name: "mcp",
  operands: "",
  summary: "Serve agents over the Model Context Protocol, on standard input and output.",
  details: [
    "The server has five tools: find, inspect, check, invoke and read. Agents may invoke only what you allowed, within your limits.",
    "In a terminal of the editor, the permissions of its window apply; the window also asks you and has the Project Key. Elsewhere, the permissions of `skill-registry agents allow` apply, with the Project Key from the environment.",
  ],
  options: {
    workspace: {
      value: "DIR",
      text: "The folder whose policy can restrict agents, for a client that starts servers in another folder. Default: the working folder.",
    },
    "typed-tools": {
      value: "WHEN",
      text: "Whether each allowed skill is also a tool of its own; never keeps the list of tools short.",
      oneOf: ["auto", "never"],
      default: "auto",
    },
    ...auditOption,
    ...skillOptions,
  },
  examples: [["Serve an agent", "skill-registry mcp --registry https://registry.example"]],
  run: async ({ operands, options }, terminal) => {
    const typed = options["typed-tools"];
    if (operands.length > 0) throw new UsageError("This command has no operands.");
    const cwd = resolve(terminal.cwd, options.workspace ?? ".");
    const window = await findWindow(options, terminal, { windowUse: "forKey" });
    const agents =
      window === undefined
        ? ownAgents(options, { ...terminal, cwd })
        : {
            ...windowAgents(window, cwd),
            finish: async () => undefined,
            close: async () => undefined,
          };
    const { maxMessageBytes, serveMcp, standardTransport } = await import("../../../mcp/serveMcp");
    const log = (text: string) => terminal.err(`${text}\n`);
    const list = async () => (typed === "auto" ? agents.list() : []);
    const transport = standardTransport((text) => terminal.redactor.redact(text));
    const server = serveMcp({ ...agents, list, version, log, transport });
    try {
      await Promise.race([waitForDisconnect(terminal.signal), server.closed]);
      const { readableEnded, destroyed } = process.stdin;
      const isTooLong = !terminal.signal.aborted && !readableEnded && !destroyed;
      // If the client leaves, sent requests still end and are recorded.
      await terminal.finish(agents.finish());
      if (isTooLong) {
        const limit = maxMessageBytes / 1_000_000;
        throw new CommandError(
          `The client sent a message of more than ${limit} MB. The server has ended.`,
        );
      }
    } finally {
      await server.close();
      await agents.close();
      window?.close();
    }
    return exitCodes.good;
  },
});

type Options = Parameters<typeof openAgents>[0];

/** Runs the tools in this process, with the permissions that a person gave to agents of the command line. */
function ownAgents(options: Options, terminal: Terminal) {
  const registryName = nameRegistry(options, terminal);
  const { settings, close } = openAgentSettings(terminal);
  let opening: ReturnType<typeof openAgents> | undefined;
  const opened = async () => opening?.catch(() => undefined);
  return {
    open: async () => {
      opening ??= import("../../cli").then(({ openAgents }) =>
        openAgents(options, terminal, registryName, settings),
      );
      return opening.catch((error: unknown) => {
        opening = undefined;
        throw error;
      });
    },
    list: async () => typedTools(await settings.get(), registryName, utcDay(Date.now()), sha256),
    onDidChange: settings.onDidChange,
    /** Cancels waiting invocations, and waits for sent ones. */
    finish: async () => {
      const session = (await opened())?.session;
      session?.cancelWaiting();
      await session?.finish();
    },
    close: async () => {
      await (await opened())?.close();
      await close();
    },
  };
}

/** Waits until the client closes standard input, or the signal fires. */
function waitForDisconnect(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const end = () => resolve();
    process.stdin.once("end", end);
    process.stdin.once("close", end);
    if (signal.aborted) end();
    else signal.addEventListener("abort", end, { once: true });
  });
}
