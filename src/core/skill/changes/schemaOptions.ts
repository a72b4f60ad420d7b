import { schemaLayers } from "../../schemaOutline/schemaLayers";
import type { ResolveReference } from "../../schemaOutline/schemaReferences";
import { isJsonObject, type JsonObject, type JsonValue } from "../../text/json";

/** One of the alternatives of a value. */
export interface SchemaOption {
  /** What tells it from the others, unique among them; its place from 1 where nothing does. */
  readonly name: string;
  readonly isNamed: boolean;
  readonly schema: JsonValue;
}

/** Lists the alternatives of a value; undefined where the schema has none. */
export function schemaOptions(
  layers: readonly JsonObject[],
  resolve: ResolveReference,
): SchemaOption[] | undefined {
  const list = layers.flatMap((layer) => [layer["oneOf"], layer["anyOf"]]).find(Array.isArray);
  if (!Array.isArray(list)) return undefined;
  const met = new Set<string>();
  return list.slice(0, maxOptions).map((schema, index) => {
    const place = String(index + 1);
    const given = nameOf(schema, resolve);
    const name = given === undefined ? place : met.has(given) ? `${given} (${place})` : given;
    met.add(name);
    return { name, isNamed: given !== undefined, schema };
  });
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
