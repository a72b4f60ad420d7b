import { isJsonObject, type JsonValue, ownValue } from "../../json/jsonValue";
import type { SampleBudget } from "../sample/sampleBudget";
import { rulesFor } from "../sample/sampleObjects";
import { bestSample } from "../sample/sampleValues";
import { layersOf } from "../schemaLayers";
import type { SchemaRules } from "../schemaRules";

const maxNames = 40;
const maxDepth = 6;
const maxStops = 40;
const maxItems = 4;
const maxText = 500;
/** So many values are written; a schema may double them at each level. */
const maxWritten = 200;

/**
 * Writes an object with every property its schemas require as an editor snippet: a sample of them, in
 * which each value but a constant is a stop. Texts that the schema does not name are left empty, and a
 * value of several forms, or of any, is left to be chosen.
 * A schema's own `$` and `}` are escaped, so that nothing in it acts. Undefined where nothing is required.
 */
export function requiredSnippet(
  schemas: readonly SchemaRules[],
  budget: SampleBudget,
): string | undefined {
  let stops = 0;
  let written = 0;
  const stop = (value: JsonValue) => {
    stops += 1;
    return filledStop(stops, value);
  };

  const object = (sample: unknown, layers: readonly SchemaRules[], depth: number): string => {
    const indent = "\t".repeat(depth);
    const lines = requiredNames(layers).map((name) => {
      const list = rulesFor(budget, name, layers);
      const inner = isJsonObject(sample) ? ownValue(sample, name) : undefined;
      return `${indent}${escapedText(JSON.stringify(name))}: ${value(inner, list, depth)}`;
    });
    return `{\n${lines.join(",\n")}\n${"\t".repeat(depth - 1)}}`;
  };

  const array = (
    sample: readonly unknown[],
    layers: readonly SchemaRules[],
    depth: number,
  ): string => {
    const texts = sample.slice(0, maxItems).map((item, index) => {
      const own = layers.flatMap(({ prefixItems, items }) => prefixItems?.[index] ?? items ?? []);
      return value(item, own, depth + 1);
    });
    const indent = "\t".repeat(depth + 1);
    return texts[0]?.startsWith("{") === true
      ? `[\n${indent}${texts.join(`,\n${indent}`)}\n${"\t".repeat(depth)}]`
      : `[${texts.join(", ")}]`;
  };

  const value = (sample: unknown, list: readonly SchemaRules[], depth: number): string => {
    written += 1;
    const layers = layersOf(list);
    const [known] = knownValues(layers);
    if (known !== undefined) {
      return isConstant(layers) ? escapedText(JSON.stringify(known)) : stop(known);
    }
    if (layers.some(({ oneOf, anyOf }) => oneOf ?? anyOf)) return stop("");
    const canGoOn = depth < maxDepth && stops < maxStops && written < maxWritten;
    if (canGoOn && requiredNames(layers).length > 0) return object(sample, layers, depth + 1);
    switch (layers.find(({ types }) => types !== undefined)?.types?.[0]) {
      case "string":
        // A text that is made up would be sent unnoticed; an empty one is seen.
        return `"${stop("")}"`;
      case "number":
      case "integer":
        return stop(typeof sample === "number" ? sample : 0);
      case "boolean":
        return stop(false);
      case "array":
        return canGoOn && Array.isArray(sample) && sample.length > 0
          ? array(sample, layers, depth)
          : `[${stop("")}]`;
      case "object":
        return `{${stop("")}\\}`;
      case "null":
        return "null";
      default:
        return stop("");
    }
  };

  const layers = layersOf(schemas);
  if (requiredNames(layers).length === 0) return undefined;
  return object(plainSample(schemas, budget), layers, 1);
}

/** Makes the plainest sample that keeps all rules, as far as the budget goes. */
export function plainSample(list: readonly SchemaRules[], budget: SampleBudget): unknown {
  return bestSample({ list, mode: "minimal", hints: [], around: new Set(), depth: 0, budget });
}

/** The names that schemas require, in the order in which they describe them, at most 40. */
export function requiredNames(layers: readonly SchemaRules[]): string[] {
  const required = new Set(layers.flatMap(({ required: names }) => names ?? []));
  const described = layers.flatMap(({ properties }) => [...(properties?.keys() ?? [])]);
  const inOrder = described.filter((name) => required.has(name));
  return [...new Set([...inOrder, ...required])].slice(0, maxNames);
}

/** The values a schema names, what it proposes first; none that is too long to be read in a list. */
export function knownValues(layers: readonly SchemaRules[]): JsonValue[] {
  const constants = layers.flatMap((layer) => (layer.const === undefined ? [] : [layer.const]));
  const listed = layers.find((layer) => layer.enum !== undefined)?.enum ?? [];
  const allowed = [...constants.slice(0, 1), ...listed];
  const defaults = layers.flatMap((layer) => (layer.default === undefined ? [] : [layer.default]));
  const examples = layers.find((layer) => layer.examples !== undefined)?.examples ?? [];
  const proposed = [...defaults.slice(0, 1), ...(allowed.length > 0 ? [] : examples)];
  const byText = new Map(
    [...proposed, ...allowed].map((value) => [JSON.stringify(value), value] as const),
  );
  return [...byText]
    .filter(([text]) => text.length <= maxText)
    .slice(0, maxStops)
    .map(([, value]) => value);
}

/** Tells whether schemas allow one value only. */
export function isConstant(layers: readonly SchemaRules[]): boolean {
  return layers.some((layer) => layer.hasConst || layer.enum?.length === 1);
}

/** The layers of the property of a name. */
export function propertyLayers(
  layers: readonly SchemaRules[],
  name: string,
): readonly SchemaRules[] {
  return layersOf(layers.flatMap(({ properties }) => properties?.get(name) ?? []));
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
