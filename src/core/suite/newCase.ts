import { compareShallow, isExact } from "../json/exactJson";
import { pointerOf } from "../json/jsonPointer";
import { type JsonObject, type JsonValue, ownValue } from "../json/jsonValue";
import { RequestedRange, scanJson } from "../json/scanJson";
import type { Language } from "../text/language";
import { labelText, oneLine } from "../text/plainText";
import type { Suite, SuiteCase } from "./suite";

/** The maximum number of pointers that a suite ignores or expects, as in its schema. */
const maxPointers = 200;

/**
 * Finds the JSON pointers at which an output differs from other outputs of the same payload, in order. A list whose
 * length differs counts as one pointer. If a suite cannot hold that many pointers, returns those of containers instead.
 * Empty if all outputs are equal; undefined if they have nothing in common.
 */
export function varyingPointers(
  output: JsonValue,
  others: readonly JsonValue[],
): readonly string[] | undefined {
  const { wholes, parts } = differences(output, others);
  if (wholes.length + parts.length === 0) return [];
  let upTo = wholes[0] ?? [];
  let chosen: readonly ValuePath[] = upTo.length > 0 ? upTo : (parts[0] ?? []);
  for (let depth = 1; depth < Math.max(wholes.length, parts.length); depth += 1) {
    upTo = [...upTo, ...(wholes[depth] ?? [])];
    const found = [...upTo, ...(parts[depth] ?? [])];
    if (found.length > maxPointers) break;
    chosen = found;
  }
  const inOrder = chosen.toSorted((one, other) => one.order - other.order);
  return inOrder.some(({ up }) => up === undefined) ? undefined : inOrder.map(pointerTo);
}

/** A value in an output, linked to the container that it is in. */
interface ValuePath {
  readonly order: number;
  readonly up?: { readonly path: ValuePath; readonly name: string | number };
}

/** The differences, by depth. Keeps one more per depth than a suite accepts, to detect that they are too many. */
interface Differences {
  /** Values that differ themselves, rather than only in parts. */
  readonly wholes: ValuePath[][];
  /** Containers in which some values differ. */
  readonly parts: ValuePath[][];
}

/** Finds the differences. Visits each value once, since an output has up to 10 MB and the editor waits. */
function differences(output: JsonValue, others: readonly JsonValue[]): Differences {
  const found: Differences = { wholes: [], parts: [] };
  let order = 0;
  differs(output, others, 0);
  return found;

  function note(of: keyof Differences, depth: number, path: ValuePath): true {
    found[of][depth] ??= [];
    const paths = found[of][depth];
    if (paths.length <= maxPointers) paths.push(path);
    return true;
  }

  function differs(
    one: JsonValue,
    all: readonly (JsonValue | undefined)[],
    depth: number,
    up?: ValuePath["up"],
  ): boolean {
    order += 1;
    const path = { order, ...(up !== undefined && { up }) };
    const isWhole = !all.every((other) => areAlike(one, other));
    if (isWhole) return note("wholes", depth, path);
    if (typeof one !== "object" || one === null) return false;
    let some = false;
    const below = (name: string | number, value: JsonValue, values: typeof all) => {
      if (differs(value, values, depth + 1, { path, name })) some = true;
    };
    if (Array.isArray(one)) {
      const lists = all as readonly JsonValue[][];
      for (const [index, item] of one.entries()) {
        below(
          index,
          item,
          lists.map((list) => list[index]),
        );
      }
    } else {
      const objects = all as readonly JsonObject[];
      for (const name of Object.keys(one)) {
        below(
          name,
          one[name] ?? null,
          objects.map((object) => ownValue(object, name)),
        );
      }
      for (const name of namesBeside(one, objects)) {
        order += 1;
        some = note("wholes", depth + 1, { order, up: { path, name } });
      }
    }
    return some && note("parts", depth, path);
  }
}

/**
 * Returns whether two values are equal, or are containers of the same kind (lists also of the same length). The parts
 * of containers are compared separately.
 */
function areAlike(one: JsonValue, other: JsonValue | undefined): boolean {
  if (compareShallow(one, other) === "different") return false;
  return !Array.isArray(one) || one.length === (other as JsonValue[]).length;
}

function namesBeside(one: JsonObject, others: readonly JsonObject[]): ReadonlySet<string> {
  const names = others.flatMap((other) => Object.keys(other));
  return new Set(names.filter((name) => !Object.hasOwn(one, name)));
}

function pointerTo(path: ValuePath): string {
  const names: (string | number)[] = [];
  for (let at = path.up; at !== undefined; at = at.path.up) names.push(at.name);
  return pointerOf(names.reverse());
}

/** Returns a label that lists the parts of an output that differ from `others` outputs of the same payload. */
export function variationText(varies: readonly string[], others: number, { t }: Language): string {
  if (others === 0) return t("as it is now");
  const runs = others + 1;
  if (varies.length === 0) return t("it was the same in {runs} runs", { runs });
  const pointers = oneLine(varies.join(", "), 80);
  return labelText(t("except {pointers}, which differed in {runs} runs", { pointers, runs }));
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
 * Lists the values of an output that a case may expect, in order: at most 200, none of which contains other values.
 * Omits the pointers in `varies`, and numbers with more digits than JavaScript can represent.
 */
export function outputValues(output: JsonValue, varies: readonly string[]): readonly OutputValue[] {
  const found: OutputValue[] = [];
  visit(output, []);
  return found;

  function visit(value: JsonValue, path: readonly string[]): void {
    const pointer = pointerOf(path);
    if (varies.includes(pointer) || isExact(value)) return;
    const isContainer = typeof value === "object" && value !== null;
    // Only the first pointers are returned, so only the start of a list is read.
    const parts = isContainer
      ? Object.entries(Array.isArray(value) ? value.slice(0, maxPointers + varies.length) : value)
      : [];
    if (parts.length === 0) found.push({ pointer, value });
    for (const [name, part] of parts) {
      if (found.length >= maxPointers) return;
      visit(part, [...path, name]);
    }
  }
}

/**
 * Returns whether storing a payload in a suite would change it, because a number would lose digits or a key is
 * repeated. Such a payload needs its own file.
 */
export function needsPayloadFile(payload: string): boolean {
  const { duplicateKeys, lossyNumbers } = scanJson(payload, new RequestedRange(), 1);
  return duplicateKeys.length + lossyNumbers.length > 0;
}

/** The maximum length of a case's name, as in the schema of suites. */
const maxCaseName = 200;

/** The maximum length of a name in the Test Explorer. */
const maxName = 60;

/** Names a case after the first value of its payload, or `fallback`; adds a number if the name exists. */
export function caseName(
  payload: JsonValue,
  fallback: string,
  cases: readonly Pick<SuiteCase, "name">[],
): string {
  const first = firstScalar(payload);
  const words = first === undefined ? "" : oneLine(String(first), maxName).trim();
  const name = words === "" ? fallback : words;
  const isTaken = (wanted: string) => cases.some((item) => item.name === wanted);
  for (let number = 1; ; number += 1) {
    const numbered = number === 1 ? name : `${name} (${number})`;
    if (!isTaken(numbered)) return numbered;
  }
}

/** Describes why a new case cannot have a name; empty if it can. Surrounding blanks do not count. */
export function caseNameProblem(
  text: string,
  cases: readonly Pick<SuiteCase, "name">[],
  { t }: Language,
): string {
  const name = text.trim();
  if (name === "") return t("Enter a name.");
  if (name.length > maxCaseName) return t("At most {count} characters.", { count: maxCaseName });
  return cases.some((item) => item.name === name) ? t("Another case has this name already.") : "";
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
