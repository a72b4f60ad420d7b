import { isJsonObject, type JsonObject, type JsonValue } from "../../text/json";
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
