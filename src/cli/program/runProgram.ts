import { fstatSync } from "node:fs";
import { isAbsolute } from "node:path";
import { launcherProgram, launcherVariable } from "../../core/agents/agentSetup";
import { exitCodes } from "../../core/findings/report";
import { writeAll, writeError } from "../../engine/files/textFile";
import type { Command } from "../command";
import { columnsOf } from "../output/width";
import { redactorOf } from "../registry/openRegistry";
import { runCommand, unexpectedText } from "./runCommand";
import { threadsIn } from "./threads";

/** After this time, only a read that is blocked can keep a command that has ended. */
const exitMs = 500;

/** Runs one of the commands as this process: with its arguments, environment, streams and signals. */
export function runProgram(commands: readonly Command[]): void {
  const stop = new AbortController();
  let stoppedBy: NodeJS.Signals | undefined;
  // The first signal ends what is in progress in good order, the second one the process.
  for (const name of ["SIGINT", "SIGTERM", "SIGHUP"] as const) {
    process.once(name, () => {
      stoppedBy = name;
      stop.abort();
    });
  }
  process.on("uncaughtException", (error) => {
    process.stderr.write(unexpectedText(error, redactorOf(process.env)));
    process.exit(exitCodes.broken);
  });

  const isAnswered = process.stdin.isTTY === true && process.stderr.isTTY === true;

  void runCommand(commands, process.argv.slice(2), {
    env: setVariables(process.env),
    cwd: process.cwd(),
    program: programOf(process),
    threads: threadsIn(__dirname),
    out: writesToFile() ? writeToFile : (text) => process.stdout.write(text),
    err: (text) => process.stderr.write(text),
    ...(isAnswered && { readLine }),
    columns: columnsOf(process.stdout),
    errColumns: columnsOf(process.stderr),
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
  // What is said beside the results may go unread: what is in progress goes on.
  process.stderr.on("error", () => undefined);
}

/**
 * Returns what starts a program anew: the launcher that started it, else its own script. The path of an editor is left
 * out: it would open a window.
 */
export function programOf({
  env,
  argv,
  execPath,
  versions,
  platform,
}: Pick<NodeJS.Process, "env" | "argv" | "execPath" | "versions" | "platform">): readonly string[] {
  const launcher = env[launcherVariable] ?? "";
  if (isAbsolute(launcher)) return launcherProgram(launcher, platform === "win32");
  const node = versions["electron"] === undefined ? execPath : "node";
  return [node, argv[1] ?? ""];
}

/** Leaves out the variables of ours that a client was to replace and did not: `${env:NAME}` is no key. */
function setVariables(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const isSet = ([name, value = ""]: readonly [string, string | undefined]) =>
    !name.startsWith("SKILL_REGISTRY_") || !/^\$\{[^}]*\}$/.test(value);
  return Object.fromEntries(Object.entries(env).filter(isSet));
}

/** Reads a line that is typed; empty where the input has ended, or once `signal` fires. */
async function readLine(signal: AbortSignal): Promise<string> {
  // Few commands ask anything.
  const { createInterface } = await import("node:readline");
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

/** A stream takes a part of a text for all of it where the disk is full, and says nothing. Throws a `CommandError`. */
function writeToFile(text: string): void {
  try {
    writeAll(1, text);
  } catch (error) {
    throw writeError("The output", error);
  }
}
