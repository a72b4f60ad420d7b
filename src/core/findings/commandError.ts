import { exitCodes } from "./report";

/** Ends a command with a message and an exit code. */
export class CommandError extends Error {
  constructor(
    message: string,
    readonly exitCode: number = exitCodes.broken,
  ) {
    super(message);
    this.name = "CommandError";
  }
}
