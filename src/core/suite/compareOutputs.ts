import { jsonEqual } from "../json/canonicalJson";
import { pointerStep, pointerSteps } from "../json/jsonPointer";
import { isJsonObject, type JsonValue, ownValue } from "../json/jsonValue";
import { printJson } from "../json/printJson";

/**
 * Finds the first place, as a JSON pointer, in which two outputs differ, but for what stands at some
 * pointers. Undefined where they do not.
 */
export function firstDifference(
  before: JsonValue,
  now: JsonValue,
  ignore: readonly string[],
): string | undefined {
  return differenceIn(withoutPointers(before, ignore), withoutPointers(now, ignore));
}

/** Copies a value without what stands at some pointers; an item of a list becomes null, so that others stay. */
export function withoutPointers(value: JsonValue, pointers: readonly string[]): JsonValue {
  return without(value, pointers.map(pointerSteps));
}

function differenceIn(before: JsonValue, now: JsonValue): string | undefined {
  if (jsonEqual(before, now)) return undefined;
  const isList = Array.isArray(before) && Array.isArray(now);
  if (!isList && !(isJsonObject(before) && isJsonObject(now))) return "";
  const names = [...new Set([...Object.keys(before), ...Object.keys(now)])];
  for (const name of names) {
    const [one, other] = [childOf(before, name), childOf(now, name)];
    const step = `/${pointerStep(name)}`;
    if (one === undefined || other === undefined) return step;
    const below = differenceIn(one, other);
    if (below !== undefined) return step + below;
  }
  return "";
}

/** Gets what stands at a JSON pointer; undefined where there is nothing. */
export function valueAt(value: JsonValue | undefined, pointer: string): JsonValue | undefined {
  let at = value;
  for (const step of pointerSteps(pointer)) at = at === undefined ? undefined : childOf(at, step);
  return at;
}

function childOf(value: JsonValue, name: string): JsonValue | undefined {
  if (Array.isArray(value)) return /^\d+$/.test(name) ? value[Number(name)] : undefined;
  return isJsonObject(value) ? ownValue(value, name) : undefined;
}

function without(value: JsonValue, paths: readonly (readonly string[])[]): JsonValue {
  if (paths.length === 0) return value;
  const below = (name: string) =>
    paths.flatMap(([step, ...rest]) => (step === name && rest.length > 0 ? [rest] : []));
  const isLeftOut = (name: string) =>
    paths.some(([step, ...rest]) => step === name && rest.length === 0);
  if (Array.isArray(value)) {
    return value.map((item, index) =>
      isLeftOut(String(index)) ? null : without(item, below(String(index))),
    );
  }
  if (!isJsonObject(value)) return value;
  const kept = Object.entries(value).filter(([name]) => !isLeftOut(name));
  return Object.fromEntries(kept.map(([name, part]) => [name, without(part, below(name))]));
}

const maxShown = 80;

/** Writes a value on one line, cut where it is long. */
export function shownValue(value: JsonValue): string {
  const { text, whole } = printJson(value, { maxLength: maxShown, indent: 0 });
  return whole ? text : `${text}…`;
}
