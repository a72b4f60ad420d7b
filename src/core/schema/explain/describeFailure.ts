import { canonicalText, type JsonType, jsonTypeOf } from "../../json/jsonValue";
import { shownJson } from "../../json/printJson";
import {
  type Language,
  type LocalizableText,
  l10nText,
  localize,
  orList,
} from "../../text/language";
import { shortened } from "../../text/plainText";
import { allowedValues, statedTypes } from "../allowedValues";
import { type BoundKeyword, boundRow, isBound } from "../bounds";
import { absentProperties, type FailingKeyword, type SchemaFailure } from "../evaluate/evaluation";
import { formats } from "../evaluate/formats";
import { requiredNames } from "../objectNames";
import { schemaLimits } from "../schemaLimits";
import { layersOf, type SchemaRules } from "../schemaRules";
import { allowedBy } from "./chooseBranch";
import { similarName } from "./similarName";

/** Describes a failure in one or two plain sentences, followed by the schema author's own text. */
export function describeFailure(failure: SchemaFailure, language: Language): string {
  const rule = ruleText(failure, language);
  const words = authorsText(failure);
  return words === undefined ? rule : `${rule} ${words}`;
}

/** Returns the schema's `errorMessage` for the keyword, or else its description of the value. */
function authorsText({ keyword, rules, at, name = "" }: SchemaFailure): string | undefined {
  const { errorMessage } = rules;
  const own =
    typeof errorMessage === "string" ? errorMessage : errorMessage?.get(keywordOf(keyword, rules));
  const about = at === "value" ? rules : rules.properties?.get(name);
  const words = own ?? about?.description;
  return words === undefined ? undefined : shortened(words.replaceAll(/\s+/g, " ").trim(), 200);
}

/** Returns the keyword as the schema spells it. */
export function keywordOf(keyword: FailingKeyword, rules: SchemaRules): string {
  if (keyword === "types") return "type";
  return keyword === "never" ? "false" : (rules.spelling[keyword] ?? keyword);
}

/** Describes the violated keyword in one or two plain sentences. */
function ruleText(failure: SchemaFailure, language: Language): string {
  const { keyword, rules, count = 0 } = failure;
  if (!isBound(keyword)) return ruleTexts[keyword](failure, language);
  const limit = rules[keyword] ?? 0;
  const [text, one = text] = boundRow(keyword).fails;
  return language.t((limit === 1 ? one : text).text, { limit, count });
}

const isNotAllowed: RuleText = ({ name = "" }, { t }) =>
  t("{name} is not allowed here.", { name: quoted(name) });

const isNotAllowedAtAll: RuleText = (_, { t }) => t("Nothing is allowed here.");

const mustBeAllowed: RuleText = (failure, language) =>
  mustBe(shownValues(failure), language.t("something else"), language);

type RuleText = (failure: SchemaFailure, language: Language) => string;

/** The descriptions for all keywords except bounds. */
const ruleTexts: Readonly<Record<Exclude<FailingKeyword, BoundKeyword>, RuleText>> = {
  types: (failure, language) =>
    language.t("Must be {wanted}, not {given}.", {
      wanted: typeNames(failure, language),
      given: nameOfType(failure.value, language),
    }),
  const: mustBeAllowed,
  enum: mustBeAllowed,
  multipleOf: ({ rules: { multipleOf = 0 } }, { t }) =>
    multipleOf === 1
      ? t("Must be a whole number.")
      : t("Must be a multiple of {limit}.", { limit: multipleOf }),
  pattern: ({ rules: { pattern = "" } }, { t }) =>
    t("Must match the pattern {pattern}", { pattern: shortened(pattern, 100) }),
  format: ({ rules: { format = "" } }, language) =>
    language.t("Does not look like {format}.", { format: formatName(format, language) }),
  uniqueItems: equalItemsText,
  contains: ({ rules: { contains } }, language) => containsText(contains, language),
  unevaluatedItems: (_, { t }) => t("This item is not expected here."),
  required: missingText,
  dependentRequired: ({ name = "", given = "" }, { t }) =>
    t("{name} is required because {other} is present.", {
      name: quoted(name),
      other: quoted(given),
    }),
  additionalProperties: unknownText,
  unevaluatedProperties: unknownText,
  properties: isNotAllowed,
  patternProperties: isNotAllowed,
  propertyNames: nameText,
  anyOf: alternativesText,
  oneOf: alternativesText,
  not: ({ rules: { not } }, language) => notText(not, language),
  never: isNotAllowedAtAll,
  items: ({ rules: { prefixItems = [] } }, { t }) => {
    const { length: limit } = prefixItems;
    const [text, one = text] = boundRow("maxItems").fails;
    return t((limit === 1 ? one : text).text, { limit });
  },
  dependentSchemas: isNotAllowed,
  // biome-ignore lint/suspicious/noThenProperty: the keyword has this name.
  then: ({ rules }, language) => notText(rules.if, language),
  else: ({ rules }, language) => mustText(rules.if, language),
};

/** The requirement of a schema: to be something, or to have certain properties. */
type Form = { readonly be: string } | { readonly have: string } | undefined;

function formOf(rules: SchemaRules | undefined, language: Language): Form {
  const layers = rules === undefined ? [] : layersOf([rules]);
  const values = allowedValues(layers);
  if (values !== undefined) {
    const texts = values.map((value) => shownJson(value, 60));
    return { be: alternatives(texts, language) };
  }
  const types = (statedTypes(layers) ?? []).map((type) => typeName(type, language));
  const limits = schemaLimits(layers, language);
  const required = [...requiredNames(layers)];
  if (required.length > 0 && limits.length === 0) {
    return { have: required.slice(0, 10).map(quoted).join(", ") };
  }
  const parts = [alternatives(types, language), ...limits].filter((part) => part !== "");
  return parts.length === 0 ? undefined : { be: parts.slice(0, 5).join(", ") };
}

function notText(rules: SchemaRules | undefined, language: Language): string {
  const { t } = language;
  const form = formOf(rules, language);
  if (form === undefined) return t('Must not match the schema under "not".');
  return "be" in form
    ? t("Must not be {form}.", { form: form.be })
    : t("Must not have {names}.", { names: form.have });
}

function mustText(rules: SchemaRules | undefined, language: Language): string {
  const { t } = language;
  const form = formOf(rules, language);
  if (form === undefined) return t("Nothing is allowed here.");
  return "be" in form
    ? t("Must be {wanted}.", { wanted: form.be })
    : t("Must have {names}.", { names: form.have });
}

function containsText(rules: SchemaRules | undefined, language: Language): string {
  const { t } = language;
  const form = formOf(rules, language);
  if (form === undefined) return t('At least one item must match "contains".');
  return "be" in form
    ? t("At least one item must be {form}.", { form: form.be })
    : t("At least one item must have {names}.", { names: form.have });
}

function equalItemsText({ indexes = [] }: SchemaFailure, { t }: Language): string {
  const [first = 0, second = 0] = indexes;
  return t("All items must be different; items {first} and {second} are the same.", {
    first: first + 1,
    second: second + 1,
  });
}

function missingText({ name = "", because = [] }: SchemaFailure, language: Language): string {
  const { t } = language;
  const names = new Set(because.map((failure) => quoted(failure.name ?? "")));
  return names.size < 2
    ? t("{name} is missing.", { name: quoted(name) })
    : t("One of these is missing: {names}.", {
        names: alternatives([...names], language),
      });
}

function unknownText(failure: SchemaFailure, { t }: Language): string {
  const name = failure.name ?? "";
  const similar = similarName(name, absentProperties(failure));
  return similar === undefined
    ? t("{name} is not a known property.", { name: quoted(name) })
    : t("{name} is not a known property. Did you mean {other}?", {
        name: quoted(name),
        other: quoted(similar),
      });
}

function nameText({ name = "", because: [first] = [] }: SchemaFailure, language: Language): string {
  const { t } = language;
  const sentence = t("{name} is not allowed as a property name.", { name: quoted(name) });
  if (first === undefined) return sentence;
  return `${sentence} ${t("The name: {rule}", { rule: ruleText(first, language) })}`;
}

function alternativesText(failure: SchemaFailure, language: Language): string {
  const { t } = language;
  const { indexes, rules, because } = failure;
  if (because?.length === 0) return isNotAllowedAtAll(failure, language);
  if (indexes === undefined) {
    const types = typesAllowed(failure).map((type) => typeName(type, language));
    const forms = [...types, ...shownValues(failure)];
    return mustBe(forms, t("of a different type"), language);
  }
  const numbers = indexes.map((index) => index + 1);
  return t("Matches {count} of {all} alternatives ({numbers}); must match exactly one.", {
    count: indexes.length,
    all: rules.oneOf?.length ?? 0,
    numbers: numbers.join(", "),
  });
}

function mustBe(words: readonly string[], otherwise: string, language: Language): string {
  const wanted = alternatives(words, language) || otherwise;
  return language.t("Must be {wanted}.", { wanted });
}

function typeNames(failure: SchemaFailure, language: Language): string {
  const types = typesAllowed(failure).map((type) => typeName(type, language));
  return alternatives(types, language);
}

function shownValues(failure: SchemaFailure): string[] {
  return valuesAllowed(failure).map((value) => shortened(value, 60));
}

function nameOfType(value: unknown, language: Language): string {
  const type = jsonTypeOf(value);
  // "Not a number" does not help if an integer is required. Show the value itself.
  if (type === "number") return String(value);
  return typeName(type === "integer" ? "number" : type, language);
}

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
function typeName(type: JsonType, language: Language): string {
  return localize(typeText[type], language);
}

/** Names a `format` with its article, and with an example if that helps. */
function formatName(format: string, language: Language): string {
  const name = formats.get(format)?.name;
  return name === undefined
    ? language.t("the format {name}", { name: quoted(format) })
    : localize(name, language);
}

/** Lists the types that a failed `type` allows, each once, including those reported together. */
export function typesAllowed({ rules, because }: SchemaFailure): JsonType[] {
  if (because === undefined) return rules.types ?? [];
  const types = because.filter(({ keyword }) => keyword === "types").flatMap(typesAllowed);
  return [...new Set(types)];
}

/** Lists the values that a failed `const` or `enum` allows, each once, as JSON. */
export function valuesAllowed(failure: SchemaFailure): string[] {
  return [...new Set(allowedBy(failure).map(canonicalText))];
}

/** Joins alternatives: `a, b or c`. Names at most ten and counts the others. */
function alternatives(words: readonly string[], language: Language): string {
  if (words.length <= 10) return orList(words, language);
  const shown = words.slice(0, 10);
  const count = words.length - shown.length;
  return language.t("{values} or {count} more", { values: shown.join(", "), count });
}

/** Quotes a name. Truncates a long one. */
export function quoted(name: string): string {
  return `"${shortened(name, 60)}"`;
}
