import { numberFormat } from "../text/formats";
import { type Language, type LocalizableText, localize, orList } from "../text/language";
import { likelyTypes } from "./allowedValues";
import { allowsAll } from "./bounds";
import { type Keyword, keywordNames, type LimitShape, rowOf } from "./keywords";
import { isDescribed, layersOf, type SchemaRules } from "./schemaRules";

/** Lists the limits of a value itself as short phrases, such as "at most 100 characters". Each phrase occurs once. */
export function schemaLimits(layers: readonly SchemaRules[], language: Language): string[] {
  const phrases = layers.flatMap((rules) => limitPhrases(rules, language));
  const texts = phrases.map(({ shape, text }) =>
    shape === "match" ? language.t("matches {form}", { form: text }) : text,
  );
  return [...new Set(texts)];
}

/** Lists the limits that a schema states, with the shape that a sentence needs. A mere fact has none. */
export function limitPhrases(
  rules: SchemaRules,
  language: Language,
): readonly { readonly shape: LimitShape | undefined; readonly text: string }[] {
  const stated = new Set<Keyword>();
  return limiting.flatMap((keyword) => {
    const row = rowOf(keyword);
    const value = limitOf(keyword, rules);
    if (value === undefined || stated.has(keyword)) return [];
    const [other, ...exactly] = row.exactly ?? [];
    const isExact = other !== undefined && rules[other] === value;
    if (isExact) stated.add(other);
    else if (allowsAll(keyword, value)) return [];
    const [[shape, texts] = [undefined, [row.states]]] = Object.entries(row.limit ?? {}) as [
      LimitShape,
      readonly LocalizableText[],
    ][];
    const [text = { text: "" }, one = text] = isExact ? exactly : texts;
    const words = value === 1 ? one : text;
    const values = { value: valueText(value, language) };
    return { shape, text: localize({ ...words, values }, language) };
  });
}

const limiting = keywordNames.filter((keyword) => rowOf(keyword).limit ?? rowOf(keyword).states);

/** Returns the phrase for a keyword. Undefined if the keyword limits nothing. */
function limitOf(keyword: Keyword, rules: SchemaRules): string | number | undefined {
  const value = rules[keyword];
  if (typeof value === "string" || typeof value === "number") return value;
  if (Array.isArray(value)) return value.length;
  const isStated =
    value === true || (typeof value === "object" && value !== null && "never" in value);
  return isStated ? "" : undefined;
}

/** The maximum length of one limit, such as a pattern, in a hover. */
const maxText = 400;

function valueText(value: string | number, { locale }: Language): string {
  if (typeof value === "string") return value.slice(0, maxText);
  // Grouped digits are easier to read. Beyond the safe range, they would suggest a false precision.
  return Number.isSafeInteger(value) ? numberFormat(locale).format(value) : String(value);
}

/** Names the type of a value, and lists its limits. */
export function schemaFacts(layers: readonly SchemaRules[], language: Language): string[] {
  const type = schemaType(layers, language);
  return [...(type === "" ? [] : [type]), ...schemaLimits(layers, language)];
}

/** Names the type of a value: "string", "integer or null", "array of string". Empty where any type is allowed. */
export function schemaType(layers: readonly SchemaRules[], language: Language): string {
  const { t } = language;
  const names = typeNames(layers);
  const words = names.map((name) => {
    if (name !== "array") return name;
    const item = itemType(layers, language);
    return item === "" ? name : t("array of {type}", { type: item });
  });
  return orList(words, language);
}

// Without a declared or implied type, the branches give the type.
function typeNames(layers: readonly SchemaRules[]): readonly string[] {
  const own = likelyTypes(layers);
  if (own.length > 0) return own;
  const alternatives = layers
    .flatMap(({ oneOf, anyOf }) => [oneOf, anyOf])
    .find((list) => list !== undefined && list.length <= 20);
  if (alternatives === undefined) return [];
  const each = alternatives.map((rules) => likelyTypes(layersOf([rules])));
  return each.some((names) => names.length === 0) ? [] : [...new Set(each.flat())];
}

function itemType(layers: readonly SchemaRules[], language: Language): string {
  const items = layers
    .filter(({ prefixItems }) => prefixItems === undefined)
    .flatMap((layer) => layer.items ?? [])
    .find(isDescribed);
  if (items === undefined) return "";
  const names = likelyTypes(layersOf([items]));
  return orList(names, language);
}
