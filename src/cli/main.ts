#!/usr/bin/env node
import { exitCodes } from "../core/findings/report";
import { hasSqlite } from "../engine/store/sqlite";

if (hasSqlite()) {
  // Agents start this server with each conversation and wait for it, so it loads little of the other commands.
  const program =
    process.argv[2] === "mcp" ? import("./commands/mcp/agentServer") : import("./cli");
  void program.then(({ start }) => start());
} else {
  process.stderr.write(
    `This is Node.js ${process.versions.node}, without node:sqlite. Update Node.js to 22.13 or newer.\n`,
  );
  process.exitCode = exitCodes.broken;
}
