import type { JsonType } from "../../json/jsonValue";
import { type Language, type LocalizableText, l10nText, localize } from "../../text/language";

const typeText: Record<JsonType, LocalizableText> = {
  null: l10nText("null"),
  boolean: l10nText("true or false"),
  object: l10nText("an object"),
  array: l10nText("an array"),
  number: l10nText("a number"),
  integer: l10nText("a whole number"),
  string: l10nText("a string"),
};

const otherTypeText: Record<JsonType, LocalizableText> = {
  null: l10nText("not null"),
  boolean: l10nText("not true or false"),
  object: l10nText("not an object"),
  array: l10nText("not an array"),
  number: l10nText("not a number"),
  integer: l10nText("not a number"),
  string: l10nText("not a string"),
};

/** Names the type of a value that should have another one: `not a string`. A language may join “not” and the article. */
export function otherTypeName(type: JsonType, language: Language): string {
  return localize(otherTypeText[type], language);
}

/** Names a type with its article: `a string`. */
export function typeName(type: JsonType, language: Language): string {
  return localize(typeText[type], language);
}
