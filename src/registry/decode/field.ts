import { isJsonObject, type JsonObject, type JsonValue } from "../../core/text/json";
import { readTime } from "./readTime";
import { shorten } from "./shorten";

/**
 * Reads a member by its camelCase name or the same in snake_case; the first of `names` that is there
 * counts. null counts as missing.
 */
export function member(source: JsonObject, ...names: readonly string[]): JsonValue | undefined {
  for (const name of names) {
    const value = source[name] ?? (hasCapital(name) ? source[snakeCase(name)] : undefined);
    if (value !== undefined && value !== null) return value;
  }
  return undefined;
}

/** Reads text, or a number as text, shortened to `maxLength`. Undefined for anything else and for "". */
export function textOf(value: JsonValue | undefined, maxLength = 200): string | undefined {
  if (typeof value === "number") return String(value);
  if (typeof value !== "string" || value === "") return undefined;
  return shorten(value, maxLength);
}

/** Words that mean the same in any case; every other word is the registry's own and stays as it is. */
const knownWords = new Set([
  ...["draft", "submitted", "verified", "deprecated", "rejected", "suspended"],
  ...["low", "medium", "high"],
  ...["free", "per_call", "subscription"],
  ...["http", "mcp", "local"],
]);

/** Reads a word of an open set, such as a status. */
export function wordOf(value: JsonValue | undefined): string | undefined {
  const text = textOf(value, 60);
  const lower = text?.toLowerCase() ?? "";
  return knownWords.has(lower) ? lower : text;
}

/** Reads a finite number, also one written as text. */
export function numberOf(value: JsonValue | undefined): number | undefined {
  if (typeof value === "string" && /^\s*[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?\s*$/i.test(value)) {
    return numberOf(Number(value));
  }
  return typeof value === "number" && Number.isFinite(value) ? value : undefined;
}

/** Reads true or false, also written as text or as 1 and 0. */
export function booleanOf(value: JsonValue | undefined): boolean | undefined {
  if (typeof value === "boolean") return value;
  if (value === "true" || value === 1) return true;
  return value === "false" || value === 0 ? false : undefined;
}

/** Reads a time in milliseconds since 1970. */
export function timeOf(value: JsonValue | undefined): number | undefined {
  return typeof value === "string" || typeof value === "number" ? readTime(value) : undefined;
}

/** Reads an object; undefined for anything else. */
export function objectOf(value: JsonValue | undefined): JsonObject | undefined {
  return isJsonObject(value) ? value : undefined;
}

/** Reads the first `maxItems` of a list, leaving out what `read` cannot read. Empty for no list. */
export function listOf<Item>(
  value: JsonValue | undefined,
  read: (item: JsonValue) => Item | undefined,
  maxItems = 100,
): readonly Item[] {
  if (!Array.isArray(value)) return [];
  return value.slice(0, maxItems).flatMap((item) => {
    const readItem = read(item);
    return readItem === undefined ? [] : [readItem];
  });
}

/** Makes an object of the one field, or of none where there is no value. */
export function given<Name extends string, Value>(
  name: Name,
  value: Value | undefined,
): { readonly [key in Name]?: Value } {
  return (value === undefined ? {} : { [name]: value }) as { readonly [key in Name]?: Value };
}

function hasCapital(name: string): boolean {
  return /[A-Z]/.test(name);
}

function snakeCase(name: string): string {
  return name.replace(/[A-Z]/g, "_$&").toLowerCase();
}
