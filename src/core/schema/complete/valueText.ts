import type { JsonValue } from "../../json/jsonValue";
import type { Language } from "../../text/language";
import { schemaLimits } from "../outline/schemaLimits";
import { schemaType } from "../outline/schemaType";
import { layersOf } from "../schemaLayers";
import type { SchemaRules } from "../schemaRules";

const maxText = 1000;
const maxValue = 200;
const maxValues = 10;

/**
 * Describes in a few lines what a schema requires of a value: title, description, type and limits, allowed
 * values, default and example. Plain text, at most some 3,000 characters; empty for an empty schema.
 */
export function valueText(schema: SchemaRules, language: Language): string {
  const { t } = language;
  const layers = layersOf([schema]);
  const first = <Key extends keyof SchemaRules>(keyword: Key) =>
    layers.find((layer) => layer[keyword] !== undefined)?.[keyword];
  const limits = layers.slice(0, 8).flatMap((layer) => schemaLimits(layer, language));
  const facts = [schemaType(layers, language), ...new Set(limits)].filter((fact) => fact !== "");
  const lines = [
    text(first("title")),
    text(first("description")),
    cut(facts.join(", "), maxText),
    first("deprecated") ? t("Deprecated.") : "",
    allowedText(first("enum"), language),
    valueLine(t("Default"), first("default")),
    valueLine(t("Example"), first("examples")?.[0]),
  ];
  return [...new Set(lines)].filter((line) => line !== "").join("\n");
}

function text(value = ""): string {
  return cut(value.trim(), maxText);
}

function allowedText(values: readonly JsonValue[] = [], { t }: Language): string {
  if (values.length === 0) return "";
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
