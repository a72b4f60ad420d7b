import { jsonTypeOf } from "../../json/jsonValue";
import type { Language } from "../../text/language";
import {
  alternatives,
  formatInWords,
  quoted,
  shortened,
  typeInWords,
  typesAllowed,
  valuesAllowed,
} from "./failureWords";
import { knownNames, type SchemaFailure } from "./schemaFailure";
import { similarName } from "./similarName";
import { sizeWords } from "./sizeWords";

/** Says which rule a value does not keep, in one or two plain sentences. */
export function ruleWords(failure: SchemaFailure, language: Language): string {
  const { t } = language;
  const { keyword, rules, value } = failure;
  const bound = (limit: number | undefined) => ({ limit: limit ?? 0 });
  const name = quoted(failure.name ?? "");
  switch (keyword) {
    case "types":
      return t("Must be {wanted}, not {given}.", {
        wanted: typesInWords(failure, language),
        given: typeOfInWords(value, language),
      });
    case "const":
    case "enum":
      return mustBe(shownValues(failure), t("something else"), language);
    case "minimum":
      return t("Must be {limit} or more.", bound(rules.minimum));
    case "maximum":
      return t("Must be {limit} or less.", bound(rules.maximum));
    case "exclusiveMinimum":
      return t("Must be more than {limit}.", bound(rules.exclusiveMinimum));
    case "exclusiveMaximum":
      return t("Must be less than {limit}.", bound(rules.exclusiveMaximum));
    case "multipleOf":
      return rules.multipleOf === 1
        ? t("Must be a whole number.")
        : t("Must be a multiple of {limit}.", bound(rules.multipleOf));
    case "pattern":
      return t("Must match the pattern {pattern}", {
        pattern: shortened(rules.pattern ?? "", 100),
      });
    case "format":
      return t("Does not look like {format}.", {
        format: formatInWords(rules.format ?? "", language),
      });
    case "uniqueItems":
      return equalItemsWords(failure, language);
    case "contains":
      return t('At least one item must match "contains".');
    case "required":
      return missingWords(failure, language);
    case "dependentRequired":
      return t("{name} is required because of other properties present.", { name });
    case "additionalProperties":
    case "unevaluatedProperties":
      return unknownWords(failure, language);
    case "properties":
    case "patternProperties":
      return t("{name} is not allowed here.", { name });
    case "propertyNames":
      return nameWords(failure, language);
    case "unevaluatedItems":
      return t("This item is not expected here.");
    case "anyOf":
    case "oneOf":
      return formWords(failure, language);
    case "not":
      return t('Must not match the schema under "not".');
    default:
      return sizeWords(failure, language) ?? t("Nothing is allowed here.");
  }
}

function equalItemsWords({ indexes = [] }: SchemaFailure, { t }: Language): string {
  const [first = 0, second = 0] = indexes;
  return t("All items must be different; items {first} and {second} are the same.", {
    first: first + 1,
    second: second + 1,
  });
}

function missingWords({ name = "", because = [] }: SchemaFailure, language: Language): string {
  const { t } = language;
  const names = new Set(because.map((failure) => quoted(failure.name ?? "")));
  return names.size < 2
    ? t("{name} is missing.", { name: quoted(name) })
    : t("One of these is missing: {names}.", {
        names: alternatives([...names], language),
      });
}

function unknownWords(failure: SchemaFailure, { t }: Language): string {
  const name = failure.name ?? "";
  const meant = similarName(name, knownNames(failure));
  return meant === undefined
    ? t("{name} is not a known property.", { name: quoted(name) })
    : t("{name} is not a known property. Did you mean {other}?", {
        name: quoted(name),
        other: quoted(meant),
      });
}

function nameWords(
  { name = "", because: [first] = [] }: SchemaFailure,
  language: Language,
): string {
  const { t } = language;
  const said = t("{name} is not allowed as a property name.", { name: quoted(name) });
  if (first === undefined) return said;
  return `${said} ${t("The name: {rule}", { rule: ruleWords(first, language) })}`;
}

function formWords(failure: SchemaFailure, language: Language): string {
  const { t } = language;
  const { indexes, rules } = failure;
  if (indexes === undefined) {
    const types = typesAllowed(failure).map((type) => typeInWords(type, language));
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

function typesInWords(failure: SchemaFailure, language: Language): string {
  const types = typesAllowed(failure).map((type) => typeInWords(type, language));
  return alternatives(types, language);
}

function shownValues(failure: SchemaFailure): string[] {
  return valuesAllowed(failure).map((value) => shortened(value, 60));
}

function typeOfInWords(value: unknown, language: Language): string {
  const type = jsonTypeOf(value);
  // "Not a number" where a whole number is asked for says nothing; the value itself does.
  if (type === "number") return String(value);
  return typeInWords(type === "integer" ? "number" : type, language);
}
