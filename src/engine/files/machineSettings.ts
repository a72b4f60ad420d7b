import type { DailyLimit } from "../../core/invocation/spending";
import { isJsonObject, parsedJson } from "../../core/json/jsonValue";
import { builtInRegistryName } from "../../core/registry/registryName";
import type { Store } from "../store/store";

/** The editor's settings that apply to all invocations on this machine. */
export interface MachineSettings {
  /** The maximum number of stored invocations; 0 stores none. */
  readonly maxEntries: number;
  /** The maximum age of stored invocations in days; 0 for no limit. */
  readonly maxDays: number;
  /**
   * Whether payloads and outputs are stored. With `ask`, they are stored for the built-in registry, and for any other
   * registry if a person said yes.
   */
  readonly keepTexts: "ask" | "always" | "never";
  /** A person's answers to `ask`, by registry. */
  readonly keepTextsOf: Readonly<Record<string, boolean>>;
  readonly dailyLimitCents: DailyLimit;
  /** Whether invocations and refusals are exported to a collector. */
  readonly auditExport: "off" | "otlp";
  /** The collector's address. If it is empty, the OpenTelemetry environment variables apply. */
  readonly auditEndpoint: string;
}

/** The settings while no editor has run. */
export const defaultMachineSettings: MachineSettings = {
  maxEntries: 1000,
  maxDays: 0,
  keepTexts: "ask",
  keepTextsOf: {},
  dailyLimitCents: 0,
  auditExport: "off",
  auditEndpoint: "",
};

/** Returns whether payloads and outputs of a registry are stored; undefined if nobody was asked. */
export function keepsTexts(
  { keepTexts, keepTextsOf }: Pick<MachineSettings, "keepTexts" | "keepTextsOf">,
  registry: string,
): boolean | undefined {
  if (keepTexts !== "ask") return keepTexts === "always";
  if (registry === builtInRegistryName) return true;
  return Object.hasOwn(keepTextsOf, registry) ? keepTextsOf[registry] : undefined;
}

const settingsName = "settings";

/**
 * Stores the editor's settings, so that the other programs of this machine find them. Rejects with a `StoreProblem`.
 */
export async function keepMachineSettings(store: Store, settings: MachineSettings): Promise<void> {
  const text = JSON.stringify(settings);
  if ((await store.value(settingsName)) !== text) await store.keepValue(settingsName, text);
}

/**
 * Returns a function that stores the current settings. Calls run one after another. The function rejects with a
 * `StoreProblem`.
 */
export function settingsKeeper(store: Store, read: () => MachineSettings): () => Promise<void> {
  let last: Promise<void> = Promise.resolve();
  return () => {
    last = last.catch(() => undefined).then(() => keepMachineSettings(store, read()));
    return last;
  };
}

/**
 * Reads the settings that an editor stored last, or the defaults if no editor has run. If the daily limit is lost or
 * unreadable, it is unknown, which stops every invocation that must be counted. Never rejects.
 */
export async function readMachineSettings(store: Store): Promise<MachineSettings> {
  const unknown = { ...defaultMachineSettings, dailyLimitCents: "unknown" } as const;
  try {
    const [text, { isWhole }] = await Promise.all([store.value(settingsName), store.spent()]);
    if (text === undefined) return isWhole ? defaultMachineSettings : unknown;
    return readSettings(parsedJson(text));
  } catch {
    return unknown;
  }
}

/** Reads stored settings. Replaces unusable values by their defaults, and an unusable limit by `unknown`. */
function readSettings(settings: unknown): MachineSettings {
  const value = isJsonObject(settings) ? settings : {};
  const count = <Else>(name: "maxEntries" | "maxDays" | "dailyLimitCents", otherwise: Else) => {
    const number = value[name];
    return typeof number === "number" && number >= 0 ? number : otherwise;
  };
  const { keepTexts, keepTextsOf, auditExport, auditEndpoint } = value;
  return {
    maxEntries: count("maxEntries", defaultMachineSettings.maxEntries),
    maxDays: count("maxDays", defaultMachineSettings.maxDays),
    dailyLimitCents: count("dailyLimitCents", "unknown"),
    keepTexts: keepTexts === "always" || keepTexts === "never" ? keepTexts : "ask",
    keepTextsOf: readAnswers(keepTextsOf),
    auditExport: auditExport === "otlp" ? "otlp" : "off",
    auditEndpoint: typeof auditEndpoint === "string" ? auditEndpoint : "",
  };
}

/** Reads answers by registry. Omits unusable ones. */
export function readAnswers(value: unknown): MachineSettings["keepTextsOf"] {
  const answers = isJsonObject(value) ? Object.entries(value) : [];
  return Object.fromEntries(
    answers.filter((answer): answer is [string, boolean] => typeof answer[1] === "boolean"),
  );
}
