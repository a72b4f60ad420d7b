import { Server } from "@modelcontextprotocol/server";
import { serveStdio } from "@modelcontextprotocol/server/stdio";

/** A server for agents that only lists one tool, to measure the protocol's library alone. */
serveStdio(() => {
  const server = new Server({ name: "empty", version: "1" }, { capabilities: { tools: {} } });
  server.setRequestHandler("tools/list", () => ({
    tools: [{ name: "none", inputSchema: { type: "object" } }],
  }));
  return server;
});
