import {
  alternatives,
  counted,
  formatInWords,
  quoted,
  shortened,
  typeInWords,
  typesAllowed,
  valuesAllowed,
} from "./failureWords";
import { jsonTypeOf } from "./jsonValue";
import type { SchemaFailure } from "./schemaFailure";
import type { SchemaRules } from "./schemaRules";
import { similarName } from "./similarName";

/** Says a failure in one or two plain sentences, with the schema author's own words after the rule. */
export function describeFailure(failure: SchemaFailure): string {
  const rule = describeRule(failure);
  const words = authorsWords(failure);
  return words === undefined ? rule : `${rule} ${words}`;
}

function describeRule(failure: SchemaFailure): string {
  const { keyword, rules, value, name = "", count = 0 } = failure;
  switch (keyword) {
    case "types":
      return `Must be ${alternatives(typesAllowed(failure).map(typeInWords))}, not ${typeOfInWords(value)}.`;
    case "const":
    case "enum":
      return `Must be ${allowedInWords(failure)}.`;
    case "minimum":
      return `Must be ${rules.minimum} or more.`;
    case "maximum":
      return `Must be ${rules.maximum} or less.`;
    case "exclusiveMinimum":
      return `Must be more than ${rules.exclusiveMinimum}.`;
    case "exclusiveMaximum":
      return `Must be less than ${rules.exclusiveMaximum}.`;
    case "multipleOf":
      return rules.multipleOf === 1
        ? "Must be a whole number."
        : `Must be a multiple of ${rules.multipleOf}.`;
    case "minLength":
      return rules.minLength === 1
        ? "Must not be empty."
        : `Must have at least ${counted(rules.minLength, "character")}.`;
    case "maxLength":
      return `Must have at most ${counted(rules.maxLength, "character")}.`;
    case "pattern":
      return `Must match the pattern ${shortened(rules.pattern ?? "", 100)}`;
    case "format":
      return `Does not look like ${formatInWords(rules.format ?? "")}.`;
    case "minItems":
      return rules.minItems === 1
        ? "Must not be empty."
        : `Must have at least ${counted(rules.minItems, "item")}.`;
    case "maxItems":
      return `Must have at most ${counted(rules.maxItems, "item")}.`;
    case "uniqueItems": {
      const [first = 0, second = 0] = failure.indexes ?? [];
      return `All items must be different; items ${first + 1} and ${second + 1} are the same.`;
    }
    case "contains":
      return "At least one item must be of the kind the schema asks for.";
    case "minContains":
      return `At least ${counted(rules.minContains, "item")} must be of the kind the schema asks for, not ${count}.`;
    case "maxContains":
      return `At most ${counted(rules.maxContains, "item")} may be of the kind the schema asks for, not ${count}.`;
    case "minProperties":
      return `Must have at least ${counted(rules.minProperties, "property", "properties")}.`;
    case "maxProperties":
      return `Must have at most ${counted(rules.maxProperties, "property", "properties")}.`;
    case "required":
      return describeMissing(failure);
    case "dependentRequired":
      return `${quoted(name)} is missing; what else is given here asks for it.`;
    case "additionalProperties":
    case "unevaluatedProperties":
      return describeUnknown(failure);
    case "properties":
    case "patternProperties":
      return `${quoted(name)} is not allowed here.`;
    case "propertyNames":
      return describeName(failure);
    case "unevaluatedItems":
      return "This item is not expected here.";
    case "anyOf":
    case "oneOf":
      return describeForms(failure);
    case "not":
      return "Has a form that the schema rules out.";
    default:
      return "Nothing is allowed here.";
  }
}

function describeMissing({ name = "", because = [] }: SchemaFailure): string {
  const names = new Set(because.map((failure) => quoted(failure.name ?? "")));
  if (names.size < 2) return `${quoted(name)} is missing.`;
  return `One of these is missing: ${alternatives([...names])}.`;
}

function describeUnknown(failure: SchemaFailure): string {
  const { name = "" } = failure;
  const meant = similarName(name, knownNames(failure));
  const hint = meant === undefined ? "" : ` Did you mean ${quoted(meant)}?`;
  return `${quoted(name)} is not a known property.${hint}`;
}

/** The properties that an object may have where one of its keys is not known. */
export function knownNames({ rules, value }: SchemaFailure): string[] {
  const given = new Set(Object.keys(value as object));
  return [...(rules.properties?.keys() ?? [])].filter((name) => !given.has(name));
}

function describeName({ name = "", because = [] }: SchemaFailure): string {
  const [first] = because;
  const why = first === undefined ? "" : ` The name: ${describeRule(first)}`;
  return `${quoted(name)} is not allowed as a property name.${why}`;
}

function describeForms(failure: SchemaFailure): string {
  const { indexes, rules } = failure;
  if (indexes === undefined) {
    const forms = [...typesAllowed(failure).map(typeInWords), ...shownValues(failure)];
    return `Must be ${alternatives(forms) || "of another form"}.`;
  }
  const numbers = alternatives(indexes.map((index) => String(index + 1))).replace(" or ", " and ");
  return `Fits ${indexes.length} of the ${rules.oneOf?.length ?? 0} allowed forms (${numbers}), but must fit exactly one.`;
}

function allowedInWords(failure: SchemaFailure): string {
  return alternatives(shownValues(failure)) || "something else";
}

function shownValues(failure: SchemaFailure): string[] {
  return valuesAllowed(failure).map((value) => shortened(value, 60));
}

function typeOfInWords(value: unknown): string {
  const type = jsonTypeOf(value);
  // "Not a number" where a whole number is asked for says nothing; the value itself does.
  return type === "number" ? String(value) : type === "integer" ? "a number" : typeInWords(type);
}

/** The schema's `errorMessage` for the rule, else what it says the value is for. */
function authorsWords({ keyword, rules, at, name = "" }: SchemaFailure): string | undefined {
  const { errorMessage } = rules;
  const own =
    typeof errorMessage === "string" ? errorMessage : errorMessage?.get(keywordOf(keyword, rules));
  const about = at === "value" ? rules : rules.properties?.get(name);
  const words = own ?? about?.description;
  return words === undefined ? undefined : shortened(words.replaceAll(/\s+/g, " ").trim(), 200);
}

/** The keyword as the schema spells it. */
export function keywordOf(keyword: SchemaFailure["keyword"], rules: SchemaRules): string {
  if (keyword === "types") return "type";
  return rules.spelling[keyword] ?? keyword;
}
