import { resolve } from "node:path";
import { version } from "../../../../package.json";
import { CommandError } from "../../../core/findings/commandError";
import { exitCodes } from "../../../core/findings/report";
import { command } from "../../command";
import { auditOption } from "../../engine/cliEngine";
import { openAgentSettings } from "../../files/agentFiles";
import { nameRegistry, skillOptions } from "../../registry/openRegistry";
import { UsageError } from "../../terminal";
import type { openAgents } from "./openAgents";

export const mcp = command({
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
      text: "Whether each allowed skill is a tool of its own.",
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
    const registryName = nameRegistry(options, terminal);
    const { maxMessageBytes, serveMcp } = await import("../../../mcp/serveMcp");
    const log = (text: string) => terminal.err(`${text}\n`);
    const { settings, close } = openAgentSettings(terminal);
    let opening: ReturnType<typeof openAgents> | undefined;
    const open = async () => {
      opening ??= import("../../cli").then(({ openAgents }) =>
        openAgents(options, { ...terminal, cwd }, registryName, settings),
      );
      return opening.catch((error: unknown) => {
        opening = undefined;
        throw error;
      });
    };
    const hasTypedTools = typed === "auto";
    const server = serveMcp({ open, settings, registryName, hasTypedTools, version, log });
    try {
      await Promise.race([gone(terminal.signal), server.closed]);
      const { readableEnded, destroyed } = process.stdin;
      const isTooLong = !terminal.signal.aborted && !readableEnded && !destroyed;
      const agents = await opening?.catch(() => undefined);
      agents?.session.cancelWaiting();
      // A request that has left is not lost with the client: its end is recorded.
      await terminal.finish(agents?.session.finish() ?? Promise.resolve());
      if (isTooLong) {
        const limit = maxMessageBytes / 1_000_000;
        throw new CommandError(
          `The client sent a message of more than ${limit} MB. The server has ended.`,
        );
      }
    } finally {
      await server.close();
      await (await opening?.catch(() => undefined))?.close();
      await close();
    }
    return exitCodes.good;
  },
});

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
