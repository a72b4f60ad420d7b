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

/** Names a type with its article: `a string`. */
export function typeName(type: JsonType, language: Language): string {
  return localize(typeText[type], language);
}
