import { type JsonValue, parsedJson } from "../../json/jsonValue";
import { shownJson } from "../../json/printJson";
import { isOpening, type TextRange } from "../../json/token";
import { firstOfList, type Language } from "../../text/language";
import { shortened } from "../../text/plainText";
import { allowedValues } from "../allowedValues";
import { EvaluationBudget } from "../evaluate/evaluationBudget";
import type { TestableSchema } from "../read/testableSchema";
import { schemaFacts } from "../schemaLimits";
import { exampleOf, firstOf, layersOf, type SchemaRules } from "../schemaRules";
import type { Explanation } from "./proposal";
import { rulesHere, schemasAt, valueAtSteps } from "./rulesAt";
import { textCursor } from "./textCursor";

/** The maximum number of texts in a hover. */
const maxTexts = 4;

/**
 * Explains the property or value at an offset of a text by a schema. An array or object is explained at its opening
 * bracket. Undefined if the schema does not describe the value.
 */
export function explanationAt(
  schema: TestableSchema,
  text: string,
  offset: number,
  language: Language,
): Explanation | undefined {
  const found = describedAt(text, offset);
  if (found === undefined) return undefined;
  const { steps, root, range } = found;
  const budget = new EvaluationBudget(schema);
  const schemas = schemasAt(schema.root, root, steps, budget);
  const { own, options } = rulesHere(
    schemas,
    { value: valueAtSteps(root, steps), steps: [] },
    budget,
  );
  const texts = [own, ...options.map((option) => option.own)].map((it) => valueText(it, language));
  const different = [...new Set(texts)].filter((text) => text !== "").slice(0, maxTexts);
  return different.length === 0 ? undefined : { ...range, texts: different };
}

function describedAt(text: string, offset: number) {
  const isBracket = (at: number) => text[at] === "{" || text[at] === "[";
  // A cursor at an opening bracket touches no token. Its `steps` lead to the array or object that starts there.
  const bracket = isBracket(offset) ? offset : isBracket(offset - 1) ? offset - 1 : undefined;
  const cursor = textCursor(text, bracket ?? offset, true);
  if (cursor === undefined) return undefined;
  const { at, steps, root, token, next } = cursor;
  if (token === undefined) {
    if (bracket === undefined || !isOpening(next) || at === "name") return undefined;
    return { steps, root, range: { start: bracket, end: bracket + 1 } };
  }
  const range: TextRange = { start: token.start, end: token.end };
  if (at === "value") return { steps, root, range };
  const name = parsedJson(text.slice(token.start, token.end));
  return name === undefined ? undefined : { steps: [...steps, String(name)], root, range };
}

/** The maximum length of a title or description in a hover. */
const maxText = 1000;
/** The maximum length of a value in one line of a hover. */
const maxValue = 200;
/** The maximum number of values in a hover. The completion lists all. */
const maxValues = 10;

/**
 * Describes in a few lines what schemas require of a value: title, description, type and limits, allowed values,
 * default and example. Plain text of at most about 3,000 characters. Empty for empty schemas.
 */
export function valueText(schemas: readonly SchemaRules[], language: Language): string {
  const { t } = language;
  const layers = layersOf(schemas);
  const lines = [
    text(firstOf(layers, "title")),
    text(firstOf(layers, "description")),
    shortened(schemaFacts(layers, language).join(", "), maxText),
    layers.some(({ deprecated }) => deprecated) ? t("Deprecated.") : "",
    allowedText(allowedValues(layers), language),
    valueLine(t("Default"), firstOf(layers, "default")),
    valueLine(t("Example"), exampleOf(layers)),
  ];
  return [...new Set(lines)].filter((line) => line !== "").join("\n");
}

function text(value = ""): string {
  return shortened(value.trim(), maxText);
}

function allowedText(values: readonly JsonValue[] = [], language: Language): string {
  if (values.length === 0) return "";
  const listed = firstOfList(values, maxValues, (value) => shownJson(value, 60), language);
  return language.t("Allowed: {values}", { values: listed });
}

function valueLine(name: string, value: JsonValue | undefined): string {
  return value === undefined ? "" : `${name}: ${shownJson(value, maxValue)}`;
}
