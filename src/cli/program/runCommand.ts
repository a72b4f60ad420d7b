import { setMaxListeners } from "node:events";
import { setTimeout as delay } from "node:timers/promises";
import { version } from "../../../package.json";
import { CommandError } from "../../core/findings/commandError";
import { exitCodes } from "../../core/findings/report";
import type { KeyRedactor } from "../../core/registry/redactSecrets";
import { similarName } from "../../core/schema/explain/similarName";
import { oneLine } from "../../core/text/plainText";
import { hasRelativeHome, homeVariable } from "../../engine/files/machine";
import { fileReason, isSystemError } from "../../engine/files/textFile";
import { RecordUnreadable, StoreProblem } from "../../engine/store/storeProblem";
import type { Command } from "../command";
import { colored, hasColors } from "../output/colors";
import { wrapLines } from "../output/width";
import { redactorOf } from "../registry/openRegistry";
import type { Terminal } from "../terminal";
import { commandHelp, generalHelp } from "./help";

/** The reason to cancel a command whose output nobody reads any more. */
export const outputClosed = new Error("Nobody reads the output.");

/**
 * Runs the command named by the arguments and resolves to the exit code. Never rejects: reports failures on `err`.
 * Never writes secrets of the environment, or text that controls a terminal or a CI machine.
 */
export async function runCommand(
  commands: readonly Command[],
  args: readonly string[],
  given: Omit<Terminal, "annotate" | "clean" | "draw" | "finish" | "paint" | "redactor" | "print">,
): Promise<number> {
  const redactor = redactorOf(given.env);
  const clean = (text: string) => terminalText(redactor.redact(text));
  // Many listeners at once are normal.
  setMaxListeners(0, given.signal);
  let finishing = 0;
  const safe = (text: string) => withoutCommands(clean(text));
  const terminal: Terminal = {
    ...given,
    redactor,
    clean,
    out: (text) => given.out(escapeReturns(safe(text))),
    print: (text) => given.out(wrapLines(escapeReturns(safe(text)), given.columns)),
    paint: (pieces) =>
      given.out(colored(pieces, hasColors(given), (text) => escapeReturns(safe(text)))),
    err: (text) => given.err(wrapLines(safe(text), given.errColumns)),
    draw: (text) => given.err(safe(text)),
    annotate: (text) => given.out(clean(text)),
    finish: async (work) => {
      finishing += 1;
      return work.finally(() => {
        finishing -= 1;
      });
    },
  };
  try {
    const isFinishing = () => finishing > 0;
    return await Promise.race([
      runNamed(commands, args, terminal),
      whenStuck(terminal.signal, isFinishing),
    ]);
  } catch (error) {
    const expected = isSystemError(error) ? systemError(error) : storeError(error);
    if (expected instanceof CommandError) {
      terminal.err(`${expected.message}\n`);
      return expected.exitCode;
    }
    if (terminal.signal.aborted) {
      if (terminal.signal.reason !== outputClosed) terminal.err("Canceled.\n");
      return exitCodes.unknown;
    }
    terminal.err(unexpectedText(error, redactor));
    return exitCodes.broken;
  }
}

/** Describes an unexpected error for a bug report, without the secrets of the environment. */
export function unexpectedText(error: unknown, redactor: KeyRedactor): string {
  const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
  return terminalText(redactor.redact(`An unexpected error occurred: ${text}\n`));
}

/** The time for a command to clean up, in milliseconds. */
const graceMs = 1000;

/**
 * Rejects some time after the user ended the command, unless it is finishing necessary work. Otherwise, work that
 * ignores the signal, such as reading an endless file, would keep it waiting.
 */
async function whenStuck(signal: AbortSignal, isFinishing: () => boolean): Promise<never> {
  if (!signal.aborted) await new Promise((canceled) => signal.addEventListener("abort", canceled));
  do await delay(graceMs, undefined, { ref: false });
  while (isFinishing());
  throw signal.reason;
}

async function runNamed(
  commands: readonly Command[],
  args: readonly string[],
  terminal: Terminal,
): Promise<number> {
  const [name = "--help", ...rest] = args;
  if (usesQueue(name, rest)) throw new CommandError(queueRemoved);
  if (["--help", "-h", "help"].includes(name) && rest.length === 0) {
    terminal.out(`${generalHelp(commands, version, terminal.columns)}\n`);
    return args.length === 0 ? exitCodes.broken : exitCodes.good;
  }
  if (["--version", "-V", "-v", "version"].includes(name)) {
    terminal.out(`${version}\n`);
    return exitCodes.good;
  }
  const wanted = name === "help" ? rest[0] : name;
  const command = commands.find((item) => item.name === wanted);
  if (command === undefined) {
    terminal.err(unknownCommand(commands, wanted ?? name));
    return exitCodes.broken;
  }
  const run = command.read(name === "help" ? ["--help"] : rest);
  if (run === undefined) {
    terminal.out(`${commandHelp(command, terminal.columns)}\n`);
    return exitCodes.good;
  }
  if (hasRelativeHome(terminal.env)) {
    // A relative path could lead into a repository. Then its files would count as a person's consent.
    throw new CommandError(`${homeVariable} is not an absolute path. Set it to one, or unset it.`);
  }
  return run(terminal);
}

/** Explains what replaces the removed queue. */
const queueRemoved =
  "A run no longer uses a queue: use --jobs, or split it with --shard, as docs/scale.md explains.";

/** Returns whether arguments are for the removed queue. */
function usesQueue(name: string, rest: readonly string[]): boolean {
  return name === "work" || (name === "run" && rest.some((one) => /^--queue(=|$)/.test(one)));
}

/**
 * Escapes characters that control a terminal or are invisible. Uses JSON's escapes, since in JSON such characters occur
 * only in strings. Tabs and line ends stay.
 */
function terminalText(text: string): string {
  return text.replace(
    // The lookbehind comes last, so that it runs for matches only: an output may have 10 MB.
    /[\p{Cc}\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069](?<![\t\n\r])/gu,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}

/** Escapes characters that would overwrite the current line, which only a progress line may do. */
function escapeReturns(text: string): string {
  return text.replace(/\r(?!\n)/g, "\\u000d");
}

/**
 * Escapes text that a CI machine would run as a command: `::error` at the start of a line (GitHub), `##vso[` and the
 * like anywhere in it (Azure Pipelines, GitHub, TeamCity). In JSON such text occurs only in strings, where the escape
 * keeps its value.
 */
function withoutCommands(text: string): string {
  return text
    .replace(/(^|[\r\n])([^\S\r\n]*):(?=:)/g, "$1$2\\u003a")
    .replace(/#(?=#\w*\[)/g, "\\u0023");
}

/** Converts a system error about a file to an error without a stack, since it is not a bug. */
function systemError(error: NodeJS.ErrnoException): CommandError {
  if (error.path === undefined && /homedir|passwd/.test(error.syscall ?? "")) {
    return new CommandError(`No home folder is known. Set HOME, or ${homeVariable} to a folder.`);
  }
  return new CommandError(`${error.path ?? "A file"} could not be accessed: ${fileReason(error)}.`);
}

function unknownCommand(commands: readonly Command[], name: string): string {
  const near = similarName(
    name,
    commands.map((command) => command.name),
  );
  const suggestion = near === undefined ? "" : ` Did you mean ${near}?`;
  const hint = name.startsWith("-") ? " Options come after the command." : suggestion;
  return `Unknown command "${name.slice(0, 50)}".${hint}\nSee: skill-registry --help\n`;
}

/**
 * Converts an error of the store, such as a full disk or a newer version's file, to an error without a stack, since it
 * is not a bug.
 */
function storeError(error: unknown): unknown {
  if (!(error instanceof StoreProblem)) return error;
  const why = oneLine(error.message, 300);
  return error instanceof RecordUnreadable
    ? new CommandError(`The record cannot be read. ${why}`, exitCodes.unknown)
    : new CommandError(`The record cannot be used. ${why}`);
}
