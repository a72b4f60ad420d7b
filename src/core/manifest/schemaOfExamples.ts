import {
  isJsonObject,
  type JsonObject,
  type JsonType,
  type JsonValue,
  jsonTypeOf,
} from "../json/jsonValue";

/** The maximum depth that is described. Deeper values may be anything. */
const maxDepth = 12;
/** The maximum number of properties. An object with more is a map, whose names mean nothing. */
const maxProperties = 100;

/**
 * Describes example values by a schema: their types and properties, of which those in every example are required. The
 * values themselves stay out of it, since a manifest is public. It has no limits, since examples do not show what else
 * is allowed.
 */
export function schemaOfExamples(values: readonly JsonValue[]): JsonObject {
  return describe(values, 0);
}

function describe(values: readonly JsonValue[], depth: number): JsonObject {
  const types = typesOf(values);
  const [only] = types;
  if (only === undefined || depth > maxDepth) return {};
  const type = types.length === 1 ? only : [...types];
  return {
    type,
    ...objectRules(values.filter(isJsonObject), depth),
    ...itemRules(values.filter(Array.isArray), depth),
  };
}

function typesOf(values: readonly JsonValue[]): readonly JsonType[] {
  const types = new Set(values.map(jsonTypeOf));
  // Every integer is a number too.
  if (types.has("number")) types.delete("integer");
  return [...types];
}

function objectRules(objects: readonly JsonObject[], depth: number): JsonObject {
  if (objects.length === 0) return {};
  const names = [...new Set(objects.flatMap((object) => Object.keys(object)))];
  if (names.length > maxProperties) return {};
  const valuesOf = (name: string) =>
    objects.flatMap((object) => (Object.hasOwn(object, name) ? [object[name] as JsonValue] : []));
  const required = names.filter((name) => valuesOf(name).length === objects.length);
  const properties = Object.fromEntries(
    names.map((name) => [name, describe(valuesOf(name), depth + 1)]),
  );
  return { properties, ...(required.length > 0 && { required }) };
}

function itemRules(lists: readonly (readonly JsonValue[])[], depth: number): JsonObject {
  const items = lists.flat();
  return items.length === 0 ? {} : { items: describe(items, depth + 1) };
}
