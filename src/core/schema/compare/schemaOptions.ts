import { boundedText, type TextBudget } from "../../json/canonicalJson";
import { isJsonObject, type JsonObject, type JsonValue } from "../../json/jsonValue";
import { schemaLayers } from "../outline/schemaLayers";
import type { ResolveReference } from "../outline/schemaReferences";

/** One of the alternatives of a value. */
interface SchemaOption {
  /** What tells it from the others, unique among them; its place from 1 where nothing does. */
  readonly name: string;
  readonly isNamed: boolean;
  readonly schema: JsonValue;
}

/** Lists the alternatives of a value; undefined where the schema has none. */
export function schemaOptions(
  layers: readonly JsonObject[],
  resolve: ResolveReference,
): SchemaOption[] | undefined {
  const list = layers.flatMap((layer) => [layer["oneOf"], layer["anyOf"]]).find(Array.isArray);
  if (!Array.isArray(list)) return undefined;
  const met = new Set<string>();
  return list.slice(0, maxOptions).map((schema, index) => {
    const place = String(index + 1);
    const given = nameOf(schema, resolve);
    const name = given === undefined ? place : met.has(given) ? `${given} (${place})` : given;
    met.add(name);
    return { name, isNamed: given !== undefined, schema };
  });
}

const maxOptions = 300;

// A title is what the author calls it; a constant property is what a reader of the data goes by.
function nameOf(option: JsonValue, resolve: ResolveReference): string | undefined {
  const { layers } = schemaLayers([option], resolve, () => false);
  return layers.map((layer) => discriminatorOf(layer) ?? titleOf(layer)).find((name) => name);
}

function titleOf({ title, type }: JsonObject): string | undefined {
  if (typeof title === "string" && title.trim() !== "") return title;
  return typeof type === "string" && type !== "object" ? type : undefined;
}

function discriminatorOf({ properties }: JsonObject): string | undefined {
  if (!isJsonObject(properties)) return undefined;
  for (const [name, schema] of Object.entries(properties).slice(0, maxOptions)) {
    const value = isJsonObject(schema) ? schema["const"] : undefined;
    if (typeof value === "string") return `${name}: ${value}`;
  }
  return undefined;
}

/** An alternative before and after; undefined on the side that does not have it. */
interface OptionPair {
  readonly name: string;
  readonly before?: JsonValue;
  readonly after?: JsonValue;
}

/**
 * Finds which alternatives of two lists belong together: those of one name; of those without a name the
 * ones that are written alike, whatever their place, and the rest in their order.
 */
export function optionPairs(
  before: readonly SchemaOption[],
  after: readonly SchemaOption[],
  budget: TextBudget,
): OptionPair[] {
  const left = new Set(after);
  const take = (fits: (option: SchemaOption) => boolean) => {
    const found = [...left].find(fits);
    if (found !== undefined) left.delete(found);
    return found;
  };
  const texts = new Map(
    [...before, ...after]
      .filter(({ isNamed }) => !isNamed)
      .map((option) => [option, boundedText(option.schema, budget)]),
  );
  const found = new Map(
    before.map((option) => [
      option,
      option.isNamed
        ? take(({ isNamed, name }) => isNamed && name === option.name)
        : take((other) => !other.isNamed && texts.get(other) === texts.get(option)),
    ]),
  );
  const pairs = before.map((option): OptionPair => {
    const later =
      found.get(option) ?? (option.isNamed ? undefined : take(({ isNamed }) => !isNamed));
    return later === undefined
      ? { name: option.name, before: option.schema }
      : { name: later.name, before: option.schema, after: later.schema };
  });
  return [...pairs, ...[...left].map(({ name, schema }) => ({ name, after: schema }))];
}

type Layers = readonly JsonObject[];

/**
 * Writes alternatives that differ in nothing but their type, or in one constant each, as one list of
 * types or values, so that both ways to say it compare as the same. Leaves both sides as they are where
 * one has alternatives of another kind: those are compared one by one.
 */
export function plainAlternatives(before: Layers, after: Layers): [Layers, Layers] {
  const [old, now] = [before.map(withoutPlain), after.map(withoutPlain)];
  return [...old, ...now].some(hasAlternatives) ? [before, after] : [old, now];
}

function hasAlternatives({ anyOf, oneOf }: JsonObject): boolean {
  return Array.isArray(anyOf) || Array.isArray(oneOf);
}

function withoutPlain(layer: JsonObject): JsonObject {
  for (const keyword of ["anyOf", "oneOf"]) {
    const options = layer[keyword];
    if (!Array.isArray(options) || options.length === 0) continue;
    const { [keyword]: _, ...rest } = layer;
    const types = rest["type"] === undefined ? onlyOf("type", options) : undefined;
    // A whole number would fit two of them, which oneOf refuses.
    const overlap = keyword === "oneOf" && types?.includes("integer") && types.includes("number");
    if (types !== undefined && !overlap) return { ...rest, type: types.flat() };
    const values = rest["enum"] === undefined ? onlyOf("const", options) : undefined;
    if (values !== undefined) return { ...rest, enum: values };
  }
  return layer;
}

function onlyOf(keyword: string, options: readonly JsonValue[]): JsonValue[] | undefined {
  const values = options.map((option) =>
    isJsonObject(option) &&
    Object.keys(option).every((name) => name === keyword || silent.has(name))
      ? option[keyword]
      : undefined,
  );
  return values.every((value) => value !== undefined) ? values : undefined;
}

const silent = new Set(["title", "description", "$comment", "examples"]);
