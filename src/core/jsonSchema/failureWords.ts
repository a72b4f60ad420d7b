import { allowedBy } from "./chooseBranch";
import { canonicalText } from "./jsonEqual";
import type { JsonType } from "./jsonValue";
import type { SchemaFailure } from "./schemaFailure";

const typeWords: Record<JsonType, string> = {
  null: "null",
  boolean: "true or false",
  object: "an object",
  array: "an array",
  number: "a number",
  integer: "a whole number",
  string: "a string",
};

const formatWords: ReadonlyMap<string, string> = new Map([
  ["date", "a date (2026-11-20)"],
  ["time", "a time with its zone (09:00:00Z)"],
  ["date-time", "a date and time with its zone (2026-11-20T09:00:00Z)"],
  ["duration", "a duration (P1DT12H)"],
  ["email", "an e-mail address"],
  ["idn-email", "an e-mail address"],
  ["hostname", "a host name"],
  ["ipv4", "an IPv4 address"],
  ["ipv6", "an IPv6 address"],
  ["uri", "a full URI (https://example.com/)"],
  ["uri-reference", "a URI"],
  ["uuid", "a UUID"],
  ["json-pointer", "a JSON pointer (/a/0)"],
  ["regex", "a regular expression"],
]);

/** Names a kind of value with its article: `a string`. */
export function typeInWords(type: JsonType): string {
  return typeWords[type];
}

/** Names a `format` with its article and an example where that helps. */
export function formatInWords(format: string): string {
  return formatWords.get(format) ?? `the format ${quoted(format)}`;
}

/** The kinds that a failed `type` allows, those told together included, each once. */
export function typesAllowed({ rules, because }: SchemaFailure): JsonType[] {
  if (because === undefined) return rules.types ?? [];
  const types = because.filter(({ keyword }) => keyword === "types").flatMap(typesAllowed);
  return [...new Set(types)];
}

/** The values that a failed `const` or `enum` allows as JSON text, each once. */
export function valuesAllowed(failure: SchemaFailure): string[] {
  return [...new Set(allowedBy(failure).map(canonicalText))];
}

/** Joins alternatives: `a, b or c`. Names at most ten and says how many more there are. */
export function alternatives(words: readonly string[]): string {
  const shown = words.slice(0, 10);
  if (words.length > shown.length)
    return `${shown.join(", ")} or ${words.length - shown.length} more`;
  const last = shown.pop() ?? "";
  return shown.length === 0 ? last : `${shown.join(", ")} or ${last}`;
}

/** Puts a name in quotes, shortened where it is long. */
export function quoted(name: string): string {
  return `"${shortened(name, 60)}"`;
}

/** Cuts a text at a length and marks the cut. */
export function shortened(text: string, length: number): string {
  return text.length > length ? `${text.slice(0, length - 1)}…` : text;
}

/** `1 item`, `2 items`. */
export function counted(count: number | undefined, one: string, many = `${one}s`): string {
  return `${count ?? 0} ${count === 1 ? one : many}`;
}
