import type { Language } from "../../text/language";
import { spoken, type Wording, wording } from "../../text/wording";
import { canonicalText } from "../jsonEqual";
import type { JsonType } from "../jsonValue";
import { allowedBy } from "./chooseBranch";
import type { SchemaFailure } from "./schemaFailure";

const typeWords: Record<JsonType, Wording> = {
  null: wording("null"),
  boolean: wording("true or false"),
  object: wording("an object"),
  array: wording("an array"),
  number: wording("a number"),
  integer: wording("a whole number"),
  string: wording("a string"),
};

const formatWords: ReadonlyMap<string, Wording> = new Map([
  ["date", wording("a date (2026-11-20)")],
  ["time", wording("a time with its zone (09:00:00Z)")],
  ["date-time", wording("a date and time with its zone (2026-11-20T09:00:00Z)")],
  ["duration", wording("a duration (P1DT12H)")],
  ["email", wording("an e-mail address")],
  ["idn-email", wording("an e-mail address")],
  ["hostname", wording("a host name")],
  ["ipv4", wording("an IPv4 address")],
  ["ipv6", wording("an IPv6 address")],
  ["uri", wording("a full URI (https://example.com/)")],
  ["uri-reference", wording("a URI")],
  ["uuid", wording("a UUID")],
  ["json-pointer", wording("a JSON pointer (/a/0)")],
  ["regex", wording("a regular expression")],
]);

/** Names a kind of value with its article: `a string`. */
export function typeInWords(type: JsonType, language: Language): string {
  return spoken(typeWords[type], language);
}

/** Names a `format` with its article and an example where that helps. */
export function formatInWords(format: string, language: Language): string {
  const known = formatWords.get(format);
  return known === undefined
    ? language.translate("the format {name}", { name: quoted(format) })
    : spoken(known, language);
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
export function alternatives(words: readonly string[], { translate }: Language): string {
  const shown = words.slice(0, 10);
  if (words.length > shown.length) {
    const count = words.length - shown.length;
    return translate("{values} or {count} more", { values: shown.join(", "), count });
  }
  const last = shown.pop() ?? "";
  return shown.length === 0
    ? last
    : translate("{values} or {last}", { values: shown.join(", "), last });
}

/** Puts a name in quotes, shortened where it is long. */
export function quoted(name: string): string {
  return `"${shortened(name, 60)}"`;
}

/** Cuts a text at a length and marks the cut. */
export function shortened(text: string, length: number): string {
  return text.length > length ? `${text.slice(0, length - 1)}…` : text;
}
