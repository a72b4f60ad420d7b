import { runProgram } from "../../program/runProgram";
import { mcp } from "./mcp";

/** Runs the server for agents as this process, without the other commands. */
export function start(): void {
  runProgram([mcp]);
}
