#!/usr/bin/env node
import { fstatSync } from "node:fs";
import { createInterface } from "node:readline";
import { exitCodes } from "../core/findings/report";
import { runCli, unexpectedText } from "./cli";
import { writeAll, writeError } from "./textFile";

const stop = new AbortController();
let stoppedBy: NodeJS.Signals | undefined;
/** After this time, only a read that is blocked can keep a command that has ended. */
const exitMs = 500;
// The first signal ends what is under way in good order, the second one the process.
for (const name of ["SIGINT", "SIGTERM", "SIGHUP"] as const) {
  process.once(name, () => {
    stoppedBy = name;
    stop.abort();
  });
}
process.on("uncaughtException", (error) => {
  process.stderr.write(unexpectedText(error, process.env));
  process.exit(exitCodes.broken);
});

const isAnswered = process.stdin.isTTY === true && process.stderr.isTTY === true;

void runCli(process.argv.slice(2), {
  env: process.env,
  cwd: process.cwd(),
  partsFolder: __dirname,
  out: writesToFile() ? writeToFile : (text) => process.stdout.write(text),
  err: (text) => process.stderr.write(text),
  isTerminal: process.stderr.isTTY === true,
  ...(isAnswered && { readLine }),
  columns: process.stdout.isTTY === true ? process.stdout.columns : undefined,
  signal: stop.signal,
}).then((code) => {
  // Not process.exit: what is written to a pipe would be cut.
  process.exitCode = code;
  if (stoppedBy === undefined) return;
  // Nor does that end a process with a read that is blocked.
  setTimeout(() => process.kill(process.pid, stoppedBy), exitMs).unref();
});
// The reader of the output may stop early, as `head` does; the rest is then lost.
process.stdout.on("error", ({ code }: NodeJS.ErrnoException) => {
  process.exit(code === "EPIPE" ? (process.exitCode ?? exitCodes.unknown) : exitCodes.broken);
});
// What is said beside the results may go unread: what is under way goes on.
process.stderr.on("error", () => undefined);

/** Reads a line that is typed; empty where the input has ended, or once `signal` fires. */
function readLine(signal: AbortSignal): Promise<string> {
  return new Promise((resolve) => {
    // As a terminal of its own it would take Ctrl+C for itself.
    const lines = createInterface({ input: process.stdin, terminal: false, signal });
    lines.once("line", (line) => {
      resolve(line);
      lines.close();
    });
    lines.once("close", () => resolve(""));
  });
}

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
