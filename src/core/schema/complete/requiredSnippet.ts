import { isJsonObject, type JsonObject, type JsonValue } from "../../json/jsonValue";
import { schemaLayers } from "../outline/schemaLayers";
import type { ResolveReference } from "../outline/schemaReferences";
import { plainNumber } from "./plainNumber";

const maxDepth = 6;
const maxStops = 40;
const maxItems = 4;
const maxText = 500;
/** So many values are written; a schema may double them at each level. */
const maxWritten = 200;

/**
 * Writes an object with every property its schemas require as an editor snippet: constants as they
 * are, and for each other value a stop, filled with what the schema knows or the plainest number it
 * allows. A value of several forms is left to be chosen. A schema's own `$` and `}` are escaped, so
 * that nothing in it acts. Undefined where nothing is required.
 */
export function requiredSnippet(
  schemas: readonly JsonValue[],
  resolve: ResolveReference,
): string | undefined {
  const layersOf = (of: readonly JsonValue[]) => schemaLayers(of, resolve, () => false).layers;
  let stops = 0;
  let written = 0;
  const next = () => {
    stops += 1;
    return stops;
  };

  const object = (of: readonly JsonObject[], depth: number): string => {
    const indent = "\t".repeat(depth);
    const lines = requiredNames(of).map((name) => {
      const key = escapedText(JSON.stringify(name));
      return `${indent}${key}: ${value(layersOf(propertiesOf(of, name)), depth)}`;
    });
    return `{\n${lines.join(",\n")}\n${"\t".repeat(depth - 1)}}`;
  };

  const array = (of: readonly JsonObject[], depth: number): string => {
    const least = Math.max(0, ...of.flatMap(({ minItems }) => Number(minItems ?? 0) || 0));
    const items = layersOf(
      of.flatMap((layer) => (isJsonObject(layer["items"]) ? layer["items"] : [])),
    );
    if (least === 0 || items.length === 0) return `[${filledStop(next(), "")}]`;
    const texts: string[] = [];
    while (texts.length < Math.min(least, maxItems)) texts.push(value(items, depth + 1));
    const indent = "\t".repeat(depth + 1);
    return texts[0]?.startsWith("{") === true
      ? `[\n${indent}${texts.join(`,\n${indent}`)}\n${"\t".repeat(depth)}]`
      : `[${texts.join(", ")}]`;
  };

  const value = (of: readonly JsonObject[], depth: number): string => {
    written += 1;
    const known = knownValues(of);
    const [first] = known;
    if (isConstant(of) && first !== undefined) return escapedText(JSON.stringify(first));
    if (first !== undefined) return filledStop(next(), first);
    if (of.some(({ oneOf, anyOf }) => Array.isArray(oneOf ?? anyOf))) return filledStop(next(), "");
    const canGoOn = depth < maxDepth && stops < maxStops && written < maxWritten;
    if (canGoOn && requiredNames(of).length > 0) return object(of, depth + 1);
    switch (typeOf(of)) {
      case "string":
        return `"${filledStop(next(), "")}"`;
      case "number":
      case "integer":
        return filledStop(next(), plainNumber(of));
      case "boolean":
        return filledStop(next(), false);
      case "array":
        return canGoOn ? array(of, depth) : `[${filledStop(next(), "")}]`;
      case "object":
        return `{${filledStop(next(), "")}\\}`;
      case "null":
        return "null";
      default:
        return filledStop(next(), "");
    }
  };

  const layers = layersOf(schemas);
  return requiredNames(layers).length === 0 ? undefined : object(layers, 1);
}

/** The values a schema names, what it proposes first; none that is too long to be read in a list. */
export function knownValues(layers: readonly JsonObject[]): JsonValue[] {
  const own = (keyword: string) =>
    layers.flatMap((layer) => (Object.hasOwn(layer, keyword) ? [layer[keyword] as JsonValue] : []));
  const listed = (keyword: string) => own(keyword).find(Array.isArray) ?? [];
  const allowed = [...own("const").slice(0, 1), ...listed("enum")];
  const proposed = [
    ...own("default").slice(0, 1),
    ...(allowed.length > 0 ? [] : listed("examples")),
  ];
  const texts = [...proposed, ...allowed].map((value) => JSON.stringify(value));
  return [...new Set(texts)]
    .filter((text) => text.length <= maxText)
    .slice(0, maxStops)
    .map((text) => JSON.parse(text) as JsonValue);
}

/** Tells whether schemas allow one value only. */
export function isConstant(layers: readonly JsonObject[]): boolean {
  return layers.some(
    (layer) =>
      Object.hasOwn(layer, "const") || (Array.isArray(layer["enum"]) && layer["enum"].length === 1),
  );
}

/** What schemas say of the property of a name, each a schema to keep. */
export function propertiesOf(layers: readonly JsonObject[], name: string): JsonValue[] {
  return layers.flatMap(({ properties }) =>
    isJsonObject(properties) && Object.hasOwn(properties, name) ? [properties[name] ?? true] : [],
  );
}

function typeOf(layers: readonly JsonObject[]): JsonValue | undefined {
  const type = layers.find((layer) => layer["type"] !== undefined)?.["type"];
  return Array.isArray(type) ? type[0] : type;
}

const maxNames = 40;

/** The names that schemas require, in the order in which they describe them, at most 40. */
export function requiredNames(layers: readonly JsonObject[]): string[] {
  const required = new Set(
    layers.flatMap(({ required: names }) =>
      Array.isArray(names) ? names.filter((name) => typeof name === "string") : [],
    ),
  );
  const described = layers.flatMap(({ properties }) =>
    isJsonObject(properties) ? Object.keys(properties) : [],
  );
  const inOrder = described.filter((name) => required.has(name));
  return [...new Set([...inOrder, ...required])].slice(0, maxNames);
}

/** Writes a stop of an editor snippet that holds a value; `""` stands for one that holds nothing. */
function filledStop(number: number, value: JsonValue): string {
  if (value === "") return `\${${number}}`;
  const [quote, text] = unquoted(value);
  return `${quote}\${${number}:${escapedText(text)}}${quote}`;
}

/** Escapes a text so that an editor snippet writes it as it is. */
function escapedText(text: string): string {
  return text.replaceAll(/[\\$}]/g, "\\$&");
}

/** The quotes of a text stand outside, so that typing over what a stop holds keeps them. */
function unquoted(value: JsonValue): [quote: string, text: string] {
  const text = JSON.stringify(value);
  return typeof value === "string" ? ['"', text.slice(1, -1)] : ["", text];
}
