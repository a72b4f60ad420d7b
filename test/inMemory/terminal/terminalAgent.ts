import { Client } from "@modelcontextprotocol/client";
import { InMemoryTransport } from "@modelcontextprotocol/server";
import { after } from "mocha";
import type { Terminal } from "../../../src/cli/terminal";
import { windowOf } from "../../../src/cli/window/terminalWindow";
import { windowAgents } from "../../../src/cli/window/windowAgents";
import { serveMcp } from "../../../src/mcp/serveMcp";
import type { TestTerminal } from "./terminalOf";

/** Connects a client to `skill-registry mcp` in a folder of a terminal, until the tests have ended. */
export async function connectAgent({ env }: TestTerminal, folder: string): Promise<Client> {
  const terminal = { env, cwd: folder, err: () => undefined } as unknown as Terminal;
  const window = await windowOf({ named: undefined, needsKey: true, isIgnored: false }, terminal);
  if (window === undefined) throw new Error("The window is left out.");
  const [serverSide, clientSide] = InMemoryTransport.createLinkedPair();
  const server = serveMcp({
    ...windowAgents(window, folder),
    version: "1.0.0",
    log: () => undefined,
    transport: serverSide,
  });
  const client = new Client({ name: "probe", version: "2.0" });
  await client.connect(clientSide);
  after(async () => {
    await client.close();
    await server.close();
    window.close();
  });
  return client;
}

/** Calls a tool and parses its result as JSON. */
export async function callTool(
  client: Client,
  name: string,
  args: Record<string, unknown>,
): Promise<Record<string, unknown>> {
  const { content } = await client.callTool({ name, arguments: args });
  const [first] = content as { text: string }[];
  return JSON.parse(first?.text ?? "") as Record<string, unknown>;
}
