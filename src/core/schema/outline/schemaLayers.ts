import { isJsonObject, type JsonObject, type JsonValue } from "../../json/jsonValue";
import type { ResolveReference } from "./schemaReferences";

/** The schema objects that all hold for one value: itself, what its `$ref`s lead to and its `allOf`. */
export interface SchemaLayers {
  readonly layers: readonly JsonObject[];
  /** True where the schema allows no value at all. */
  readonly impossible: boolean;
  /** Schemas that hold as well, but are being described further up already. */
  readonly repeated: readonly JsonObject[];
  /** References that lead out of the document or nowhere. */
  readonly unresolved: readonly string[];
}

/** Gathers the layers of one value. `isAbove` tells a schema that is being described further up. */
export function schemaLayers(
  schemas: readonly JsonValue[],
  resolve: ResolveReference,
  isAbove: (schema: JsonObject) => boolean,
): SchemaLayers {
  const layers: JsonObject[] = [];
  const unresolved: string[] = [];
  let impossible = false;
  const repeated: JsonObject[] = [];
  const waiting = [...schemas].reverse();
  for (let schema = waiting.pop(); schema !== undefined; schema = waiting.pop()) {
    if (schema === false) impossible = true;
    if (!isJsonObject(schema) || layers.includes(schema)) continue;
    if (isAbove(schema)) {
      repeated.push(schema);
      continue;
    }
    layers.push(schema);
    if (layers.length === maxLayers) break;
    const inner = Array.isArray(schema["allOf"]) ? schema["allOf"] : [];
    for (const part of inner.slice(0, maxLayers).reverse()) waiting.push(part);
    for (const reference of [schema["$dynamicRef"], schema["$ref"]]) {
      if (typeof reference !== "string") continue;
      const target = resolve(reference);
      if (target === undefined) unresolved.push(reference);
      else waiting.push(target);
    }
  }
  return { layers, impossible, repeated, unresolved };
}

const maxLayers = 64;
