import type { JsonObject, JsonValue } from "../../json/jsonValue";
import type { Language } from "../../text/language";
import { schemaLayers } from "../outline/schemaLayers";
import { schemaLimits } from "../outline/schemaLimits";
import type { ResolveReference } from "../outline/schemaReferences";
import { schemaType } from "../outline/schemaType";

const maxText = 1000;
const maxValue = 200;
const maxValues = 10;

/**
 * Says in a few lines what a schema asks of a value: title, description, type and limits, allowed
 * values, default and example. Plain text, at most some 3,000 characters; empty where it says nothing.
 */
export function valueText(
  schema: JsonObject,
  resolve: ResolveReference,
  language: Language,
): string {
  const { t } = language;
  const { layers } = schemaLayers([schema], resolve, () => false);
  const first = (keyword: string) =>
    layers.find((layer) => Object.hasOwn(layer, keyword))?.[keyword];
  const limits = layers.slice(0, 8).flatMap((layer) => schemaLimits(layer, language));
  const facts = [schemaType(layers, resolve, language), ...new Set(limits)].filter(
    (fact) => fact !== "",
  );
  const examples = first("examples");
  const lines = [
    text(first("title")),
    text(first("description")),
    cut(facts.join(", "), maxText),
    first("deprecated") === true ? t("Deprecated.") : "",
    allowedText(first("enum"), language),
    valueLine(t("Default"), first("default")),
    valueLine(t("Example"), Array.isArray(examples) ? examples[0] : undefined),
  ];
  return [...new Set(lines)].filter((line) => line !== "").join("\n");
}

function text(value: JsonValue | undefined): string {
  return typeof value === "string" ? cut(value.trim(), maxText) : "";
}

function allowedText(values: JsonValue | undefined, { t }: Language): string {
  if (!Array.isArray(values) || values.length === 0) return "";
  const shown = values.slice(0, maxValues).map((value) => cut(JSON.stringify(value), 60));
  const listed = shown.join(", ");
  const count = values.length - shown.length;
  const said = count === 0 ? listed : t("{values} and {count} more", { values: listed, count });
  return t("Allowed: {values}", { values: said });
}

function valueLine(name: string, value: JsonValue | undefined): string {
  return value === undefined ? "" : `${name}: ${cut(JSON.stringify(value), maxValue)}`;
}

function cut(words: string, length: number): string {
  return words.length > length ? `${words.slice(0, length - 1)}…` : words;
}
