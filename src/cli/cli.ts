import { version } from "../../package.json";
import { exitCodes } from "../core/findings/report";
import { similarName } from "../core/schema/explain/similarName";
import {
  CliError,
  type Command,
  commandHelp,
  generalHelp,
  readArguments,
  type Terminal,
} from "./command";
import { check } from "./commands/check";
import { invoke } from "./commands/invoke";
import { ready } from "./commands/ready";
import { review } from "./commands/review";
import { merge } from "./commands/run/merge";
import { run } from "./commands/run/run";
import { search } from "./commands/search";
import { show } from "./commands/show";
import { test } from "./commands/test";
import { validate } from "./commands/validate";
import { redactorOf } from "./openRegistry";
import { fileReason, isSystemError } from "./textFile";

/** Every command, in the order of the help. */
export const commands: readonly Command[] = [
  search,
  show,
  validate,
  invoke,
  run,
  merge,
  test,
  review,
  check,
  ready,
];

/**
 * Runs the command that the arguments name and resolves to the exit code. Never rejects for a usage error or
 * a failure that is expected: these are said on `err`. No secret of the environment is ever written.
 */
export async function runCli(args: readonly string[], given: Terminal): Promise<number> {
  const redactor = redactorOf(given.env);
  const terminal: Terminal = {
    ...given,
    out: (text) => given.out(terminalText(redactor.redact(text))),
    err: (text) => given.err(terminalText(redactor.redact(text))),
  };
  const [name = "--help", ...rest] = args;
  if (["--help", "-h", "help"].includes(name) && rest.length === 0) {
    terminal.out(`${generalHelp(commands, version)}\n`);
    return args.length === 0 ? exitCodes.broken : exitCodes.good;
  }
  if (["--version", "-v"].includes(name)) {
    terminal.out(`${version}\n`);
    return exitCodes.good;
  }
  const wanted = name === "help" ? rest[0] : name;
  const command = commands.find((one) => one.name === wanted);
  if (command === undefined) {
    terminal.err(unknownCommand(wanted ?? name));
    return exitCodes.broken;
  }
  try {
    const read = readArguments(command, name === "help" ? ["--help"] : rest);
    if (read.isSet("help")) {
      terminal.out(`${commandHelp(command)}\n`);
      return exitCodes.good;
    }
    return await command.run(read, terminal);
  } catch (error) {
    const expected = isSystemError(error) ? systemError(error) : error;
    if (expected instanceof CliError) {
      terminal.err(`${expected.message}\n`);
      return expected.exitCode;
    }
    if (!terminal.signal.aborted) throw expected;
    terminal.err("Canceled.\n");
    return exitCodes.unknown;
  }
}

/**
 * Escapes what would steer a terminal or hide in it, whoever wrote it: as JSON does, in which such characters stand in
 * texts alone. Tabs and line ends stay.
 */
function terminalText(text: string): string {
  return text.replace(
    // What is left out is looked at last: an output may have 10 MB.
    /[\p{Cc}\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069](?<![\t\n\r])/gu,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}

/** Whatever file it was that the system refused, it is no bug. */
function systemError(error: NodeJS.ErrnoException): CliError {
  return new CliError(`${error.path ?? "A file"} could not be accessed: ${fileReason(error)}.`);
}

function unknownCommand(name: string): string {
  const near = similarName(
    name,
    commands.map((one) => one.name),
  );
  const hint = near === undefined ? "" : ` Did you mean ${near}?`;
  return `Unknown command "${name.slice(0, 50)}".${hint}\nSee: skill-registry --help\n`;
}
