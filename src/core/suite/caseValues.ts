import type { PayloadEnvironment } from "../environment/payloadEnvironment";
import { findPlaceholders, type Placeholder } from "../environment/placeholders";
import { valueAt } from "../json/jsonPointer";
import { isJsonObject, type JsonValue, parsedJson } from "../json/jsonValue";
import { jsonText } from "../json/printJson";
import type { TextRange } from "../json/token";
import type { Language } from "../text/language";

/** The prefix of placeholders for a value from an earlier case's output: `{{case:NAME/pointer}}`. */
const prefix = "case:";

/** Returns whether a payload's JSON text seems to contain a placeholder for an earlier case's output. */
export function mayReferToCases(text: string): boolean {
  return text.includes(`{{${prefix}`);
}

/**
 * Lists the placeholders in a payload that refer to an earlier case but match none of the names `earlier`, as written.
 */
export function brokenReferences(text: string, earlier: readonly string[]): readonly string[] {
  return placeholdersIn(text)
    .filter((placeholder) => referenceOf(placeholder, earlier) === undefined)
    .map((placeholder) => `{{${placeholder}}}`);
}

/**
 * The outputs of the cases in one run, by name, for later cases. An output is undefined if the case failed or has none.
 */
export type CaseOutputs = Map<string, Promise<JsonValue | undefined>>;

/** The values that a payload takes from earlier cases, by placeholder as JSON text. */
export type CaseValues = ReadonlyMap<string, string>;

/** A value that an earlier case did not provide: it has no output, or its output has no value at the JSON pointer. */
interface MissingValue {
  readonly caseName: string;
  readonly pointer: string;
  readonly hasOutput: boolean;
}

/** Reports that a case was not sent because an earlier case did not provide a value for its payload. */
export function missingValueText(
  { caseName: name, pointer, hasOutput }: MissingValue,
  { t }: Language,
): string {
  return hasOutput
    ? t("Not sent: the output of the case {name} has no value at {pointer}.", { name, pointer })
    : t("Not sent: the case {name} has no output to take a value from.", { name });
}

/**
 * Finds the values that a payload takes from the outputs of `earlier` cases, or the first one that is missing.
 */
export async function caseValuesOf(
  text: string,
  earlier: readonly string[],
  outputs: CaseOutputs,
): Promise<
  | { readonly ok: true; readonly values: CaseValues }
  | { readonly ok: false; readonly missing: MissingValue }
> {
  const values = new Map<string, string>();
  for (const placeholder of placeholdersIn(text)) {
    const reference = referenceOf(placeholder, earlier);
    if (reference === undefined) continue;
    const { caseName, pointer } = reference;
    const output = await outputs.get(caseName);
    const hasOutput = output !== undefined;
    const value = hasOutput ? valueAt(output, pointer) : undefined;
    if (value === undefined) return { ok: false, missing: { caseName, pointer, hasOutput } };
    values.set(placeholder, jsonText(value));
  }
  return { ok: true, values };
}

/**
 * Adds the values that a payload takes from earlier cases to an environment. All placeholders are replaced in one step,
 * so that a placeholder inside an output is not replaced with a value or secret.
 */
export function withCaseValues(
  environment: PayloadEnvironment,
  text: string,
  values: CaseValues,
): PayloadEnvironment {
  // A payload that also needs a value of an unusable environment is not sent.
  const isRefused =
    environment.kind === "unusable" && findPlaceholders(text, environment.declared).length > 0;
  if (isRefused || values.size === 0) return environment;
  const base = environment.kind === "chosen" ? environment : noValues;
  return {
    ...base,
    declared: new Set([...base.declared, ...values.keys()]),
    values: new Map([...base.values, ...values]),
  };
}

/** Reads the values that a payload takes from earlier cases; undefined for anything else. */
export function readCaseValues(value: unknown): CaseValues | undefined {
  if (!isJsonObject(value)) return undefined;
  const all = Object.entries(value);
  const isRead = all.every(
    ([name, json]) =>
      name.startsWith(prefix) && typeof json === "string" && parsedJson(json) !== undefined,
  );
  return isRead ? new Map(all as readonly (readonly [string, string])[]) : undefined;
}

const noValues = {
  kind: "chosen",
  name: "",
  registry: "",
  declared: new Set<string>(),
  values: new Map<string, string>(),
  secrets: new Map<string, string>(),
  secretNames: new Set<string>(),
  usesVariables: false,
} as const;

/** A placeholder in a payload that refers to an earlier case, with the range between its braces. */
export interface CaseReference extends TextRange {
  readonly caseName: string;
  readonly pointer: string;
}

/** Finds the placeholders in a payload's JSON text that refer to one of the cases `earlier`. */
export function caseReferences(text: string, earlier: readonly string[]): readonly CaseReference[] {
  return casePlaceholders(text).flatMap(({ name, start, end }): CaseReference[] => {
    const found = referenceOf(name, earlier);
    return found === undefined ? [] : [{ ...found, start: start + 2, end: end - 2 }];
  });
}

/** Writes a reference to a case as it stands between the braces of a placeholder, in a JSON string. */
export function referenceText(caseName: string, pointer: string): string {
  return `${prefix}${JSON.stringify(caseName + pointer).slice(1, -1)}`;
}

function placeholdersIn(text: string): readonly string[] {
  return [...new Set(casePlaceholders(text).map(({ name }) => name))];
}

function casePlaceholders(text: string): readonly Placeholder[] {
  if (!mayReferToCases(text)) return [];
  return findPlaceholders(text, { size: 1, has: (name) => name.startsWith(prefix) });
}

/** Parses `case:NAME/pointer`. If several earlier cases fit, the longest name counts. */
function referenceOf(placeholder: string, earlier: readonly string[]) {
  // The placeholder was part of a JSON string and still has its escapes.
  const rest = JSON.parse(`"${placeholder.slice(prefix.length)}"`) as string;
  const [caseName] = earlier
    .filter((name) => rest === name || rest.startsWith(`${name}/`))
    .toSorted((one, other) => other.length - one.length);
  if (caseName === undefined) return undefined;
  return { caseName, pointer: rest.slice(caseName.length) };
}
