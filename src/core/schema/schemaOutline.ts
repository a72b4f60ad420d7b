import type { JsonValue } from "../json/jsonValue";
import { shownJson } from "../json/printJson";
import { type Language, localize } from "../text/language";
import { shortened } from "../text/plainText";
import { allowedValues } from "./allowedValues";
import { branchNames } from "./branchNames";
import { type Keyword, keywordNames, rowOf } from "./keywords";
import { describedNames, requiredNames } from "./objectNames";
import type { ReadSchema } from "./read/readSchema";
import { schemaLimits, schemaType } from "./schemaLimits";
import {
  exampleOf,
  firstOf,
  type SchemaLayers,
  type SchemaRules,
  schemaLayers,
} from "./schemaRules";

/**
 * One value that a schema describes, in the texts that the outline shows. Its children are properties, items and
 * branches.
 */
export interface OutlineNode {
  /** The name of a property, or words such as "each item". Empty for the schema itself. */
  readonly name: string;
  /** True where `name` is the name of a property, not a description. */
  readonly literal: boolean;
  /** The type in the words of JSON Schema, such as "array of string". Empty if any type is allowed. */
  readonly type: string;
  readonly required: boolean;
  readonly limits: readonly string[];
  /** The allowed values as JSON. Empty if the schema does not list them. */
  readonly values: readonly string[];
  /** The number of allowed values beyond those in `values`. */
  readonly moreValues: number;
  /** The default value as JSON. */
  readonly defaultText?: string;
  readonly exampleText?: string;
  readonly description: string;
  readonly deprecated: boolean;
  /** Notes on this value, such as that it is recursive. Empty without notes. */
  readonly note: string;
  readonly children: readonly OutlineNode[];
}

/** The maximum number of parts on a page. The JSON beside the outline shows all. */
const maxNodes = 1000;
/** The maximum number of parts of one value. */
const maxChildren = 300;
/** The maximum depth. A deeper outline is wider than a page. */
const maxDepth = 24;
/** The maximum number of listed values. The rest are counted. */
const maxValues = 40;
/** The maximum length of all texts together, which the page lays out. */
const maxText = 150_000;
/** The maximum length of a description, so that other texts have room. */
const maxDescription = 4000;

/**
 * Outlines a JSON Schema of any dialect. The size is bounded. A `note` names the omitted parts and those that are not
 * applied.
 */
export function schemaOutline({ root, refusal }: ReadSchema, language: Language): OutlineNode {
  const walk: Walk = {
    language,
    nodesLeft: maxNodes,
    shorten: textBudget(maxText),
    above: new Map(),
    parts: new Map(),
  };
  const whole = { name: "", literal: false, required: false, schemas: [root] };
  const outline = outlineNode(whole, walk, 0);
  if (refusal === undefined) return outline;
  const notes = [localize(refusal.reason, language), outline.note];
  return { ...outline, note: notes.filter((note) => note !== "").join(" ") };
}

interface Walk {
  readonly language: Language;
  readonly shorten: Shorten;
  /** The rules of all enclosing values, each with the name of its value. */
  readonly above: Map<SchemaRules, string>;
  /** The parts of values that were described, by their rules. Many references to one schema list its parts once. */
  readonly parts: Map<string, readonly OutlinePart[]>;
  /** How many more parts may be described. A value reserves room for all of its parts at once. */
  nodesLeft: number;
}

function outlineNode(part: OutlinePart, walk: Walk, depth: number): OutlineNode {
  const { above, language, shorten } = walk;
  const found = schemaLayers(part.schemas, (rules) => above.has(rules));
  const { layers } = found;
  const parts = cachedParts(layers, walk);
  const children = parts.slice(0, depth >= maxDepth ? 0 : Math.min(walk.nodesLeft, maxChildren));
  walk.nodesLeft -= children.length;
  const leftOut = parts.length - children.length;
  const values = allowedValues(layers) ?? [];
  const fallback = firstOf(layers, "default");
  const example = exampleOf(layers);
  const node = {
    name: shorten(part.name, 200),
    literal: part.literal,
    required: part.required,
    type: shorten(schemaType([...layers, ...found.repeated], language), 200),
    limits: schemaLimits(layers, language)
      .slice(0, 24)
      .map((limit) => shorten(limit, 300)),
    values: values.slice(0, maxValues).map((value) => print(value, walk, 200)),
    moreValues: Math.max(0, values.length - maxValues),
    ...(fallback !== undefined && { defaultText: print(fallback, walk, 1000) }),
    ...(example !== undefined && { exampleText: print(example, walk, 1000) }),
    description: shorten(descriptionOf(layers, part), maxDescription),
    deprecated: layers.some((layer) => layer.deprecated),
    note: shorten(noteOf(found, above, leftOut, language), 1000),
  };
  for (const layer of layers) above.set(layer, part.name);
  const below = children.map((child) => outlineNode(child, walk, depth + 1));
  for (const layer of layers) above.delete(layer);
  return { ...node, children: below };
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
        ? t("Recursive: same as the whole schema.")
        : t("Recursive: same as “{name}” above.", { name }),
    );
  }
  for (const reference of found.unresolved.slice(0, 3)) {
    notes.push(t("Unresolved reference: {reference}", { reference }));
  }
  for (const { tooNew = [], resource } of found.layers) {
    for (const keyword of tooNew) {
      const older = { keyword, dialect: resource.dialect };
      notes.push(t("“{keyword}” is not applied (newer than {dialect}).", older));
    }
  }
  if (leftOut > 0) {
    notes.push(t("{count} more parts are not shown; see the raw JSON.", { count: leftOut }));
  }
  return notes.join(" ");
}

function descriptionOf(layers: readonly SchemaRules[], { title: named }: OutlinePart): string {
  const texts = layers
    .flatMap(({ title, description }) => [title, description])
    .filter((text) => text !== undefined)
    .filter((text) => text.trim() !== named)
    .map((text) => text.slice(0, maxDescription));
  return [...new Set(texts)].join("\n");
}

function print(value: JsonValue, { shorten }: Walk, maxLength: number): string {
  return shorten(shownJson(value, maxLength), maxLength);
}

/** Truncates a text to `maxLength` characters, with `…` at the end. */
type Shorten = (text: string, maxLength: number) => string;

/** Creates a `Shorten` that returns at most `budget` characters in all, and only `…` after that. */
function textBudget(budget: number): Shorten {
  let remaining = budget;
  return (text, maxLength) => {
    const room = Math.min(remaining, maxLength);
    const shown = shortened(text, room);
    remaining = Math.max(0, remaining - shown.length);
    return shown;
  };
}

/** A part of a value before it is described. All rules in `schemas` apply to it. */
interface OutlinePart {
  readonly name: string;
  readonly literal: boolean;
  readonly required: boolean;
  /** The title that is part of the name, which the description leaves out. */
  readonly title?: string;
  readonly schemas: readonly SchemaRules[];
}

function cachedParts(layers: readonly SchemaRules[], walk: Walk): readonly OutlinePart[] {
  const listing = layers.filter(hasParts);
  const key = listing.map(({ id }) => id).join(" ");
  const cached = walk.parts.get(key);
  if (cached !== undefined) return cached;
  const parts = partsOf(listing, walk.language);
  if (listing.every(({ id }) => id !== noId)) walk.parts.set(key, parts);
  return parts;
}

/** Lists the parts one level below a value: first properties, then the others in the order of the keywords. */
function partsOf(layers: readonly SchemaRules[], language: Language): OutlinePart[] {
  return [
    ...propertiesOf(layers),
    ...outlined.flatMap((keyword) =>
      layers.flatMap((layer) => partsUnder(keyword, layer, language)),
    ),
  ];
}

function propertiesOf(layers: readonly SchemaRules[]): OutlinePart[] {
  const required = requiredNames(layers);
  const names = new Set([...describedNames(layers), ...required]);
  return [...names].map((name) => ({
    name,
    literal: true,
    required: required.has(name),
    schemas: layers.flatMap(({ properties }) => properties?.get(name) ?? []),
  }));
}

const outlined = keywordNames.filter((keyword) => rowOf(keyword).part);

function hasParts(layer: SchemaRules): boolean {
  return (layer.properties ?? layer.required) !== undefined || outlined.some((name) => layer[name]);
}

/** The ID of rules that only an outline has. */
const noId = -1;

function partsUnder(keyword: Keyword, layer: SchemaRules, { t }: Language): OutlinePart[] {
  const value = layer[keyword] as SchemaRules | SchemaRules[] | Map<string, SchemaRules | string[]>;
  const words = rowOf(keyword).part?.text ?? "";
  if (value instanceof Map) {
    return [...value].map(([name, rules]) =>
      partNamed(t(words, { name }), Array.isArray(rules) ? rulesRequiring(rules, layer) : rules),
    );
  }
  if (Array.isArray(value)) {
    const count = value.length;
    const placeOf = (number: number) => t(words, { number, index: number - 1, count });
    if (keyword !== "oneOf" && keyword !== "anyOf") {
      return value.map((rules, index) => partNamed(placeOf(index + 1), rules));
    }
    // A value has no more parts than that.
    const names = branchNames(value.slice(0, maxChildren), (_, number) => placeOf(number));
    return value.map((rules, index) => {
      const place = placeOf(index + 1);
      const name = names[index] ?? place;
      if (name === place) return partNamed(place, rules);
      return { ...partNamed(t("{place}: {name}", { place, name }), rules), title: name };
    });
  }
  const isFurther = keyword === "items" && layer.prefixItems !== undefined;
  return describing(isFurther ? t("each further item") : t(words), value);
}

function rulesRequiring(required: string[], { resource }: SchemaRules): SchemaRules {
  return { id: noId, pointer: undefined, resource, source: { required }, spelling: {}, required };
}

// An empty part, such as `true` or `{}`, is not worth a line.
function describing(name: string, rules: SchemaRules | undefined): OutlinePart[] {
  const isWorthIt = rules !== undefined && Object.keys(Object(rules.source)).length > 0;
  return isWorthIt ? [partNamed(name, rules)] : [];
}

function partNamed(name: string, rules: SchemaRules): OutlinePart {
  return { name, literal: false, required: false, schemas: [rules] };
}
