/** Any value that JSON text can stand for. */
export type JsonValue = string | number | boolean | null | JsonValue[] | JsonObject;

/** A JSON object. Values are read with bracket access; a missing name is undefined. */
export interface JsonObject {
  [name: string]: JsonValue;
}

/** Tells whether a value is a JSON object, neither an array nor null. */
export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
