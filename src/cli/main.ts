#!/usr/bin/env node
import { fstatSync } from "node:fs";
import { exitCodes } from "../core/findings/report";
import { runCli } from "./cli";
import { writeAll, writeError } from "./textFile";

const stop = new AbortController();
// The first Ctrl+C ends what is under way in good order, the second one the process.
process.once("SIGINT", () => stop.abort());
process.once("SIGTERM", () => stop.abort());

runCli(process.argv.slice(2), {
  env: process.env,
  cwd: process.cwd(),
  partsFolder: __dirname,
  out: writesToFile() ? writeToFile : (text) => process.stdout.write(text),
  err: (text) => process.stderr.write(text),
  isTerminal: process.stderr.isTTY === true,
  signal: stop.signal,
}).then(
  (code) => {
    // Not process.exit: what is written to a pipe would be cut.
    process.exitCode = code;
  },
  (error: unknown) => {
    process.stderr.write(
      `An unexpected error occurred: ${error instanceof Error ? error.stack : String(error)}\n`,
    );
    process.exitCode = exitCodes.broken;
  },
);
// The reader of the output may stop early, as `head` does; the rest is then lost.
process.stdout.on("error", ({ code }: NodeJS.ErrnoException) => {
  process.exit(code === "EPIPE" ? (process.exitCode ?? exitCodes.unknown) : exitCodes.broken);
});
// What is said beside the results may go unread: what is under way goes on.
process.stderr.on("error", () => undefined);

/** Returns whether the output is redirected to a file or device, not to a terminal or another program. */
function writesToFile(): boolean {
  if (process.stdout.isTTY) return false;
  try {
    const output = fstatSync(1);
    return output.isFile() || output.isCharacterDevice();
  } catch {
    return false;
  }
}

/** A stream takes a part of a text for all of it where the disk is full, and says nothing. Throws a `CliError`. */
function writeToFile(text: string): void {
  try {
    writeAll(1, text);
  } catch (error) {
    throw writeError("The output", error);
  }
}
