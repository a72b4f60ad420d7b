import { schemaLayers } from "../schemaOutline/schemaLayers";
import type { ResolveReference } from "../schemaOutline/schemaReferences";
import { isJsonObject, type JsonObject, type JsonValue } from "../text/json";

const maxDepth = 4;
const maxStops = 40;

/**
 * Writes an object with every property its schema requires as an editor snippet: a stop for each
 * value, filled with its constant, default, first value or example. A schema's own `$` and `}` are
 * escaped, so that nothing in it acts. Undefined where the schema requires nothing.
 */
export function requiredSnippet(schema: JsonObject, resolve: ResolveReference): string | undefined {
  const { layers } = schemaLayers([schema], resolve, () => false);
  if (requiredNames(layers).length === 0) return undefined;
  let stops = 0;
  const stop = (content: string) => {
    stops += 1;
    return content === "" ? `\${${stops}}` : `\${${stops}:${escaped(content)}}`;
  };

  const object = (of: readonly JsonObject[], depth: number): string => {
    const indent = "\t".repeat(depth);
    const lines = requiredNames(of).map((name) => {
      const key = escaped(JSON.stringify(name));
      return `${indent}${key}: ${value(layersOf(of, name, resolve), depth)}`;
    });
    return `{\n${lines.join(",\n")}\n${"\t".repeat(depth - 1)}}`;
  };

  const value = (of: readonly JsonObject[], depth: number): string => {
    const known = knownValue(of);
    if (known !== undefined) {
      const text = JSON.stringify(known);
      return text.length > 500 ? stop("") : stop(text);
    }
    if (requiredNames(of).length > 0 && depth < maxDepth && stops < maxStops) {
      return object(of, depth + 1);
    }
    switch (typeOf(of)) {
      case "string":
        return `"${stop("")}"`;
      case "number":
      case "integer":
        return stop("0");
      case "boolean":
        return stop("false");
      case "array":
        return `[${stop("")}]`;
      case "object":
        return `{${stop("")}\\}`;
      case "null":
        return "null";
      default:
        return stop("");
    }
  };
  return object(layers, 1);
}

/** The names a schema requires, in the order in which it describes them, at most 40. */
export function requiredNames(layers: readonly JsonObject[]): string[] {
  const required = new Set(
    layers.flatMap(({ required: names }) =>
      Array.isArray(names) ? names.filter((name) => typeof name === "string") : [],
    ),
  );
  const described = layers.flatMap(({ properties }) =>
    isJsonObject(properties) ? Object.keys(properties) : [],
  );
  const inOrder = described.filter((name) => required.has(name));
  return [...new Set([...inOrder, ...required])].slice(0, maxStops);
}

function layersOf(
  layers: readonly JsonObject[],
  name: string,
  resolve: ResolveReference,
): readonly JsonObject[] {
  const schemas = layers.flatMap(({ properties }) =>
    isJsonObject(properties) && Object.hasOwn(properties, name) ? [properties[name] ?? true] : [],
  );
  return schemaLayers(schemas, resolve, () => false).layers;
}

function knownValue(layers: readonly JsonObject[]): JsonValue | undefined {
  for (const layer of layers) {
    for (const keyword of ["const", "default"]) {
      if (Object.hasOwn(layer, keyword)) return layer[keyword];
    }
    for (const keyword of ["enum", "examples"]) {
      const values = layer[keyword];
      if (Array.isArray(values) && values.length > 0) return values[0];
    }
  }
  return undefined;
}

function typeOf(layers: readonly JsonObject[]): JsonValue | undefined {
  const type = layers.find((layer) => layer["type"] !== undefined)?.["type"];
  return Array.isArray(type) ? type[0] : type;
}

function escaped(text: string): string {
  return text.replaceAll(/[\\$}]/g, "\\$&");
}
