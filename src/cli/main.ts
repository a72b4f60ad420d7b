#!/usr/bin/env node
import { exitCodes } from "../core/findings/report";
import { runCli } from "./cli";

const stop = new AbortController();
// The first Ctrl+C ends what is under way in good order, the second one the process.
process.once("SIGINT", () => stop.abort());
process.once("SIGTERM", () => stop.abort());

runCli(process.argv.slice(2), {
  env: process.env,
  cwd: process.cwd(),
  partsFolder: __dirname,
  out: (text) => process.stdout.write(text),
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
process.stdout.on("error", () => process.exit(process.exitCode ?? exitCodes.unknown));
// What is said beside the results may go unread: what is under way goes on.
process.stderr.on("error", () => undefined);
