import { canonicalText, type JsonType, jsonTypeOf } from "../../json/jsonValue";
import { type Language, localize } from "../../text/language";
import { shortened } from "../../text/plainText";
import { type BoundKeyword, boundRow, isBound } from "../bounds";
import { allowedBy } from "../evaluate/chooseBranch";
import { absentProperties, type FailingKeyword, type SchemaFailure } from "../evaluate/evaluation";
import { formats } from "../evaluate/formats";
import type { SchemaRules } from "../schemaRules";
import {
  alternatives,
  containsText,
  mustNotText,
  mustText,
  notAllowedWhereText,
} from "./requirement";
import { similarName } from "./similarName";
import { otherTypeName, typeName } from "./typeName";

/** Describes a failure in one or two plain sentences, followed by the schema author's own message. */
export function describeFailure(failure: SchemaFailure, language: Language): string {
  const rule = ruleText(failure, language);
  const words = authorsText(failure);
  return words === undefined ? rule : `${rule} ${words}`;
}

/**
 * Returns the schema's `errorMessage` for the keyword. Its description is left to hovers and help: repeated in each
 * message, it pushed other findings out of a list.
 */
function authorsText({ keyword, rules }: SchemaFailure): string | undefined {
  const { errorMessage } = rules;
  const words =
    typeof errorMessage === "string" ? errorMessage : errorMessage?.get(keywordOf(keyword, rules));
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

const isNotAllowedAtAll: RuleText = (_, { t }) => t("No value is allowed here.");

const mustBeAllowed: RuleText = (failure, language) => {
  const values = shownValues(failure);
  return values.length === 0 ? isNotAllowedAtAll(failure, language) : mustBe(values, language);
};

type RuleText = (failure: SchemaFailure, language: Language) => string;

/** The descriptions for all keywords except bounds. */
const ruleTexts: Readonly<Record<Exclude<FailingKeyword, BoundKeyword>, RuleText>> = {
  types: (failure, language) =>
    language.t("Must be {wanted}, {given}.", {
      wanted: typeNames(failure, language),
      given: notOfType(failure.value, language),
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
  not: ({ rules: { not } }, language) => mustNotText(not, "not", language),
  never: isNotAllowedAtAll,
  items: ({ rules: { prefixItems = [] } }, { t }) => {
    const { length: limit } = prefixItems;
    const [text, one = text] = boundRow("maxItems").fails;
    return t((limit === 1 ? one : text).text, { limit });
  },
  dependentSchemas: isNotAllowed,
  // biome-ignore lint/suspicious/noThenProperty: the keyword has this name.
  then: ({ rules }, language) => notAllowedWhereText(rules.if, language),
  else: ({ rules }, language) => mustText(rules.if, "if", language),
};

function equalItemsText({ indexes = [] }: SchemaFailure, { t }: Language): string {
  const [first = 0, second = 0] = indexes;
  return t("All items must be different; [{first}] and [{second}] are the same.", {
    first,
    second,
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
    return mustBe(forms.length > 0 ? forms : [t("of a different type")], language);
  }
  const numbers = indexes.map((index) => index + 1);
  return t("Matches {count} of {all} alternatives ({numbers}); must match exactly one.", {
    count: indexes.length,
    all: rules.oneOf?.length ?? 0,
    numbers: numbers.join(", "),
  });
}

function mustBe(words: readonly string[], language: Language): string {
  return language.t("Must be {wanted}.", { wanted: alternatives(words, language) });
}

function typeNames(failure: SchemaFailure, language: Language): string {
  const types = typesAllowed(failure).map((type) => typeName(type, language));
  return alternatives(types, language);
}

function shownValues(failure: SchemaFailure): string[] {
  return valuesAllowed(failure).map((value) => shortened(value, 60));
}

/** Says which type a value should not have: `not a string`. */
function notOfType(value: unknown, language: Language): string {
  const type = jsonTypeOf(value);
  // "Not a number" does not help if an integer is required. Show the value itself.
  if (type === "number") return language.t("not {value}", { value: String(value) });
  return otherTypeName(type, language);
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

/** Quotes a name. Truncates a long one. */
export function quoted(name: string): string {
  return `"${shortened(name, 60)}"`;
}
