/** The names JSON Schema gives to the kinds of JSON values. */
export type JsonType = "null" | "boolean" | "object" | "array" | "number" | "integer" | "string";

/** Any JSON object. Its keys are data: read them with `Object.hasOwn` or `Object.entries`. */
export type JsonObject = Record<string, unknown>;

/** Tells whether a JSON value is an object, not an array. */
export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Reads a property that the object itself has; nothing for one it inherits. */
export function ownValue(object: JsonObject, key: string): unknown {
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
