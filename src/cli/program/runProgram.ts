import { closeSync, fstatSync, openSync } from "node:fs";
import { isAbsolute } from "node:path";
import { launcherProgram, launcherVariable } from "../../core/agents/agentSetup";
import { exitCodes } from "../../core/findings/report";
import { writeAll, writeError } from "../../engine/files/textFile";
import type { Command } from "../command";
import { columnsOf } from "../output/width";
import { redactorOf } from "../registry/openRegistry";
import { outputClosed, runCommand, unexpectedText } from "./runCommand";
import { threadsIn } from "./threads";

/** The milliseconds that a canceled command has to exit. Then its signal is sent again, which ends the process. */
const exitMs = 500;

/** Runs a command as this process: with its arguments, environment, streams and signals. */
export function runProgram(commands: readonly Command[]): void {
  const stop = new AbortController();
  let stoppedBy: NodeJS.Signals | undefined;
  // The first signal ends the command after its work in progress, the second one ends the process.
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

  const hasPerson = process.stdin.isTTY === true && process.stderr.isTTY === true;

  void runCommand(commands, process.argv.slice(2), {
    env: replacedVariables(process.env),
    cwd: process.cwd(),
    program: programOf(process),
    threads: threadsIn(__dirname),
    out: writesToFile() ? writeToFile : (text) => process.stdout.write(text),
    err: (text) => process.stderr.write(text),
    ...(hasPerson && { readLine }),
    hasControllingTerminal: hasControllingTerminal(),
    columns: columnsOf(process.stdout),
    errColumns: columnsOf(process.stderr),
    signal: stop.signal,
  }).then((code) => {
    // process.exit would truncate output to a pipe.
    process.exitCode = code;
    if (stoppedBy === undefined) return;
    // A blocked read may keep the process alive: end it by the signal that canceled the command.
    setTimeout(() => process.kill(process.pid, stoppedBy), exitMs).unref();
  });
  // The reader of the output may stop early, as `head` does. The remaining output is lost, but sent invocations are
  // awaited.
  process.stdout.on("error", ({ code }: NodeJS.ErrnoException) => {
    if (code !== "EPIPE") process.exit(exitCodes.broken);
    if (process.exitCode !== undefined) process.exit();
    stop.abort(outputClosed);
  });
  // If nobody reads the messages beside the results, the command continues.
  process.stderr.on("error", () => undefined);
}

/**
 * Returns the command line that starts the program again: its launcher, or its script. Omits the path of an editor,
 * which would open a window.
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

/**
 * Removes variables whose value is an unreplaced reference such as `${env:NAME}`. An agent's client should have
 * replaced it with the value.
 */
function replacedVariables(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const isSet = ([name, value = ""]: readonly [string, string | undefined]) =>
    !name.startsWith("SKILL_REGISTRY_") || !/^\$\{[^}]*\}$/.test(value);
  return Object.fromEntries(Object.entries(env).filter(isSet));
}

/** Reads a typed line; empty if the input has ended, or once `signal` fires. */
async function readLine(signal: AbortSignal): Promise<string> {
  // Loaded late, since few commands ask anything.
  const { createInterface } = await import("node:readline");
  return new Promise((resolve) => {
    // If readline treated the input as a terminal, it would intercept Ctrl+C.
    const lines = createInterface({ input: process.stdin, terminal: false, signal });
    lines.once("line", (line) => {
      resolve(line);
      lines.close();
    });
    lines.once("close", () => resolve(""));
  });
}

/** Returns whether this process has a controlling terminal. Windows has no such file. */
function hasControllingTerminal(): boolean {
  try {
    closeSync(openSync("/dev/tty", "r"));
    return true;
  } catch {
    return false;
  }
}

/** Returns whether the output is redirected to a file or device, rather than to a terminal or another program. */
function writesToFile(): boolean {
  if (process.stdout.isTTY) return false;
  try {
    const output = fstatSync(1);
    return output.isFile() || output.isCharacterDevice();
  } catch {
    return false;
  }
}

/**
 * Writes to a file synchronously. On a full disk, a stream would write part of a text and report nothing. Throws a
 * `CommandError`.
 */
function writeToFile(text: string): void {
  try {
    writeAll(1, text);
  } catch (error) {
    throw writeError("The output", error);
  }
}
