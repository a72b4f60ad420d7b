import { type JsonValue, type ListKeys, listKeysOnce } from "../../json/jsonValue";
import { printJson } from "../../json/printJson";
import type { Language } from "../../text/language";
import { type LenientSchema, readLeniently } from "../read/readSchema";
import { type SchemaLayers, schemaLayers } from "../schemaLayers";
import type { SchemaRules } from "../schemaRules";
import { schemaLimits } from "./schemaLimits";
import { type OutlinePart, SchemaParts } from "./schemaParts";
import { schemaType } from "./schemaType";

/** One value a schema describes, for people. Children are its properties, items and alternatives. */
export interface OutlineNode {
  /** A property's name, or words such as "each item"; empty for the schema itself. */
  readonly name: string;
  /** True where `name` is a name in the JSON and not words about it. */
  readonly literal: boolean;
  /** A type in JSON Schema's words, such as "array of string"; empty where any is allowed. */
  readonly type: string;
  readonly required: boolean;
  readonly limits: readonly string[];
  /** The values allowed, as JSON texts; empty where they are not listed. */
  readonly values: readonly string[];
  /** How many more values are allowed than `values` shows. */
  readonly moreValues: number;
  /** As JSON text; undefined where there is none. */
  readonly defaultText?: string;
  readonly exampleText?: string;
  readonly description: string;
  readonly deprecated: boolean;
  /** What is special about this place, such as a shape that repeats; empty otherwise. */
  readonly note: string;
  readonly children: readonly OutlineNode[];
}

const maxNodes = 1000;
const maxChildren = 300;
const maxDepth = 24;
const maxValues = 40;
const maxText = 150_000;
const maxDescription = 4000;

/** Outlines a JSON Schema of any draft. Bounded in size; what was left out is said in a `note`. */
export function schemaOutline(
  schema: JsonValue,
  language: Language,
  listKeys: ListKeys = listKeysOnce(),
): OutlineNode {
  const { root, read } = readLeniently(schema, { maxMembers: maxChildren, listKeys });
  const walk: Walk = {
    read,
    parts: new SchemaParts(language),
    language,
    nodesLeft: maxNodes,
    shorten: textBudget(maxText),
    printed: new Map(),
  };
  const whole = { name: "", literal: false, required: false, schemas: [root] };
  return outlineNode(whole, walk, new Map(), 0);
}

interface Walk {
  readonly read: LenientSchema["read"];
  readonly parts: SchemaParts;
  readonly language: Language;
  readonly shorten: Shorten;
  /** Values printed before: a shape that is referred to often is printed once. */
  readonly printed: Map<JsonValue, string>;
  /** How many more parts may be described; each value takes room for all its parts at once. */
  nodesLeft: number;
}

function outlineNode(
  part: OutlinePart,
  walk: Walk,
  above: ReadonlyMap<SchemaRules, string>,
  depth: number,
): OutlineNode {
  const found = schemaLayers(part.schemas, walk.read, (rules) => above.has(rules));
  const { layers } = found;
  const { language, read, shorten } = walk;
  const { parts, unlisted } = walk.parts.of(layers);
  const children = parts.slice(0, depth >= maxDepth ? 0 : Math.min(walk.nodesLeft, maxChildren));
  walk.nodesLeft -= children.length;
  const leftOut = parts.length - children.length + unlisted;
  const onTheWay = new Map(above);
  for (const layer of layers) onTheWay.set(layer, part.name);
  const values = valuesOf(layers);
  const fallback = layers.find(({ hasDefault }) => hasDefault)?.default;
  const example = firstExample(layers);
  return {
    name: shorten(part.name, 200),
    literal: part.literal,
    required: part.required,
    type: shorten(schemaType([...layers, ...found.repeated], language, read), 200),
    limits: limitsOf(layers, walk),
    values: values.slice(0, maxValues).map((value) => print(value, walk, 200)),
    moreValues: Math.max(0, values.length - maxValues),
    ...(fallback !== undefined && { defaultText: print(fallback, walk, 1000) }),
    ...(example !== undefined && { exampleText: print(example, walk, 1000) }),
    description: shorten(descriptionOf(layers), maxDescription),
    deprecated: layers.some((layer) => layer.deprecated),
    note: shorten(noteOf(found, above, leftOut, language), 1000),
    children: children.map((child) => outlineNode(child, walk, onTheWay, depth + 1)),
  };
}

function limitsOf(layers: readonly SchemaRules[], { language, shorten }: Walk): string[] {
  const limits = new Set(layers.flatMap((layer) => schemaLimits(layer, language)));
  return [...limits].slice(0, 24).map((limit) => shorten(limit, 300));
}

function noteOf(
  found: SchemaLayers,
  above: ReadonlyMap<SchemaRules, string>,
  leftOut: number,
  { t }: Language,
): string {
  const notes: string[] = [];
  if (found.impossible) notes.push(t("No value is allowed here."));
  for (const schema of found.repeated) {
    const name = above.get(schema) ?? "";
    notes.push(
      name === ""
        ? t("Recursive: same as the whole.")
        : t("Recursive: same as “{name}” above.", { name }),
    );
  }
  for (const reference of found.unresolved.slice(0, 3)) {
    notes.push(t("Described elsewhere and not loaded: {reference}", { reference }));
  }
  if (leftOut > 0) {
    notes.push(t("{count} more parts are not shown; see the raw JSON.", { count: leftOut }));
  }
  return notes.join(" ");
}

// Of several lists of allowed values all hold, so the shortest is the most specific.
function valuesOf(layers: readonly SchemaRules[]): readonly JsonValue[] {
  const lists = layers.flatMap((layer) => {
    if (layer.const !== undefined) return [[layer.const]];
    return layer.enum === undefined ? [] : [layer.enum];
  });
  return lists.sort((a, b) => a.length - b.length)[0] ?? [];
}

function descriptionOf(layers: readonly SchemaRules[]): string {
  const texts = layers
    .flatMap(({ title, description }) => [title, description])
    .filter((text) => text !== undefined)
    .map((text) => text.slice(0, maxDescription));
  return [...new Set(texts)].join("\n");
}

function firstExample(layers: readonly SchemaRules[]): JsonValue | undefined {
  const { examples, example } =
    layers.find((layer) => (layer.examples ?? layer.example) !== undefined) ?? {};
  return examples === undefined ? example : examples[0];
}

function print(value: JsonValue, { printed, shorten }: Walk, maxLength: number): string {
  if (typeof value === "string") return shorten(JSON.stringify(value.slice(0, 1000)), maxLength);
  const known = printed.get(value);
  if (known !== undefined) return shorten(known, maxLength);
  const { text } = printJson(value, { maxLength: 1001, indent: 0 });
  printed.set(value, text);
  return shorten(text, maxLength);
}

/** Shortens a text to `maxLength` characters, with `…` at the end where something was cut. */
type Shorten = (text: string, maxLength: number) => string;

/** Makes a `Shorten` that lets through `budget` characters in all; once they are used up, only `…`. */
function textBudget(budget: number): Shorten {
  let left = budget;
  return (text, maxLength) => {
    const room = Math.min(left, maxLength);
    const shown = text.length > room ? `${text.slice(0, Math.max(0, room - 1))}…` : text;
    left = Math.max(0, left - shown.length);
    return shown;
  };
}
