#!/usr/bin/env node
// Agents start their server with each conversation, and wait for it: it needs little of the other commands.
const program = process.argv[2] === "mcp" ? import("./commands/mcp/agentServer") : import("./cli");

void program.then(({ start }) => start());
