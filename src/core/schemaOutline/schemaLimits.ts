import type { JsonObject, JsonValue } from "../text/json";
import type { Language } from "../text/language";
import { type Wording, wording } from "../text/wording";

/** Puts the limits a schema sets on a value itself into short phrases, such as "at most 100 characters". */
export function schemaLimits(schema: JsonObject, language: Language): string[] {
  const { translate } = language;
  const phrases: string[] = [];
  const say = (text: string, value: JsonValue | undefined) => {
    if (value === undefined || value === null || typeof value === "object") return;
    phrases.push(translate(text, { value: numberText(value, language) }));
  };
  say("format {value}", schema["format"]);
  sayCount(say, schema["minLength"], schema["maxLength"], lengthTexts);
  say("matches /{value}/", schema["pattern"]);
  sayRange(say, schema);
  say("a multiple of {value}", schema["multipleOf"]);
  sayCount(say, schema["minItems"], schema["maxItems"], itemTexts);
  if (schema["uniqueItems"] === true) phrases.push(translate("no item twice"));
  sayCount(say, schema["minProperties"], schema["maxProperties"], propertyTexts);
  if (schema["additionalProperties"] === false || schema["unevaluatedProperties"] === false) {
    phrases.push(translate("no other properties"));
  }
  if (schema["items"] === false) phrases.push(translate("no further items"));
  say("encoded as {value}", schema["contentEncoding"]);
  say("holds {value}", schema["contentMediaType"]);
  say("exactly one of {value} options", lengthOf(schema["oneOf"]));
  say("one or more of {value} choices", lengthOf(schema["anyOf"]));
  if (schema["readOnly"] === true) phrases.push(translate("set by the skill"));
  if (schema["writeOnly"] === true) phrases.push(translate("never returned"));
  return phrases;
}

function numberText(value: string | number | boolean, { locale }: Language): string {
  // Grouped digits are easier to read; beyond the safe range they would claim a precision that is not there.
  return Number.isSafeInteger(value)
    ? new Intl.NumberFormat(locale).format(Number(value))
    : String(value);
}

function lengthOf(value: JsonValue | undefined): number | undefined {
  return Array.isArray(value) && value.length > 0 ? value.length : undefined;
}

type Say = (text: string, value: JsonValue | undefined) => void;

/** The four ways to say a count. `exactly` and the others take `{value}`. */
interface CountTexts {
  readonly exactly: Wording;
  readonly atLeast: Wording;
  readonly atMost: Wording;
  /** What "at least 1" reads better as. */
  readonly notEmpty: Wording;
}

const lengthTexts: CountTexts = {
  exactly: wording("exactly {value} characters"),
  atLeast: wording("at least {value} characters"),
  atMost: wording("at most {value} characters"),
  notEmpty: wording("not empty"),
};

const itemTexts: CountTexts = {
  exactly: wording("exactly {value} items"),
  atLeast: wording("at least {value} items"),
  atMost: wording("at most {value} items"),
  notEmpty: wording("at least one item"),
};

const propertyTexts: CountTexts = {
  exactly: wording("exactly {value} properties"),
  atLeast: wording("at least {value} properties"),
  atMost: wording("at most {value} properties"),
  notEmpty: wording("at least one property"),
};

function sayCount(
  say: Say,
  least: JsonValue | undefined,
  most: JsonValue | undefined,
  texts: CountTexts,
): void {
  if (least !== undefined && least === most) {
    say(texts.exactly.text, least);
    return;
  }
  if (least === 1) say(texts.notEmpty.text, least);
  else if (least !== 0) say(texts.atLeast.text, least);
  say(texts.atMost.text, most);
}

function sayRange(say: Say, schema: JsonObject): void {
  const { minimum, maximum, exclusiveMinimum, exclusiveMaximum } = schema;
  // In draft 4 the exclusive keywords are flags beside the numbers.
  if (exclusiveMinimum === true) say("more than {value}", minimum);
  else say("{value} or more", minimum);
  if (exclusiveMaximum === true) say("less than {value}", maximum);
  else say("{value} or less", maximum);
  if (typeof exclusiveMinimum === "number") say("more than {value}", exclusiveMinimum);
  if (typeof exclusiveMaximum === "number") say("less than {value}", exclusiveMaximum);
}
