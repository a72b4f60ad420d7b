import { canonicalText } from "../../json/canonicalJson";
import type { JsonType } from "../../json/jsonValue";
import type { Language } from "../../text/language";
import { type LocalizableText, l10nText, localize } from "../../text/localizableText";
import { allowedBy } from "./chooseBranch";
import type { SchemaFailure } from "./schemaFailure";

const typeText: Record<JsonType, LocalizableText> = {
  null: l10nText("null"),
  boolean: l10nText("true or false"),
  object: l10nText("an object"),
  array: l10nText("an array"),
  number: l10nText("a number"),
  integer: l10nText("a whole number"),
  string: l10nText("a string"),
};

const formatNames: ReadonlyMap<string, LocalizableText> = new Map([
  ["date", l10nText("a date (2026-11-20)")],
  ["time", l10nText("a time with its zone (09:00:00Z)")],
  ["date-time", l10nText("a date and time with its zone (2026-11-20T09:00:00Z)")],
  ["duration", l10nText("a duration (P1DT12H)")],
  ["email", l10nText("an email address")],
  ["idn-email", l10nText("an email address")],
  ["hostname", l10nText("a host name")],
  ["ipv4", l10nText("an IPv4 address")],
  ["ipv6", l10nText("an IPv6 address")],
  ["uri", l10nText("a full URI (https://example.com/)")],
  ["uri-reference", l10nText("a URI")],
  ["uuid", l10nText("a UUID")],
  ["json-pointer", l10nText("a JSON pointer (/a/0)")],
  ["regex", l10nText("a regular expression")],
]);

/** Names a kind of value with its article: `a string`. */
export function typeName(type: JsonType, language: Language): string {
  return localize(typeText[type], language);
}

/** Names a `format` with its article and an example where that helps. */
export function formatName(format: string, language: Language): string {
  const known = formatNames.get(format);
  return known === undefined
    ? language.t("the format {name}", { name: quoted(format) })
    : localize(known, language);
}

/** The kinds that a failed `type` allows, those reported together included, each once. */
export function typesAllowed({ rules, because }: SchemaFailure): JsonType[] {
  if (because === undefined) return rules.types ?? [];
  const types = because.filter(({ keyword }) => keyword === "types").flatMap(typesAllowed);
  return [...new Set(types)];
}

/** The values that a failed `const` or `enum` allows as JSON text, each once. */
export function valuesAllowed(failure: SchemaFailure): string[] {
  return [...new Set(allowedBy(failure).map(canonicalText))];
}

/** Joins alternatives: `a, b or c`. Names at most ten and counts the others. */
export function alternatives(words: readonly string[], { t }: Language): string {
  const shown = words.slice(0, 10);
  if (words.length > shown.length) {
    const count = words.length - shown.length;
    return t("{values} or {count} more", { values: shown.join(", "), count });
  }
  const last = shown.pop() ?? "";
  return shown.length === 0 ? last : t("{values} or {last}", { values: shown.join(", "), last });
}

/** Puts a name in quotes, shortened where it is long. */
export function quoted(name: string): string {
  return `"${shortened(name, 60)}"`;
}

/** Cuts a text at a length and marks the cut. */
export function shortened(text: string, length: number): string {
  return text.length > length ? `${text.slice(0, length - 1)}…` : text;
}
