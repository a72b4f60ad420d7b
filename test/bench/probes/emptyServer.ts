import { Server } from "@modelcontextprotocol/server";
import { serveStdio } from "@modelcontextprotocol/server/stdio";

/** A server for agents that does nothing but list one tool: what the library of the protocol takes alone. */
serveStdio(() => {
  const server = new Server({ name: "empty", version: "1" }, { capabilities: { tools: {} } });
  server.setRequestHandler("tools/list", () => ({
    tools: [{ name: "none", inputSchema: { type: "object" } }],
  }));
  return server;
});
