/** The values of a setting by scope. */
export interface SettingValues {
  readonly defaultValue?: unknown;
  /** The user's own settings. */
  readonly globalValue?: unknown;
  readonly workspaceValue?: unknown;
  readonly workspaceFolderValue?: unknown;
}

/** The name of a setting in its section, and the reader of its value. */
interface SettingRow<Value> {
  readonly id: string;
  readonly read: (found: SettingValues | undefined) => Value;
}

/**
 * Whether payloads and outputs are stored with an invocation. `ask` stores them for the built-in registry, and asks the
 * user for others.
 */
type KeepTexts = "ask" | "always" | "never";

/**
 * Every setting, one row each. Defaults are only in package.json. A value of the wrong type counts as unset, except
 * where that would allow more than the user wanted.
 */
export const settingRows = {
  /** The user's text; empty means the built-in registry. */
  baseUrl: text("baseUrl"),
  requestTimeoutSeconds: number("requestTimeoutSeconds", 1),
  invokeTimeoutSeconds: number("invokeTimeoutSeconds", 1),
  maxResponseMegabytes: number("maxResponseMegabytes", 1),
  historyMaxEntries: number("history.maxEntries", 0),
  /** 0 keeps invocations of any age. */
  historyMaxDays: number("history.maxDays", 0),
  /** An unknown value stores less than intended, never more. */
  historyKeepTexts: choice<KeepTexts>("history.keepTexts", ["always", "never"], "ask"),
  /** In hundredths of the registry's currency; 0 is no ceiling. */
  dailyLimitCents: ceiling("cost.dailyCeilingCents"),
  agentsEnabled: flag("agents.enabled"),
  /** Whether new terminals know the command `skill-registry`. */
  terminalCommand: flag("terminal.command"),
  auditExport: choice<"off" | "otlp">("audit.export", ["otlp"], "off"),
  /** The user's text; empty for the variables of OpenTelemetry. */
  auditEndpoint: text("audit.otlpEndpoint"),
} satisfies Readonly<Record<string, SettingRow<unknown>>>;

/** The section of all settings. */
export const settingSection = "skillRegistry";

/** The extension's settings at one moment. */
export type Settings = {
  readonly [Name in keyof typeof settingRows]: ReturnType<(typeof settingRows)[Name]["read"]>;
};

/** Names a setting as the editor does. */
export function settingName(name: keyof Settings): string {
  return `${settingSection}.${settingRows[name].id}`;
}

/**
 * Returns the effective value of a setting: the user's own, else the default. Values of a workspace or folder never
 * count, since they could redirect a key or remove a limit. A value that `isUsable` rejects counts as unset; undefined
 * if no usable value remains.
 */
export function ownSetting<Value>(
  found: SettingValues | undefined,
  isUsable: (value: unknown) => value is Value,
): Value | undefined {
  return [found?.globalValue, found?.defaultValue].find(isUsable);
}

function text(id: string): SettingRow<string> {
  const isText = (value: unknown) => typeof value === "string";
  return { id, read: (found) => (ownSetting(found, isText) ?? "").trim() };
}

function number(id: string, least: number): SettingRow<number> {
  const isUsable = (value: unknown): value is number => typeof value === "number" && value >= least;
  return { id, read: (found) => ownSetting(found, isUsable) ?? 0 };
}

/**
 * Reads a spending limit in hundredths. If the user's value is invalid, the limit is 1, so that every cost needs a
 * question.
 */
function ceiling(id: string): SettingRow<number> {
  const { read } = number(id, 0);
  const isUnreadable = (value: unknown) =>
    value !== undefined && !(typeof value === "number" && value >= 0);
  return { id, read: (found) => (isUnreadable(found?.globalValue) ? 1 : read(found)) };
}

/** Reads a permission. A user's value that is neither true nor false counts as false. */
function flag(id: string): SettingRow<boolean> {
  const read = ({ globalValue, defaultValue = true }: SettingValues = {}) =>
    globalValue === undefined ? defaultValue === true : globalValue === true;
  return { id, read };
}

/** Reads one of `words`; any other value counts as `other`. */
function choice<Word extends string>(
  id: string,
  words: readonly Word[],
  other: Word,
): SettingRow<Word> {
  const isText = (value: unknown) => typeof value === "string";
  const read = (found: SettingValues | undefined) => {
    const own = ownSetting(found, isText);
    return words.find((word) => word === own) ?? other;
  };
  return { id, read };
}
