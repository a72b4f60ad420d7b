import { nextToken } from "./jsonTokens";
import { isJsonObject, type JsonValue, ownValue } from "./jsonValue";

/** Escapes one step of a JSON pointer (RFC 6901). */
export function pointerStep(key: string | number): string {
  const name = String(key);
  return /[~/]/.test(name) ? name.replaceAll("~", "~0").replaceAll("/", "~1") : name;
}

/** Writes the JSON pointer of steps; none give "", the whole value. */
export function pointerOf(steps: readonly (string | number)[]): string {
  return steps.map((step) => `/${pointerStep(step)}`).join("");
}

/** Splits a JSON pointer into its unescaped steps; "" has none. */
export function pointerSteps(pointer: string): string[] {
  return pointer
    .split("/")
    .slice(1)
    .map((step) => step.replaceAll("~1", "/").replaceAll("~0", "~"));
}

/** Returns the value at a JSON pointer; undefined where there is none. */
export function valueAt(value: JsonValue | undefined, pointer: string): JsonValue | undefined {
  return pointerSteps(pointer).reduce(childAt, value);
}

/** Gets the property or item that an unescaped step of a JSON pointer leads to; undefined where there is none. */
export function childAt(value: JsonValue | undefined, step: string): JsonValue | undefined {
  if (Array.isArray(value)) return /^(0|[1-9]\d*)$/.test(step) ? value[Number(step)] : undefined;
  return isJsonObject(value) ? ownValue(value, step) : undefined;
}

interface OpenContainer {
  readonly isObject: boolean;
  /** The property or item that is being read; undefined before a property's name. */
  step: string | number | undefined;
}

/** Deeper values would make pointers too long to read. */
const maxDepth = 100;

/**
 * Returns the JSON pointers of the values at offsets of a text, smallest first; at a property's name, that of
 * its object. The text need not be whole JSON. Empty for the whole value, below 100 levels, and beyond the
 * end.
 */
export function pointersAt(text: string, offsets: readonly number[]): string[] {
  const found: string[] = [];
  const open: OpenContainer[] = [];
  for (let at = 0; found.length < offsets.length; ) {
    const { kind, start, end } = nextToken(text, at);
    at = end;
    while (kind !== "end" && (offsets[found.length] ?? end) < end) found.push(here(open));
    if (kind === "end") break;
    const inside = open[open.length - 1];
    if (kind === "{" || kind === "[") {
      open.push(kind === "{" ? { isObject: true, step: undefined } : { isObject: false, step: 0 });
    } else if (kind === "}" || kind === "]") open.pop();
    else if (inside === undefined || kind === ":" || kind === "comment") continue;
    else if (kind === ",") inside.step = inside.isObject ? undefined : Number(inside.step) + 1;
    else inside.step ??= nameOf(text.slice(start, end));
  }
  return offsets.map((_, index) => found[index] ?? "");
}

function here(open: readonly OpenContainer[]): string {
  if (open.length > maxDepth) return "";
  return pointerOf(open.map(({ step }) => step).filter((step) => step !== undefined));
}

function nameOf(token: string): string {
  try {
    return String(JSON.parse(token));
  } catch {
    return token;
  }
}
