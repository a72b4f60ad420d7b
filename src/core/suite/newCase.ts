import type { InvocationRecord } from "../invocation/record/invocationRecord";
import { pointerOf } from "../json/jsonPointer";
import { isJsonObject, type JsonValue, jsonEqual } from "../json/jsonValue";
import { RequestedRange, scanJson } from "../json/scanJson";
import type { Language } from "../text/language";
import { labelText, oneLine } from "../text/plainText";
import type { Expectation, Suite, SuiteCase } from "./suite";

/**
 * Reads from a past invocation what a case can expect of another one: `output` where the skill returned one, of which
 * the user chooses what counts, or how it ended. Undefined where it had no result that could be expected again.
 */
export function endingToExpect({
  status,
  code,
  acceptedNotRun,
}: InvocationRecord): "output" | Expectation | undefined {
  if (status === "success") return acceptedNotRun === true ? undefined : "output";
  if (status === "error") return { failure: true };
  const isRefused = status === "refused" || status === "blocked";
  return isRefused && code !== undefined ? { refusal: code } : undefined;
}

/** Upper limit of pointers that a suite ignores or expects, as its schema has it. */
const maxPointers = 200;

/**
 * Finds the JSON pointers at which an output differs from others of the same payload, in its order. Of a list with
 * another number of items, the list itself; where they are too many for a suite, those of what contains them. Empty
 * where all are equal; undefined where nothing of the outputs is the same.
 */
export function varyingPointers(
  output: JsonValue,
  others: readonly JsonValue[],
): readonly string[] | undefined {
  let paths = distinct(others.flatMap((other) => differingPaths(output, other, [])));
  for (let depth = longest(paths); paths.length > maxPointers && depth > 0; depth -= 1) {
    const most = depth - 1;
    paths = distinct(paths.map((path) => path.slice(0, most)));
  }
  return paths.some((path) => path.length === 0) ? undefined : paths.map(pointerOf);
}

type Path = readonly string[];

function differingPaths(one: JsonValue, other: JsonValue, path: Path): readonly Path[] {
  if (jsonEqual(one, other)) return [];
  const areLists = Array.isArray(one) && Array.isArray(other) && one.length === other.length;
  if (!areLists && !(isJsonObject(one) && isJsonObject(other))) return [path];
  const [values, others] = [new Map(Object.entries(one)), new Map(Object.entries(other))];
  const names = [...new Set([...values.keys(), ...others.keys()])];
  return names.flatMap((name) => {
    const [value, otherValue] = [values.get(name), others.get(name)];
    const below = [...path, name];
    if (value === undefined || otherValue === undefined) return [below];
    return differingPaths(value, otherValue, below);
  });
}

function distinct(paths: readonly Path[]): readonly Path[] {
  return [...new Map(paths.map((path) => [pointerOf(path), path])).values()];
}

function longest(paths: readonly Path[]): number {
  return paths.reduce((most, { length }) => Math.max(most, length), 0);
}

/** Describes for a label what varies of an output among `others` outputs of the same payload. */
export function variationText(varies: readonly string[], others: number, { t }: Language): string {
  if (others === 0) return t("as it is now");
  const runs = others + 1;
  if (varies.length === 0) return t("it was the same in {runs} runs", { runs });
  const pointers = oneLine(varies.join(", "), 80);
  return labelText(t("but for {pointers}, different in {runs} runs", { pointers, runs }));
}

/** Counts the cases of a suite. */
export function caseCountText({ cases: { length: count } }: Suite, { t }: Language): string {
  return count === 1 ? t("1 case") : t("{count} cases", { count });
}

/** A value in an output that a case may expect. */
export interface OutputValue {
  readonly pointer: string;
  readonly value: JsonValue;
}

/**
 * Lists the values of an output that a case may expect, in its order: each that has nothing below it, at most 200.
 * What `varies` is left out.
 */
export function outputValues(output: JsonValue, varies: readonly string[]): readonly OutputValue[] {
  const found: OutputValue[] = [];
  visit(output, []);
  return found;

  function visit(value: JsonValue, path: Path): void {
    const pointer = pointerOf(path);
    if (found.length >= maxPointers || varies.includes(pointer)) return;
    const parts = typeof value === "object" && value !== null ? Object.entries(value) : [];
    if (parts.length === 0) found.push({ pointer, value });
    for (const [name, part] of parts) visit(part, [...path, name]);
  }
}

/** Returns whether a suite would change a payload, so that it belongs in a file: a number that loses digits, a repeated key. */
export function needsPayloadFile(payload: string): boolean {
  const { duplicateKeys, lossyNumbers } = scanJson(payload, new RequestedRange(), 1);
  return duplicateKeys.length + lossyNumbers.length > 0;
}

/** What a row of the Test Explorer shows. */
const maxName = 60;

/** Names a case after the first value of its payload, or as `fallback`; with a number where a case has that name already. */
export function caseName(
  payload: JsonValue,
  fallback: string,
  cases: readonly Pick<SuiteCase, "name">[],
): string {
  const first = firstScalar(payload);
  const words = first === undefined ? "" : oneLine(String(first), maxName).trim();
  const name = words === "" ? fallback : words;
  const isTaken = (wanted: string) => cases.some((one) => one.name === wanted);
  for (let number = 1; ; number += 1) {
    const numbered = number === 1 ? name : `${name} (${number})`;
    if (!isTaken(numbered)) return numbered;
  }
}

function firstScalar(value: JsonValue): string | number | boolean | undefined {
  if (value === null) return undefined;
  if (typeof value !== "object") return value;
  for (const part of Object.values(value)) {
    const found = firstScalar(part);
    if (found !== undefined && found !== "") return found;
  }
  return undefined;
}
