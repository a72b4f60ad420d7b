import { type ParseArgsConfig, parseArgs } from "node:util";
import { exitCodes } from "../core/findings/report";
import { type PayloadCheck, withoutSchema } from "../core/payload/payloadCheck";
import type { MakeSample } from "../core/payload/payloadTemplates";
import { projectKeyVariable } from "../core/registry/credential";
import { similarName } from "../core/schema/explain/similarName";
import type { SkillSchema } from "../core/skill/skill";
import { english } from "../core/text/language";
import type { LanguageClient } from "../language/languageClient";
import type { Piece } from "./output/colors";
import { widthOf } from "./output/width";

/** What the command line reads and writes, so that tests can stand in for a terminal. */
export interface Terminal {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The folder that file names are relative to. */
  readonly cwd: string;
  readonly threads: Threads;
  /** Writes results. */
  readonly out: (text: string) => void;
  /** Writes results of which pieces have colors, where they are shown. */
  readonly paint: (pieces: readonly Piece[]) => void;
  /** Takes out of a text for a file what is secret, and what steers whoever shows the file. Keeps the values of JSON. */
  readonly clean: (text: string) => string;
  /** Writes results that are commands of a CI machine. */
  readonly annotate: (text: string) => void;
  /** Writes what a person should know beside the results. */
  readonly err: (text: string) => void;
  /** Whether a person watches what `err` writes as it comes. */
  readonly isTerminal: boolean;
  /** Reads a line that a person types. Left out where nobody can be asked. */
  readonly readLine?: (signal: AbortSignal) => Promise<string>;
  /** How many columns there are where a person reads what `out` writes; undefined for a file or another program. */
  readonly columns?: number | undefined;
  /** Fires when the user wants it to end. */
  readonly signal: AbortSignal;
  /** Waits for what must come to its end also where the user wants the command to end, such as what was sent. */
  readonly finish: <Value>(work: Promise<Value>) => Promise<Value>;
}

/** Starts what has a thread of its own, so that tests can share one. */
export interface Threads {
  /** What reads schemas, until it is disposed of. */
  readonly language: () => Promise<Pick<LanguageClient, "check" | "sample" | "dispose">>;
  /** The built-in registry. Rejects with a `CliError`. */
  readonly registry: () => Promise<BuiltInRegistry>;
}

/** A registry of this process. */
export interface BuiltInRegistry {
  readonly baseUrl: string;
  readonly projectKey: string;
  readonly userTokens: { readonly owner: string };
  readonly close: () => Promise<unknown>;
}

/** An option of a command. `value` names what follows it in the help; left out for a switch. */
export interface CommandOption {
  readonly value?: string;
  readonly text: string;
  /** May be given several times. */
  readonly multiple?: true;
}

/** A command: what its help says, and what it does. */
export interface Command {
  readonly name: string;
  /** What follows the name, such as `SLUG FILE`. */
  readonly operands: string;
  readonly summary: string;
  /** Further paragraphs of its help. */
  readonly details: readonly string[];
  readonly options: Readonly<Record<string, CommandOption>>;
  readonly examples: readonly string[];
  /** Resolves to the exit code. Throws a `CliError` for a usage error and what cannot be read. */
  readonly run: (given: ParsedArguments, terminal: Terminal) => Promise<number>;
}

/** What was given to a command. */
export interface ParsedArguments {
  readonly operands: readonly string[];
  /** The value of an option; undefined where it was not given. */
  readonly text: (name: string) => string | undefined;
  readonly list: (name: string) => readonly string[];
  readonly isSet: (name: string) => boolean;
  /** Reads a whole number from `least` to `most`, by default any; undefined where the option was not given. */
  readonly count: (name: string, least: number, most?: number) => number | undefined;
}

/** Something that ends a command with a message and an exit code. */
export class CliError extends Error {
  constructor(
    message: string,
    readonly exitCode: number = exitCodes.broken,
  ) {
    super(message);
    this.name = "CliError";
  }
}

/** Reads the arguments of a command. Throws a `CliError` where they are not what its help says. */
export function readArguments(
  { name, options }: Command,
  args: readonly string[],
): ParsedArguments {
  const config: NonNullable<ParseArgsConfig["options"]> = { help: { type: "boolean", short: "h" } };
  for (const [option, { value, multiple = false }] of Object.entries(options)) {
    config[option] = { type: value === undefined ? "boolean" : "string", multiple };
  }
  const {
    values,
    positionals: operands,
    tokens,
  } = parseArgs({
    args: [...args],
    options: config,
    allowPositionals: true,
    // The messages of parseArgs are for programmers, not for users.
    strict: false,
    tokens: true,
  });
  for (const token of tokens) {
    const problem = token.kind === "option" ? optionProblem(token, options) : undefined;
    if (problem !== undefined) throw usageError(name, problem);
  }
  const text = (option: string) => values[option] as string | undefined;
  return {
    operands,
    text,
    list: (option) => (values[option] ?? []) as readonly string[],
    isSet: (option) => values[option] === true,
    count: (option, least, most = Number.MAX_SAFE_INTEGER) => {
      const given = text(option);
      if (given === undefined) return undefined;
      const number = Number(given);
      if (/^\d{1,15}$/.test(given) && number >= least && number <= most) return number;
      const range =
        most < Number.MAX_SAFE_INTEGER ? `from ${least} to ${most}` : `of at least ${least}`;
      throw usageError(name, `--${option} expects a whole number ${range}.`);
    },
  };
}

/** An option as it stands among the arguments, such as `--limit 5`. */
interface OptionArgument {
  readonly name: string;
  readonly rawName: string;
  readonly value?: string | undefined;
  readonly inlineValue?: boolean | undefined;
}

/** Describes the problem of an option. Undefined where there is none. */
function optionProblem(
  { name, rawName, value, inlineValue }: OptionArgument,
  options: Command["options"],
): string | undefined {
  const option = Object.hasOwn(options, name) ? options[name] : undefined;
  if (option === undefined && name !== "help") {
    const near = similarName(name, Object.keys(options));
    const hint = near === undefined ? "" : ` Did you mean --${near}?`;
    return `Unknown option ${rawName.slice(0, 50)}.${hint}`;
  }
  if (option?.value === undefined) {
    return value === undefined ? undefined : `${rawName} does not take a value.`;
  }
  if (value === undefined) return `${rawName} needs a value: ${rawName} ${option.value}`;
  // Probably the value is missing and this is the next option.
  return inlineValue !== true && /^-./.test(value)
    ? `${rawName} needs a value: ${rawName} ${option.value} (or ${rawName}=${value.slice(0, 50)}).`
    : undefined;
}

/** Creates the error for a command that was used incorrectly. */
export function usageError(name: string, message: string): CliError {
  return new CliError(`${message}\nSee: skill-registry ${name} --help`);
}

const width = 78;

/** Writes the help of a command. */
export function commandHelp(command: Command): string {
  const { name, operands, summary, details, options, examples } = command;
  const rows = Object.entries(options).map(([option, { value, text }]) => [
    value === undefined ? `--${option}` : `--${option} ${value}`,
    text,
  ]);
  return [
    `Usage: skill-registry ${name} ${operands} [options]`.replace("  ", " "),
    ...[summary, ...details].map((paragraph) => wrap(paragraph, 0)),
    ["Options:", table([...rows, ["-h, --help", "Show this help."]])].join("\n"),
    ["Examples:", ...examples.map((example) => `  ${example}`)].join("\n"),
  ].join("\n\n");
}

/** The variables that every command reads, with what each is for. */
export const environment: readonly (readonly [name: string, text: string])[] = [
  ["SKILL_REGISTRY_URL", "The registry to use without --registry."],
  [
    projectKeyVariable,
    "The Project Key for invocations. Taken from this variable only, never printed.",
  ],
  ["SKILL_REGISTRY_USER_TOKEN", "The user token for project data and test runs. Never printed."],
  ["HTTPS_PROXY, NO_PROXY, …", "The proxy to use, as in other programs."],
  ["NO_COLOR, FORCE_COLOR", "Never or always write colors. Default: on a terminal."],
  ["NODE_EXTRA_CA_CERTS", "A file of further certificate authorities to trust."],
];

/** What each exit code means. */
export const exitCodeTexts: readonly (readonly [code: string, text: string])[] = [
  ["0", "Success."],
  ["1", "Findings: something is invalid, failed, or differs from its review."],
  ["2", "Usage error, or a file that cannot be read or written."],
  ["3", "Undecided: the registry could not be reached, or the outcome is unknown."],
  ["4", "Nothing matched."],
];

/** Writes the help of all commands. */
export function generalHelp(commands: readonly Command[], version: string): string {
  return [
    `skill-registry ${version}: find, check and invoke the skills of a registry.`,
    "Usage: skill-registry COMMAND [options]",
    ["Commands:", table(commands.map(({ name, summary }) => [name, summary]))].join("\n"),
    ["Environment:", table(environment)].join("\n"),
    wrap(
      "Without a registry, the built-in one is started for the command, with sample skills and its own Project Key and project. On a CI machine (CI is set) one has to be named.",
      0,
    ),
    ["Exit codes:", table(exitCodeTexts)].join("\n"),
    "See skill-registry COMMAND --help for more about a command.",
  ].join("\n\n");
}

/** Two columns; the second is wrapped. */
function table(rows: readonly (readonly string[])[]): string {
  const left = Math.min(32, Math.max(...rows.map(([first = ""]) => first.length)) + 4);
  return rows
    .map(([first = "", second = ""]) => {
      const start = `  ${first}`;
      const wrapped = wrap(second, left);
      return start.length < left
        ? start.padEnd(left) + wrapped.trimStart()
        : `${start}\n${wrapped}`;
    })
    .join("\n");
}

/** Breaks a text between words, with `indent` spaces before each line. A longer word stays whole. */
export function wrap(text: string, indent: number, columns = width): string {
  const lines: string[] = [];
  let line = "";
  for (const word of text.split(" ")) {
    if (line !== "" && widthOf(line) + widthOf(word) + 1 > columns - indent) {
      lines.push(line);
      line = word;
    } else line = line === "" ? word : `${line} ${word}`;
  }
  return [...lines, line].map((one) => " ".repeat(indent) + one).join("\n");
}

/** Breaks lines that are wider than a terminal, each below where its own text starts. */
export function fitted(text: string, columns = Number.POSITIVE_INFINITY): string {
  const lines = text.split("\n").map((line) => {
    if (widthOf(line) <= columns) return line;
    const [start = ""] = /^(?: *\S.*? {2,}| *)/.exec(line) ?? [];
    return start + wrap(line.slice(start.length), start.length, columns).trimStart();
  });
  return lines.join("\n");
}

/** Checks payloads as the editor does, in a thread of its own, until `close`. */
export interface PayloadChecker {
  /** `key` is marked where it stands in the text. */
  readonly check: (
    text: string,
    schema: SkillSchema,
    key?: string | undefined,
  ) => Promise<PayloadCheck>;
  readonly sample: MakeSample;
  readonly close: () => void;
}

/** Starts the thread with the first payload. */
export async function openChecker({ threads, signal }: Terminal): Promise<PayloadChecker> {
  const client = await threads.language();
  return {
    check: async (text, { schema, lossyNumbers }, key) => {
      const secrets = key === undefined ? [] : [key];
      const request = { text, schema: schema ?? true, lossyNumbers, secrets };
      const check = await client.check(request, signal);
      return schema === undefined ? withoutSchema(check, english) : check;
    },
    sample: (skill, options) => client.sample(skill.inputSchema ?? true, options, signal),
    close: () => client.dispose(),
  };
}
