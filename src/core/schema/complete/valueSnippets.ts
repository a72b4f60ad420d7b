import { isJsonObject, type JsonValue, ownValue } from "../../json/jsonValue";
import { allowedValues, statedTypes } from "../allowedValues";
import type { EvaluationBudget } from "../evaluate/evaluationBudget";
import { propertyLayers, requiredInOrder } from "../objectNames";
import { rulesBelow } from "../rulesBelow";
import { plainSample } from "../sample/sampleValues";
import { firstOf, isDescribed, layersOf, type SchemaRules } from "../schemaRules";

/** A value in the editor's snippet syntax, and its label in a list. */
export interface ValueSnippet {
  readonly label: string;
  /** Creates the snippet on demand, since it needs a sample. */
  readonly snippet: () => string;
}

/** The maximum length of a label. Editors truncate longer labels, and two of them might then look the same. */
const maxLabel = 54;
/** The maximum number of branches in a list of completions. */
const maxBranches = 20;

/**
 * Lists the objects that can be inserted for a value, with all required properties: one object, or one for each branch.
 * Empty if only the branches describe an object, since they list their own.
 */
export function objectSnippets(
  schemas: readonly SchemaRules[],
  budget: EvaluationBudget,
): ValueSnippet[] {
  const layers = layersOf(schemas);
  const branches = branchesOf(layers);
  if (branches.length > 0 && !describesObject(layers)) return [];
  const options = branches.length > 0 ? branches : conditionsOf(layers);
  const wholes = options.length > 0 ? options.map((option) => [...schemas, option]) : [schemas];
  const snippets = wholes.flatMap((whole) => {
    const all = layersOf(whole);
    if (namesToOffer(all).length === 0) return [];
    return [{ label: labelOf(all), snippet: () => requiredSnippet(whole, budget) }];
  });
  const different = new Map(snippets.map((snippet) => [snippet.label, snippet]));
  return [...different.values()];
}

/** Returns whether schemas describe an object apart from their branches. */
export function describesObject(layers: readonly SchemaRules[]): boolean {
  return layers.some(({ properties, required }) => (properties ?? required) !== undefined);
}

function branchesOf(layers: readonly SchemaRules[]): SchemaRules[] {
  const lists = layers.flatMap(({ oneOf = [], anyOf = [] }) => [oneOf, anyOf]);
  const list = lists.find(({ length }) => length > 0) ?? [];
  return list.filter(isDescribed).slice(0, maxBranches);
}

/** Returns `then` and `else` of a condition if only they require properties. */
function conditionsOf(layers: readonly SchemaRules[]): SchemaRules[] {
  if (namesToOffer(layers).length > 0) return [];
  const ends = layers.map((layer) => [layer.then, layer.else].flatMap((end) => end ?? []));
  return ends.map((both) => both.filter(isDescribed)).find(({ length }) => length === 2) ?? [];
}

function labelOf(layers: readonly SchemaRules[]): string {
  const names = namesToOffer(layers);
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
 * Lists the snippets for a value that the schemas do not name: objects with all required properties, arrays of these,
 * an empty string, array or object, and a number if 0 is not allowed.
 */
export function valueSnippets(
  layers: readonly SchemaRules[],
  budget: EvaluationBudget,
): ValueSnippet[] {
  const objects = objectSnippets(layers, budget);
  if (objects.length > 0) return objects;
  const hasNamedValues = layers.some(
    ({ default: preset, examples, anyOf, oneOf }) =>
      preset !== undefined || (examples ?? anyOf ?? oneOf) !== undefined,
  );
  if (hasNamedValues || allowedValues(layers) !== undefined) return [];
  switch (statedTypes(layers)?.[0]) {
    case "string":
      return [emptySnippets.string];
    case "array": {
      const items = layers.flatMap((layer) => layer.items ?? []).filter(isDescribed);
      const item = items.length > 0 ? objectSnippets(items, budget) : [];
      return [...item.map(inArray), emptySnippets.array];
    }
    case "object":
      return [emptySnippets.object];
    case "integer":
    case "number": {
      const number = plainSample(layers, budget);
      if (typeof number !== "number" || number === 0) return [];
      return [{ label: String(number), snippet: () => `\${1:${number}}` }];
    }
    default:
      return [];
  }
}

function inArray({ label, snippet }: ValueSnippet): ValueSnippet {
  const lines = () => snippet().replaceAll("\n", "\n\t");
  return { label: `[${label}]`, snippet: () => `[\n\t${lines()}\n]` };
}

/** Writes a value that a schema names, as plain text or in a placeholder. */
export function namedValueSnippet(value: JsonValue, isPlaceholder: boolean): string {
  if (isPlaceholder) return filledPlaceholder(1, value);
  const text = JSON.stringify(value, undefined, "\t");
  const empty = [emptySnippets.array, emptySnippets.object].find(({ label }) => label === text);
  return empty?.snippet() ?? escapedText(text);
}

/** Empty values with the cursor in them. Each may be the start of any other value of its type. */
export const emptySnippets = {
  string: { label: '""', snippet: () => '"$1"' },
  array: { label: "[]", snippet: () => "[$1]" },
  object: { label: "{}", snippet: () => "{$1}" },
} as const;

/** The maximum number of required properties in a snippet. Completion adds the others one by one. */
const maxNames = 40;
/** The maximum number of items. The first items show the form of the others. */
const maxItems = 4;
/** The maximum length of a value in a list. Longer values cannot be told apart. */
const maxChoiceText = 500;
/** The maximum number of written values. More would not fit a screen, and a schema may double them at each level. */
const maxWritten = 60;

/**
 * Writes an object with every required property as an editor snippet. It is a sample in which each value is a
 * placeholder, except constants. Strings that the schema does not name stay empty. A value of several types, or of any
 * type, stays an empty placeholder. The schema's own `$` and `}` are escaped.
 */
function requiredSnippet(schemas: readonly SchemaRules[], budget: EvaluationBudget): string {
  let stops = 0;
  let written = 0;
  const stop = (value: JsonValue) => {
    stops += 1;
    return filledPlaceholder(stops, value);
  };

  const object = (sample: unknown, layers: readonly SchemaRules[], depth: number): string => {
    const indent = "\t".repeat(depth);
    const lines = namesToOffer(layers).map((name) => {
      const list = rulesBelow(layers, name, budget);
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
    const texts = sample
      .slice(0, maxItems)
      .map((item, index) => value(item, rulesBelow(layers, index, budget), depth + 1));
    const indent = "\t".repeat(depth + 1);
    return texts[0]?.startsWith("{") === true
      ? `[\n${indent}${texts.join(`,\n${indent}`)}\n${"\t".repeat(depth)}]`
      : `[${texts.join(", ")}]`;
  };

  const value = (sample: unknown, list: readonly SchemaRules[], depth: number): string => {
    written += 1;
    const layers = layersOf(list);
    const [namedValue] = knownValues(layers);
    if (namedValue !== undefined) {
      return isConstant(layers) ? escapedText(JSON.stringify(namedValue)) : stop(namedValue);
    }
    if (layers.some(({ oneOf, anyOf }) => oneOf ?? anyOf)) return stop("");
    const canGoOn = written < maxWritten;
    if (canGoOn && namesToOffer(layers).length > 0) return object(sample, layers, depth + 1);
    switch (layers.find(({ types }) => types !== undefined)?.types?.[0]) {
      case "string":
        // An invented string could be sent by mistake. An empty one is noticed.
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

  return object(plainSample(schemas, budget), layersOf(schemas), 1);
}

/** Lists at most 40 required names of schemas, described ones first. */
export function namesToOffer(layers: readonly SchemaRules[]): string[] {
  return requiredInOrder(layers).slice(0, maxNames);
}

/** Lists the values that schemas name, suggested ones first. Omits values that are too long for a list. */
export function knownValues(layers: readonly SchemaRules[]): JsonValue[] {
  const allowed = allowedValues(layers) ?? [];
  const fallback = firstOf(layers, "default");
  const examples = allowed.length > 0 ? [] : (firstOf(layers, "examples") ?? []);
  const named = [...(fallback === undefined ? [] : [fallback]), ...examples, ...allowed];
  const byText = new Map(named.map((value) => [JSON.stringify(value), value] as const));
  return [...byText].filter(([text]) => text.length <= maxChoiceText).map(([, value]) => value);
}

/** Returns whether schemas allow only one value. */
export function isConstant(layers: readonly SchemaRules[]): boolean {
  return allowedValues(layers)?.length === 1;
}

/** Writes a placeholder with a value. `""` stands for an empty placeholder. */
function filledPlaceholder(number: number, value: JsonValue): string {
  if (value === "") return `\${${number}}`;
  const [quote, text] = unquoted(value);
  return `${quote}\${${number}:${escapedText(text)}}${quote}`;
}

/** Escapes a text so that an editor snippet inserts it literally. */
export function escapedText(text: string): string {
  return text.replaceAll(/[\\$}]/g, "\\$&");
}

/** Moves the quotes of a string outside of its placeholder, so that typing over it keeps them. */
function unquoted(value: JsonValue): [quote: string, text: string] {
  const text = JSON.stringify(value);
  return typeof value === "string" ? ['"', text.slice(1, -1)] : ["", text];
}
