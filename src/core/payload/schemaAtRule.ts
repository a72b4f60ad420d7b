import { pointerStep, pointerSteps } from "../jsonSchema/jsonPointer";
import { samplePayload } from "../sampling/samplePayload";
import { schemaLayers } from "../schemaOutline/schemaLayers";
import { localReferences } from "../schemaOutline/schemaReferences";
import { isJsonObject, type JsonObject, type JsonValue } from "../text/json";
import { english } from "../text/language";

/** What a schema says of the object or array that a failed rule is about. */
export interface SchemaAtRule {
  /** Names of the properties in the order the schema gives them, those of a branch behind its own. */
  readonly names: readonly string[];
  /** A value for a property: its constant, default, first value or example, else one made for its type. */
  sampleOf(name: string): PropertySample;
  /** The types an item may have; empty where the schema does not say. */
  readonly itemTypes: readonly string[];
  /** Values for the item at an index, the likeliest first; never empty. */
  itemsAt(index: number): readonly JsonValue[];
  /** All schemas that hold for the value, references followed. */
  readonly layers: readonly JsonObject[];
}

/** `isGiven` means that the schema itself leaves no other choice, or names this one its default. */
export interface PropertySample {
  readonly value: JsonValue;
  readonly isGiven: boolean;
}

/** Gathers what a schema says around a failed rule, `rulePointer` being the rule's place in it. */
export function schemaAtRule(
  schema: JsonValue | undefined,
  rulePointer: string | undefined,
): SchemaAtRule {
  const root = schema ?? true;
  const resolve = localReferences(root);
  const steps = pointerSteps(rulePointer ?? "").slice(0, -1);
  const places = inPlaceAncestors(steps).map((pointer) => resolve(`#${encodeURI(pointer)}`));
  const found = places.filter((place) => place !== undefined);
  const { layers } = schemaLayers(found.length > 0 ? found : [root], resolve, () => false);
  const propertiesOf = (list: readonly JsonObject[]) =>
    list.map((layer) => layer["properties"]).filter(isJsonObject);
  const members = propertiesOf(layers);
  const outermostFirst = schemaLayers(found.toReversed(), resolve, () => false).layers;
  const layersOf = (name: string) => {
    const own = members.flatMap((properties) =>
      Object.hasOwn(properties, name) ? [properties[name] ?? true] : [],
    );
    return schemaLayers(own, resolve, () => false).layers;
  };
  const items = layers.map((layer) => layer["items"]).filter(isJsonObject);
  return {
    names: [...new Set(propertiesOf(outermostFirst).flatMap((some) => Object.keys(some)))],
    sampleOf: (name) => sampleFrom(layersOf(name), root),
    itemTypes: schemaLayers(items, resolve, () => false).layers.flatMap(typesOf),
    itemsAt: (index) => {
      const of = layers.flatMap((layer) => itemSchemas(layer, index));
      const { layers: all } = schemaLayers(of, resolve, () => false);
      const listed = all.flatMap((layer) => [
        ...listOf(layer["enum"]),
        ...listOf(layer["examples"]),
      ]);
      return [sampleFrom(all, root).value, ...listed];
    },
    layers,
  };
}

/** What a schema says of the item at an index: of one in the list of first items, or of the rest. */
function itemSchemas(layer: JsonObject, index: number): JsonValue[] {
  const { prefixItems, items, additionalItems } = layer;
  const first = listOf(prefixItems ?? items);
  const rest = Array.isArray(items) ? additionalItems : items;
  const own = index < first.length ? first[index] : rest;
  return own === undefined ? [] : [own];
}

function listOf(value: JsonValue | undefined): readonly JsonValue[] {
  return Array.isArray(value) ? value : [];
}

const branchLists = ["allOf", "anyOf", "oneOf", "dependentSchemas", "dependencies"];
const branches = ["if", "then", "else", "not"];

/** The schema at these steps and those around it that speak of the same value, innermost first. */
function inPlaceAncestors(steps: readonly string[]): string[] {
  const pointer = steps.map((step) => `/${pointerStep(step)}`).join("");
  if (branchLists.includes(steps.at(-2) ?? "")) {
    return [pointer, ...inPlaceAncestors(steps.slice(0, -2))];
  }
  if (branches.includes(steps.at(-1) ?? "")) {
    return [pointer, ...inPlaceAncestors(steps.slice(0, -1))];
  }
  return [pointer];
}

function sampleFrom(layers: readonly JsonObject[], root: JsonValue): PropertySample {
  const first = (keyword: string) =>
    layers.find((layer) => Object.hasOwn(layer, keyword))?.[keyword];
  const constant = first("const");
  if (constant !== undefined) return { value: constant, isGiven: true };
  const preset = first("default");
  if (preset !== undefined) return { value: preset, isGiven: true };
  const values = first("enum");
  if (Array.isArray(values) && values[0] !== undefined) {
    return { value: values[0], isGiven: values.length === 1 };
  }
  const examples = first("examples");
  if (Array.isArray(examples) && examples[0] !== undefined) {
    return { value: examples[0], isGiven: false };
  }
  if (layers.length === 0) return { value: null, isGiven: false };
  const merged: JsonObject = Object.assign({}, shared(root), ...layers.toReversed());
  const { value } = samplePayload(merged, { mode: "minimal" }, english);
  return { value: value as JsonValue, isGiven: false };
}

/** What references inside a part of a schema may lead to. */
function shared(root: JsonValue): JsonObject {
  if (!isJsonObject(root)) return {};
  const names = ["$schema", "$defs", "definitions"];
  return Object.fromEntries(
    names.flatMap((name) => (root[name] === undefined ? [] : [[name, root[name]]])),
  );
}

function typesOf({ type }: JsonObject): string[] {
  if (typeof type === "string") return [type];
  return Array.isArray(type) ? type.filter((name) => typeof name === "string") : [];
}
