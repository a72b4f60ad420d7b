import { schemaLayers } from "../../schemaOutline/schemaLayers";
import type { ResolveReference } from "../../schemaOutline/schemaReferences";
import { isJsonObject, type JsonObject, type JsonValue } from "../../text/json";

/** The alternatives of a value by what tells them apart; undefined where the schema has none. */
export function schemaOptions(
  layers: readonly JsonObject[],
  resolve: ResolveReference,
): Map<string, JsonValue> | undefined {
  const list = layers.flatMap((layer) => [layer["oneOf"], layer["anyOf"]]).find(Array.isArray);
  if (!Array.isArray(list)) return undefined;
  const options = new Map<string, JsonValue>();
  for (const [index, option] of list.slice(0, maxOptions).entries()) {
    const name = nameOf(option, resolve) ?? String(index + 1);
    options.set(options.has(name) ? `${name} (${index + 1})` : name, option);
  }
  return options;
}

const maxOptions = 300;

// A title is what the author calls it; a constant property is what a reader of the data goes by.
function nameOf(option: JsonValue, resolve: ResolveReference): string | undefined {
  const { layers } = schemaLayers([option], resolve, () => false);
  return layers.map((layer) => discriminatorOf(layer) ?? titleOf(layer)).find((name) => name);
}

function titleOf({ title, type }: JsonObject): string | undefined {
  if (typeof title === "string" && title.trim() !== "") return title;
  return typeof type === "string" && type !== "object" ? type : undefined;
}

function discriminatorOf({ properties }: JsonObject): string | undefined {
  if (!isJsonObject(properties)) return undefined;
  for (const [name, schema] of Object.entries(properties).slice(0, maxOptions)) {
    const value = isJsonObject(schema) ? schema["const"] : undefined;
    if (typeof value === "string") return `${name}: ${value}`;
  }
  return undefined;
}
