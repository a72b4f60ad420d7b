import type { JsonValue } from "../../json/jsonValue";
import type { Language } from "../../text/language";
import { schemaLimits } from "../outline/schemaLimits";
import { schemaType } from "../outline/schemaType";
import type { SampleBudget } from "../sample/sampleBudget";
import { isDescribed, layersOf } from "../schemaLayers";
import type { SchemaRules } from "../schemaRules";
import {
  isConstant,
  knownValues,
  plainSample,
  propertyLayers,
  requiredNames,
  requiredSnippet,
} from "./requiredSnippet";

/** A value in the editor's snippet syntax, and the name it has in a list. */
interface ValueSnippet {
  readonly label: string;
  readonly snippet: string;
}

/** Editors cut a longer label, and then two of them may look the same. */
const maxLabel = 54;
const maxBranches = 20;

/**
 * Lists the objects that can be written for a schema with all they require: one, or one for each
 * branch where the schema's own words are not all. Where it has nothing but branches, they list theirs.
 */
export function objectSnippets(schema: SchemaRules, budget: SampleBudget): ValueSnippet[] {
  const layers = layersOf([schema]);
  const branches = branchesOf(layers);
  if (branches.length > 0 && !describesObject(schema)) return [];
  const ways = branches.length > 0 ? branches : conditionsOf(layers);
  const wholes = ways.length > 0 ? ways.map((way) => [schema, way]) : [[schema]];
  const snippets = wholes.flatMap((schemas) => {
    const snippet = requiredSnippet(schemas, budget);
    return snippet === undefined ? [] : [{ label: labelOf(layersOf(schemas)), snippet }];
  });
  const different = new Map(snippets.map((snippet) => [snippet.label, snippet]));
  return [...different.values()];
}

/** Returns whether a schema describes an object beside the branches it may have. */
export function describesObject(schema: SchemaRules): boolean {
  return layersOf([schema]).some(
    ({ properties, required }) => (properties ?? required) !== undefined,
  );
}

function branchesOf(layers: readonly SchemaRules[]): SchemaRules[] {
  const lists = layers.flatMap(({ oneOf = [], anyOf = [] }) => [oneOf, anyOf]);
  const list = lists.find(({ length }) => length > 0) ?? [];
  return list.filter(isDescribed).slice(0, maxBranches);
}

/** Both ends of a condition, where nothing is required but by one of them. */
function conditionsOf(layers: readonly SchemaRules[]): SchemaRules[] {
  if (requiredNames(layers).length > 0) return [];
  const ends = layers.map((layer) => [layer.then, layer.else].flatMap((end) => end ?? []));
  return ends.map((both) => both.filter(isDescribed)).find(({ length }) => length === 2) ?? [];
}

function labelOf(layers: readonly SchemaRules[]): string {
  const names = requiredNames(layers);
  let words = "";
  for (const [index, name] of names.entries()) {
    const of = propertyLayers(layers, name);
    const [value] = isConstant(of) ? knownValues(of) : [];
    const next = value === undefined ? name : `${name}: ${JSON.stringify(value)}`;
    const more = index === 0 ? next : `, ${next}`;
    if (words.length + more.length > maxLabel) {
      return words === "" ? `{ ${name.slice(0, maxLabel)}… }` : `{ ${words} … }`;
    }
    words += more;
  }
  return `{ ${words} }`;
}

/**
 * Lists what can be written for a schema beside the values it names: objects with all they require,
 * lists of these, an empty text, list or object, a number where 0 is not allowed.
 */
export function valueSnippets(schema: SchemaRules, budget: SampleBudget): ValueSnippet[] {
  const objects = objectSnippets(schema, budget);
  if (objects.length > 0) return objects;
  const { types = [], items, anyOf, oneOf } = schema;
  const isKnown = schema.hasConst || schema.hasDefault || (schema.enum ?? schema.examples);
  if (isKnown || (anyOf ?? oneOf)) return [];
  switch (types[0]) {
    case "string":
      return [{ label: '""', snippet: '"$1"' }];
    case "array": {
      const item = items !== undefined && isDescribed(items) ? objectSnippets(items, budget) : [];
      return [...item.map(inList), { label: "[]", snippet: "[$1]" }];
    }
    case "object":
      return [{ label: "{}", snippet: "{$1}" }];
    case "integer":
    case "number": {
      const number = plainSample([schema], budget);
      if (typeof number !== "number" || number === 0) return [];
      return [{ label: String(number), snippet: `\${1:${number}}` }];
    }
    default:
      return [];
  }
}

function inList({ label, snippet }: ValueSnippet): ValueSnippet {
  return { label: `[${label}]`, snippet: `[\n\t${snippet.replaceAll("\n", "\n\t")}\n]` };
}

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
