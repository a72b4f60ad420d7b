import { type ParseArgsConfig, parseArgs } from "node:util";
import { similarName } from "../core/schema/explain/similarName";
import { UsageError } from "./terminal";

/** The groups of a long list of options in the help, in order. */
export const optionGroups = [
  "Options",
  "What is sent",
  "Which invocations",
  "What is allowed",
  "Limits",
  "Queue",
  "Output",
  "Registry",
] as const;

/** An option of a command. Help, errors, completion and types follow from this row. */
export interface OptionRow {
  /** What the option does. The help adds text for the other members. */
  readonly text: string;
  /** The name of the option's value in the help; left out for a switch. */
  readonly value?: string;
  /** The only allowed values. */
  readonly oneOf?: readonly string[];
  /** Values that completion offers. Others are allowed. */
  readonly usual?: readonly string[];
  /** The value is an integer from `min` to `max`. */
  readonly count?: { readonly min: number; readonly max?: number };
  readonly default?: string | number;
  /** Whether the option may be repeated. */
  readonly multiple?: true;
  /** Options and modes of which the command needs at least one. Without them, this option would do nothing. */
  readonly needs?: readonly string[];
  /** Options and modes beside which this option would do nothing. */
  readonly not?: readonly string[];
  /** The group in the help. Default: the first. */
  readonly group?: (typeof optionGroups)[number];
}

/** The options of a command, or some that commands share, by name. */
export type OptionTable = Readonly<Record<string, OptionRow>>;

type SingleValue<Row> = Row extends { readonly count: object }
  ? number
  : Row extends { readonly oneOf: readonly (infer Word)[] }
    ? Word
    : string;

type ValueOf<Row> = Row extends { readonly value: string }
  ? Row extends { readonly multiple: true }
    ? readonly SingleValue<Row>[]
    : Row extends { readonly default: string | number }
      ? SingleValue<Row>
      : SingleValue<Row> | undefined
  : boolean;

/** The values of the options of a table. Reading an undeclared option does not compile. */
export type OptionValues<Table> = { readonly [Name in keyof Table]: ValueOf<Table[Name]> };

/** Adds members to each option of a table, such as its `needs`. */
export function rowsWith<const Table extends OptionTable, const More extends Partial<OptionRow>>(
  table: Table,
  more: More,
): { readonly [Name in keyof Table]: Table[Name] & More } {
  const rows = Object.entries(table).map(([name, row]) => [name, { ...row, ...more }]);
  return Object.fromEntries(rows);
}

/** The parsed arguments of a command. */
export interface ParsedArguments<Table> {
  readonly operands: readonly string[];
  readonly options: OptionValues<Table>;
}

/** The arguments of a command, or a request for its help. */
export type Arguments<Table> =
  | { readonly isHelp: true }
  | ({ readonly isHelp: false } & ParsedArguments<Table>);

/** Finds the mode that these operands choose; undefined for none. */
export type FindMode = (operands: readonly string[]) => string | undefined;

/** Parses the arguments of a command. Throws a `UsageError` for arguments that its table does not allow. */
export function readArguments<Table extends OptionTable>(
  table: Table,
  args: readonly string[],
  modeOf: FindMode,
): Arguments<Table> {
  const config: NonNullable<ParseArgsConfig["options"]> = { help: { type: "boolean", short: "h" } };
  for (const [name, { value, multiple = false }] of Object.entries(table)) {
    config[name] = { type: value === undefined ? "boolean" : "string", multiple };
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
    const problem = token.kind === "option" ? optionProblem(token, table) : undefined;
    if (problem !== undefined) throw new UsageError(problem);
  }
  if (values["help"] === true) return { isHelp: true };
  const options = Object.entries(table).map(([name, row]) => [
    name,
    optionValue(name, row, values[name]),
  ]);
  requireEffect(table, new Set(Object.keys(values)), modeOf(operands));
  return { isHelp: false, operands, options: Object.fromEntries(options) };
}

/** An option as written among the arguments, such as `--limit 5`. */
interface OptionArgument {
  readonly name: string;
  readonly rawName: string;
  readonly value?: string | undefined;
  readonly inlineValue?: boolean | undefined;
}

/** Describes what is wrong with an option; undefined if nothing is. */
function optionProblem(
  { name, rawName, value, inlineValue }: OptionArgument,
  table: OptionTable,
): string | undefined {
  const row = Object.hasOwn(table, name) ? table[name] : undefined;
  if (row === undefined && name !== "help") {
    const near = similarName(name, Object.keys(table));
    const hint = near === undefined ? "" : ` Did you mean --${near}?`;
    return `Unknown option ${rawName.slice(0, 50)}.${hint}`;
  }
  if (row?.value === undefined) {
    return value === undefined ? undefined : `${rawName} does not take a value.`;
  }
  if (value === undefined) return `${rawName} needs a value: ${rawName} ${row.value}`;
  // The value is probably missing, and this is the next option.
  return inlineValue !== true && /^-./.test(value)
    ? `${rawName} needs a value: ${rawName} ${row.value} (or ${rawName}=${value.slice(0, 50)}).`
    : undefined;
}

/** Throws a `UsageError` for an option that would do nothing beside the other arguments. */
function requireEffect(
  table: OptionTable,
  given: ReadonlySet<string>,
  mode: string | undefined,
): void {
  const isGiven = (name: string) => given.has(name) || name === mode;
  const shown = (name: string) => (Object.hasOwn(table, name) ? `--${name}` : name);
  for (const [name, { needs = [], not = [] }] of Object.entries(table)) {
    if (!given.has(name)) continue;
    if (needs.length > 0 && !needs.some(isGiven)) {
      throw new UsageError(`--${name} needs ${needs.map(shown).join(" or ")}.`);
    }
    const other = not.find(isGiven);
    if (other !== undefined) {
      throw new UsageError(`--${name} cannot be used with ${shown(other)}.`);
    }
  }
}

type RawValue = string | boolean | readonly (string | boolean)[] | undefined;

function optionValue(name: string, row: OptionRow, given: RawValue) {
  if (row.value === undefined) return given === true;
  if (row.multiple) return [given ?? []].flat().map((item) => parsedValue(name, row, String(item)));
  return given === undefined ? row.default : parsedValue(name, row, String(given));
}

function parsedValue(name: string, { oneOf, count }: OptionRow, text: string): string | number {
  if (oneOf !== undefined && !oneOf.includes(text)) {
    const near = similarName(text, oneOf);
    const hint = near === undefined ? "" : ` Did you mean ${near}?`;
    throw new UsageError(`--${name} expects one of ${oneOf.join(", ")}.${hint}`);
  }
  if (count === undefined) return text;
  const { min, max = Number.MAX_SAFE_INTEGER } = count;
  const number = Number(text);
  if (/^\d{1,15}$/.test(text) && number >= min && number <= max) return number;
  const range = max < Number.MAX_SAFE_INTEGER ? `from ${min} to ${max}` : `of at least ${min}`;
  throw new UsageError(`--${name} expects a whole number ${range}.`);
}

/** Describes an option from its row: its effect, its values, its default. */
export function optionText(row: OptionRow): string {
  return [
    row.text,
    row.oneOf && `One of ${row.oneOf.join(", ")}.`,
    row.usual && `Usually one of ${row.usual.join(", ")}.`,
    row.default === undefined ? "" : `Default: ${row.default}.`,
    row.multiple && "May be repeated.",
  ]
    .filter(Boolean)
    .join(" ");
}

/** Describes the needs of a table's option, and the options beside which it does nothing. Empty for neither. */
export function conditionText(table: OptionTable, { needs, not }: OptionRow): string {
  const shown = (names: readonly string[]) =>
    names.map((name) => (Object.hasOwn(table, name) ? `--${name}` : name)).join(" or ");
  return [needs && `Needs ${shown(needs)}.`, not && `Not with ${shown(not)}.`]
    .filter(Boolean)
    .join(" ");
}
