import type { JsonObject } from "../../../../../src/core/json/jsonValue";

/** Returns an object schema with these properties. */
export const object = (properties: JsonObject, more: JsonObject = {}): JsonObject => ({
  type: "object",
  properties,
  ...more,
});

/** The schema of a string. */
export const text: JsonObject = { type: "string" };
