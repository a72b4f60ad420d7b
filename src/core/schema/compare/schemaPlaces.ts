import { boundedText } from "../../json/canonicalJson";
import { isJsonObject, type JsonObject, type JsonValue } from "../../json/jsonValue";
import type { SchemaStep } from "./schemaChange";

/** A value inside another one, with every schema that holds for it. */
export interface SchemaPlace {
  readonly step: SchemaStep;
  readonly schemas: readonly JsonValue[];
  readonly required: boolean;
}

/** Lists the properties that schemas name, by name. */
export function propertyPlaces(layers: readonly JsonObject[]): Map<string, SchemaPlace> {
  const required = new Set(layers.flatMap((layer) => requiredNames(layer)));
  const schemas = new Map<string, JsonValue[]>();
  for (const layer of layers) {
    for (const [name, schema] of membersOf(layer["properties"])) {
      schemas.set(name, [...(schemas.get(name) ?? []), schema]);
    }
  }
  for (const name of required) if (!schemas.has(name)) schemas.set(name, []);
  return new Map(
    [...schemas].map(([name, given]) => [
      name,
      { step: { to: "property", name }, schemas: given, required: required.has(name) },
    ]),
  );
}

/** Lists what else lies below a value and has one place in both schemas: items and other properties. */
export function otherPlaces(layers: readonly JsonObject[]): Map<string, SchemaPlace> {
  const places = new Map<string, SchemaPlace>();
  const add = (key: string, step: SchemaStep, schema: JsonValue | undefined) => {
    if (schema === undefined || typeof schema === "boolean") return;
    const known = places.get(key)?.schemas ?? [];
    places.set(key, { step, schemas: [...known, schema], required: false });
  };
  for (const layer of layers) {
    const { items, prefixItems } = layer;
    const first = Array.isArray(prefixItems) ? prefixItems : Array.isArray(items) ? items : [];
    for (const [index, schema] of first.entries()) {
      add(`item ${index}`, { to: "item", index }, schema);
    }
    add("items", { to: "items" }, Array.isArray(items) ? layer["additionalItems"] : items);
    const others = layer["additionalProperties"];
    add("others", { to: "otherProperties", pattern: "" }, others);
    for (const [pattern, schema] of membersOf(layer["patternProperties"])) {
      add(`names ${pattern}`, { to: "otherProperties", pattern }, schema);
    }
  }
  return places;
}

function requiredNames(layer: JsonObject): string[] {
  const { required } = layer;
  return Array.isArray(required) ? required.filter((name) => typeof name === "string") : [];
}

function membersOf(value: JsonValue | undefined): [string, JsonValue][] {
  return isJsonObject(value) ? Object.entries(value) : [];
}

/**
 * Guesses which properties got another name: one that went and one that came which are written alike,
 * where no other is. Answers the new name by the old one.
 */
export function renamedProperties(
  gone: readonly (readonly [string, SchemaPlace])[],
  come: readonly (readonly [string, SchemaPlace])[],
): ReadonlyMap<string, string> {
  if (gone.length > maxGuessed || come.length > maxGuessed) return new Map();
  const [old, now] = [byText(gone), byText(come)];
  return new Map(
    [...old].flatMap(([text, names]) => {
      const [name, ...others] = names;
      const [later, ...laterOthers] = now.get(text) ?? [];
      const isSure = others.length === 0 && laterOthers.length === 0;
      return isSure && name !== undefined && later !== undefined ? [[name, later]] : [];
    }),
  );
}

const maxGuessed = 20;
const maxCharacters = 10_000;

function byText(places: readonly (readonly [string, SchemaPlace])[]): Map<string, string[]> {
  const names = new Map<string, string[]>();
  for (const [name, { schemas }] of places) {
    const budget = { charactersLeft: maxCharacters, exceeded: false };
    const text = boundedText([...schemas], budget);
    // What says nothing is like anything else that says nothing.
    const isTelling = text !== "[]" && text !== "[{}]" && text !== "[true]";
    if (isTelling && !budget.exceeded) names.set(text, [...(names.get(text) ?? []), name]);
  }
  return names;
}
