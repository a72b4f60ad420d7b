import type { Command } from "./command";
import { agents } from "./commands/agents";
import { completion } from "./commands/completion";
import { invoke } from "./commands/invoke";
import { log } from "./commands/log";
import { manifest } from "./commands/manifest";
import { mcp } from "./commands/mcp/mcp";
import { check } from "./commands/review/check";
import { ready } from "./commands/review/ready";
import { review } from "./commands/review/review";
import { merge } from "./commands/run/merge";
import { run } from "./commands/run/run";
import { search } from "./commands/search";
import { show } from "./commands/show";
import { test } from "./commands/test";
import { types } from "./commands/types";
import { usage } from "./commands/usage";
import { validate } from "./commands/validate";
import { runProgram } from "./program/runProgram";

// The server for agents is a separate program, and loads this file at its first tool call.
export { openAgents } from "./commands/mcp/openAgents";

/** Every command, in the order of the help. */
export const commands: readonly Command[] = [
  search,
  show,
  validate,
  invoke,
  run,
  merge,
  log,
  usage,
  test,
  review,
  check,
  ready,
  manifest,
  types,
  mcp,
  agents,
  completion(() => commands),
];

/** Runs a command as this process. */
export function start(): void {
  runProgram(commands);
}
