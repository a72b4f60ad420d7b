import { isJsonObject, type JsonObject, type JsonValue } from "../../core/json/jsonValue";
import { permissionLevels } from "../../core/skill/permissions";
import { isSlug, isVersion } from "../../core/skill/skillAddress";
import { shortened } from "../../core/text/plainText";

/** Reads the first existing member of `names`, each in camelCase or snake_case. null counts as missing. */
export function member(source: JsonObject, ...names: readonly string[]): JsonValue | undefined {
  for (const name of names) {
    const value = source[name] ?? source[snakeCase(name)];
    if (value !== undefined && value !== null) return value;
  }
  return undefined;
}

/** Reads text, or a number as text, shortened to `maxLength`. Undefined for anything else and for "". */
export function textOf(value: JsonValue | undefined, maxLength = 200): string | undefined {
  if (typeof value === "number") return String(value);
  if (typeof value !== "string" || value === "") return undefined;
  return shortened(value, maxLength);
}

/** Reads a version. Undefined for text with characters that a URL or a command line would interpret. */
export function versionOf(value: JsonValue | undefined): string | undefined {
  const text = textOf(value) ?? "";
  return isVersion(text) ? text : undefined;
}

/** Known words, which are compared by their letters. Any other word is the registry's own and stays as it is. */
const knownWords = new Set<string>([
  ...["draft", "submitted", "verified", "deprecated", "rejected", "suspended"],
  ...["queued", "in_review", "approved", "blocked", "pending", "owner_required"],
  ...[
    "new_version",
    "security",
    "incident",
    "open",
    "acknowledged",
    "scheduled",
    "ready",
    "passed",
  ],
  ...["installed", "removed", "active", "trialing", "past_due", "paused", "canceled"],
  ...permissionLevels,
  ...["free", "per_call", "subscription"],
  ...["http", "mcp", "local"],
]);

/** Reads a word of an open set, such as a status. A known one gets its spelling: `Past-Due` is `past_due`. */
export function wordOf(value: JsonValue | undefined): string | undefined {
  const word = plainWordOf(value);
  return knownWords.has(word) ? word : textOf(value, 60);
}

/** Reads a word in lower case, with underscores between its parts. Empty without one. */
export function plainWordOf(value: JsonValue | undefined): string {
  const text = textOf(value, 60) ?? "";
  return text
    .trim()
    .toLowerCase()
    .replace(/[\s-]+/g, "_");
}

/** Reads a finite number, also one written as text. */
export function numberOf(value: JsonValue | undefined): number | undefined {
  if (typeof value === "string" && /^\s*[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?\s*$/i.test(value)) {
    return numberOf(Number(value));
  }
  return typeof value === "number" && Number.isFinite(value) ? value : undefined;
}

/** Reads an amount of money. Undefined if it is missing or negative. */
export function amountOf(value: JsonValue | undefined): number | undefined {
  const amount = numberOf(value);
  return amount !== undefined && amount >= 0 ? amount : undefined;
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

/** Reads the first `maxItems` of a list, leaving out items that `read` cannot read. Empty for no list. */
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

/**
 * Returns the number of items that a placeholder of a public copy replaces, such as `[2 secret handles required]`; at
 * least one. Undefined for anything else.
 */
export function redactedCount(item: JsonValue): number | undefined {
  const digits = /^\[(\d{1,6})\b[^\]]*\]$/.exec(textOf(item) ?? "")?.[1];
  return digits === undefined ? undefined : Math.max(1, Number(digits));
}

/** Counts the items of a list, including unreadable ones. A placeholder counts as the items that it replaces. */
export function countItems(list: readonly JsonValue[]): number {
  return list.reduce<number>((sum, item) => sum + (redactedCount(item) ?? 1), 0);
}

/** Converts a name of ASCII letters to snake_case. A regular expression is slower, and this runs for each member. */
function snakeCase(name: string): string {
  let snake = "";
  let from = 0;
  for (let at = 0; at < name.length; at += 1) {
    const isCapital = name.charCodeAt(at) >= 0x41 && name.charCodeAt(at) <= 0x5a;
    if (!isCapital) continue;
    snake += `${name.slice(from, at)}_${name.charAt(at).toLowerCase()}`;
    from = at + 1;
  }
  return snake + name.slice(from);
}

/** Reads a skill's slug. Undefined for anything that is not a valid slug. */
export function readSlug(value: JsonValue | undefined): string | undefined {
  return typeof value === "string" && isSlug(value) ? value : undefined;
}

/**
 * Reads a time: ISO text, Postgres text such as `2026-11-20 09:00:07.924444+00`, or a number of
 * seconds or milliseconds since 1970. Text without a zone means UTC. Undefined for anything else.
 */
export function readTime(value: string | number): number | undefined {
  if (typeof value === "number") return readNumber(value);
  const parts =
    /^(\d{4}-\d{2}-\d{2})(?:[T ](\d{2}:\d{2}(?::\d{2})?)(?:\.(\d{1,9}))?\s*(Z|[+-]\d{2}(?::?\d{2})?)?)?$/i.exec(
      value.trim(),
    );
  if (parts === null) return undefined;
  const [, date, time = "00:00", fraction = "0", zone = "Z"] = parts;
  const iso = `${date}T${time.length === 5 ? `${time}:00` : time}.${fraction.slice(0, 3).padEnd(3, "0")}${isoZone(zone)}`;
  const milliseconds = Date.parse(iso);
  return Number.isNaN(milliseconds) ? undefined : milliseconds;
}

/** Reads seconds or milliseconds since 1970. Seconds reach 1e11 only in the year 5138. */
function readNumber(value: number): number | undefined {
  if (!Number.isFinite(value) || value <= 0) return undefined;
  const milliseconds = value < 1e11 ? value * 1000 : value;
  return milliseconds <= 8.64e15 ? milliseconds : undefined;
}

/** Normalizes a zone: `+00`, `+0530` and `+05:30` → `+00:00`, `+05:30` and `+05:30`. */
function isoZone(zone: string): string {
  if (zone.toUpperCase() === "Z") return "Z";
  const digits = zone.slice(1).replace(":", "").padEnd(4, "0");
  return `${zone[0]}${digits.slice(0, 2)}:${digits.slice(2)}`;
}

/** Finds the object of a response, bare or in an envelope: `{data:{…}}` or `{<name>:{…}}`. */
export function unwrapObject(body: JsonValue, ...names: readonly string[]): JsonObject | undefined {
  const outer = objectOf(body);
  if (outer === undefined) return undefined;
  for (const name of ["data", ...names]) {
    const inner = objectOf(member(outer, name));
    if (inner !== undefined) return unwrapObject(inner, ...names) ?? inner;
  }
  return outer;
}

/** A list in a response, and the object that contains it, which may have more data, such as a total. */
interface WireList {
  readonly items: readonly JsonValue[];
  readonly holder: JsonObject;
}

/** Finds a list: a bare array, or under `name`, items, results or data, including inside `{data:{…}}`. */
export function unwrapList(body: JsonValue, name: string): WireList | undefined {
  if (Array.isArray(body)) return { items: body, holder: {} };
  const outer = objectOf(body);
  if (outer === undefined) return undefined;
  for (const key of [name, "items", "results", "data"]) {
    const found = member(outer, key);
    if (Array.isArray(found)) return { items: found, holder: outer };
  }
  const inner = objectOf(member(outer, "data"));
  return inner === undefined ? undefined : unwrapList(inner, name);
}
