import type { JsonObject, JsonValue } from "../../text/json";

/**
 * The values that are allowed where a schema lists them; a constant is a list of one. Of several lists
 * all hold, so the shortest says the most. Undefined where there is none.
 */
export function listedValues(layers: readonly JsonObject[]): readonly JsonValue[] | undefined {
  const lists = layers.flatMap((layer) => {
    if (layer["const"] !== undefined) return [[layer["const"]]];
    return Array.isArray(layer["enum"]) ? [layer["enum"]] : [];
  });
  return lists.sort((one, other) => one.length - other.length)[0];
}
