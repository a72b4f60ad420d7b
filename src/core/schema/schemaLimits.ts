import { jsonTypeOf } from "../json/jsonValue";
import { type Language, type LocalizableText, l10nText, localize, orList } from "../text/language";
import { isDescribed, type SchemaRules, schemaLayers } from "./schemaRules";

/** Lists a schema's limits for a value itself as short phrases, such as "at most 100 characters". */
export function schemaLimits(rules: SchemaRules, language: Language): string[] {
  const { t } = language;
  const phrases: string[] = [];
  const add: AddPhrase = (text, value) => {
    if (value === undefined) return;
    phrases.push(localize({ ...text, values: { value: valueText(value, language) } }, language));
  };
  add(l10nText("format {value}"), rules.format);
  addCount(add, rules.minLength, rules.maxLength, lengthTexts);
  add(l10nText("matches /{value}/"), rules.pattern);
  add(l10nText("{value} or more"), rules.minimum);
  add(l10nText("more than {value}"), rules.exclusiveMinimum);
  add(l10nText("{value} or less"), rules.maximum);
  add(l10nText("less than {value}"), rules.exclusiveMaximum);
  add(l10nText("a multiple of {value}"), rules.multipleOf);
  addCount(add, rules.minItems, rules.maxItems, itemTexts);
  if (rules.uniqueItems === true) phrases.push(t("unique items"));
  addCount(add, rules.minProperties, rules.maxProperties, propertyTexts);
  if (rules.additionalProperties?.never || rules.unevaluatedProperties?.never) {
    phrases.push(t("no other properties"));
  }
  if (rules.items?.never) phrases.push(t("no further items"));
  add(l10nText("encoding {value}"), rules.contentEncoding);
  add(l10nText("content type {value}"), rules.contentMediaType);
  add(l10nText("exactly one of {value} options"), countOf(rules, "oneOf"));
  add(l10nText("one or more of {value} choices"), countOf(rules, "anyOf"));
  if (rules.readOnly) phrases.push(t("set by the skill"));
  if (rules.writeOnly) phrases.push(t("never returned"));
  return phrases;
}

/** Counts the branches of a schema, those that were not read included; undefined where it has none. */
export function countOf(rules: SchemaRules, keyword: "oneOf" | "anyOf"): number | undefined {
  const branches = rules[keyword];
  return branches && branches.length + (rules.omitted?.get(keyword) ?? 0);
}

const maxText = 400;

function valueText(value: string | number, { locale }: Language): string {
  if (typeof value === "string") return value.slice(0, maxText);
  // Grouped digits are easier to read; beyond the safe range they would suggest a precision that is not
  // there.
  return Number.isSafeInteger(value) ? value.toLocaleString(locale) : String(value);
}

type AddPhrase = (text: LocalizableText, value: string | number | undefined) => void;

/** The phrases for a count. `exactly` and the others use `{value}`, which is not 1. */
interface CountTexts {
  readonly exactly: LocalizableText;
  readonly exactlyOne: LocalizableText;
  readonly atLeast: LocalizableText;
  readonly atMost: LocalizableText;
  readonly atMostOne: LocalizableText;
  /** Replaces "at least 1". */
  readonly notEmpty: LocalizableText;
}

const lengthTexts: CountTexts = {
  exactly: l10nText("exactly {value} characters"),
  exactlyOne: l10nText("exactly one character"),
  atLeast: l10nText("at least {value} characters"),
  atMost: l10nText("at most {value} characters"),
  atMostOne: l10nText("at most one character"),
  notEmpty: l10nText("not empty"),
};

const itemTexts: CountTexts = {
  exactly: l10nText("exactly {value} items"),
  exactlyOne: l10nText("exactly one item"),
  atLeast: l10nText("at least {value} items"),
  atMost: l10nText("at most {value} items"),
  atMostOne: l10nText("at most one item"),
  notEmpty: l10nText("at least one item"),
};

const propertyTexts: CountTexts = {
  exactly: l10nText("exactly {value} properties"),
  exactlyOne: l10nText("exactly one property"),
  atLeast: l10nText("at least {value} properties"),
  atMost: l10nText("at most {value} properties"),
  atMostOne: l10nText("at most one property"),
  notEmpty: l10nText("at least one property"),
};

function addCount(
  add: AddPhrase,
  least: number | undefined,
  most: number | undefined,
  texts: CountTexts,
): void {
  if (least !== undefined && least === most) {
    add(least === 1 ? texts.exactlyOne : texts.exactly, least);
    return;
  }
  if (least === 1) add(texts.notEmpty, least);
  else if (least !== 0) add(texts.atLeast, least);
  add(most === 1 ? texts.atMostOne : texts.atMost, most);
}

type Read = (rules: SchemaRules) => SchemaRules;

/** Names the type of a value: "string", "integer or null", "array of string"; empty where any is allowed. */
export function schemaType(
  layers: readonly SchemaRules[],
  language: Language,
  read?: Read,
): string {
  const { t } = language;
  const names = typeNames(layers, read);
  const words = names.map((name) => {
    if (name !== "array") return name;
    const item = itemType(layers, language, read);
    return item === "" ? name : t("array of {type}", { type: item });
  });
  return orList(words, language);
}

// Where no type is declared or implied, the value has the type of one of the alternatives.
function typeNames(layers: readonly SchemaRules[], read?: Read): readonly string[] {
  const own = ownTypes(layers);
  if (own.length > 0) return own;
  const alternatives = layers
    .flatMap(({ oneOf, anyOf }) => [oneOf, anyOf])
    .find((list) => list !== undefined && list.length <= 20);
  if (alternatives === undefined) return [];
  const each = alternatives.map((rules) => ownTypes(schemaLayers([rules], read).layers));
  return each.some((names) => names.length === 0) ? [] : [...new Set(each.flat())];
}

function ownTypes(layers: readonly SchemaRules[]): readonly string[] {
  return statedTypes(layers) ?? impliedTypes(layers);
}

// Several declared types all apply, so the one with the fewest alternatives is the most specific.
function statedTypes(layers: readonly SchemaRules[]): readonly string[] | undefined {
  const stated = layers.flatMap(({ types }) => (types === undefined ? [] : [types]));
  return stated.sort((one, other) => one.length - other.length)[0];
}

const maxValues = 200;

function impliedTypes(layers: readonly SchemaRules[]): readonly string[] {
  const isObject = layers.some(
    ({ properties, required, patternProperties }) =>
      (properties ?? required ?? patternProperties) !== undefined,
  );
  if (isObject) return ["object"];
  const isArray = layers.some(
    ({ prefixItems, contains, items }) =>
      prefixItems !== undefined ||
      [contains, items].some((rules) => rules !== undefined && isDescribed(rules)),
  );
  if (isArray) return ["array"];
  const values = layers.flatMap((rules) =>
    rules.hasConst ? [rules.const] : (rules.enum?.slice(0, maxValues) ?? []),
  );
  const types = values.map((value) => (typeof value === "number" ? "number" : jsonTypeOf(value)));
  return [...new Set(types)];
}

function itemType(layers: readonly SchemaRules[], language: Language, read?: Read): string {
  const items = layers
    .filter(({ prefixItems }) => prefixItems === undefined)
    .flatMap((layer) => layer.items ?? [])
    .find(isDescribed);
  if (items === undefined) return "";
  const names = ownTypes(schemaLayers([items], read).layers);
  return orList(names, language);
}
