import type { JsonObject, JsonValue } from "../../json/jsonValue";
import type { Language } from "../../text/language";
import { type LocalizableText, l10nText, localize } from "../../text/localizableText";

/** Puts the limits a schema sets on a value itself into short phrases, such as "at most 100 characters". */
export function schemaLimits(schema: JsonObject, language: Language): string[] {
  const { t } = language;
  const phrases: string[] = [];
  const add: AddPhrase = (text, value) => {
    if (value === undefined || value === null || typeof value === "object") return;
    const filled = { ...text, values: { value: valueText(value, language) } };
    phrases.push(localize(filled, language));
  };
  add(l10nText("format {value}"), schema["format"]);
  addCount(add, schema["minLength"], schema["maxLength"], lengthTexts);
  add(l10nText("matches /{value}/"), schema["pattern"]);
  addRange(add, schema);
  add(l10nText("a multiple of {value}"), schema["multipleOf"]);
  addCount(add, schema["minItems"], schema["maxItems"], itemTexts);
  if (schema["uniqueItems"] === true) phrases.push(t("unique items"));
  addCount(add, schema["minProperties"], schema["maxProperties"], propertyTexts);
  if (schema["additionalProperties"] === false || schema["unevaluatedProperties"] === false) {
    phrases.push(t("no other properties"));
  }
  if (schema["items"] === false) phrases.push(t("no further items"));
  add(l10nText("encoding {value}"), schema["contentEncoding"]);
  add(l10nText("content type {value}"), schema["contentMediaType"]);
  add(l10nText("exactly one of {value} options"), lengthOf(schema["oneOf"]));
  add(l10nText("one or more of {value} choices"), lengthOf(schema["anyOf"]));
  if (schema["readOnly"] === true) phrases.push(t("set by the skill"));
  if (schema["writeOnly"] === true) phrases.push(t("never returned"));
  return phrases;
}

const maxText = 400;

function valueText(value: string | number | boolean, { locale }: Language): string {
  if (typeof value === "string") return value.slice(0, maxText);
  // Grouped digits are easier to read; beyond the safe range they would claim a precision that is not there.
  return Number.isSafeInteger(value) ? Number(value).toLocaleString(locale) : String(value);
}

function lengthOf(value: JsonValue | undefined): number | undefined {
  return Array.isArray(value) && value.length > 0 ? value.length : undefined;
}

type AddPhrase = (text: LocalizableText, value: JsonValue | undefined) => void;

/** The four phrases for a count. `exactly` and the others take `{value}`. */
interface CountTexts {
  readonly exactly: LocalizableText;
  readonly atLeast: LocalizableText;
  readonly atMost: LocalizableText;
  /** What "at least 1" reads better as. */
  readonly notEmpty: LocalizableText;
}

const lengthTexts: CountTexts = {
  exactly: l10nText("exactly {value} characters"),
  atLeast: l10nText("at least {value} characters"),
  atMost: l10nText("at most {value} characters"),
  notEmpty: l10nText("not empty"),
};

const itemTexts: CountTexts = {
  exactly: l10nText("exactly {value} items"),
  atLeast: l10nText("at least {value} items"),
  atMost: l10nText("at most {value} items"),
  notEmpty: l10nText("at least one item"),
};

const propertyTexts: CountTexts = {
  exactly: l10nText("exactly {value} properties"),
  atLeast: l10nText("at least {value} properties"),
  atMost: l10nText("at most {value} properties"),
  notEmpty: l10nText("at least one property"),
};

function addCount(
  add: AddPhrase,
  least: JsonValue | undefined,
  most: JsonValue | undefined,
  texts: CountTexts,
): void {
  if (least !== undefined && least === most) {
    add(texts.exactly, least);
    return;
  }
  if (least === 1) add(texts.notEmpty, least);
  else if (least !== 0) add(texts.atLeast, least);
  add(texts.atMost, most);
}

function addRange(add: AddPhrase, schema: JsonObject): void {
  const { minimum, maximum, exclusiveMinimum, exclusiveMaximum } = schema;
  // In draft 4 the exclusive keywords are flags beside the numbers.
  if (exclusiveMinimum === true) add(l10nText("more than {value}"), minimum);
  else add(l10nText("{value} or more"), minimum);
  if (exclusiveMaximum === true) add(l10nText("less than {value}"), maximum);
  else add(l10nText("{value} or less"), maximum);
  if (typeof exclusiveMinimum === "number") add(l10nText("more than {value}"), exclusiveMinimum);
  if (typeof exclusiveMaximum === "number") add(l10nText("less than {value}"), exclusiveMaximum);
}
