import { isJsonObject, type JsonObject, type JsonValue } from "../../json/jsonValue";
import type { Language } from "../../text/language";
import { schemaLayers } from "./schemaLayers";
import type { ResolveReference } from "./schemaReferences";

/** Names the type of a value: "string", "integer or null", "array of string"; empty where any is allowed. */
export function schemaType(
  layers: readonly JsonObject[],
  resolve: ResolveReference,
  language: Language,
): string {
  const { t } = language;
  const names = typeNames(layers, resolve);
  const words = names.map((name) => {
    if (name !== "array") return name;
    const item = itemType(layers, resolve, language);
    return item === "" ? name : t("array of {type}", { type: item });
  });
  if (words.length < 2) return words.join("");
  const last = words.at(-1) ?? "";
  return t("{types} or {last}", { types: words.slice(0, -1).join(", "), last });
}

// Where nothing else tells, the alternatives do: a value is of the type of one of them.
function typeNames(layers: readonly JsonObject[], resolve: ResolveReference): string[] {
  const own = statedTypes(layers) ?? impliedTypes(layers);
  if (own.length > 0) return own;
  const alternatives = layers
    .flatMap((layer) => [layer["oneOf"], layer["anyOf"]])
    .find((list) => Array.isArray(list) && list.length <= 20);
  if (!Array.isArray(alternatives)) return [];
  const each = alternatives.map((schema) => {
    const { layers: branch } = schemaLayers([schema], resolve, () => false);
    return statedTypes(branch) ?? impliedTypes(branch);
  });
  return each.some((names) => names.length === 0) ? [] : [...new Set(each.flat())];
}

// Of several stated types all hold, so the one with the fewest alternatives says the most.
function statedTypes(layers: readonly JsonObject[]): string[] | undefined {
  const stated = layers.flatMap((layer) => {
    const type = layer["type"];
    if (typeof type === "string") return [[type]];
    if (!Array.isArray(type)) return [];
    return [type.slice(0, maxTypes).filter((name) => typeof name === "string")];
  });
  return stated.sort((a, b) => a.length - b.length)[0];
}

/** JSON knows seven. */
const maxTypes = 20;

function impliedTypes(layers: readonly JsonObject[]): string[] {
  const has = (keyword: string, fits: (value: unknown) => boolean) =>
    layers.some((layer) => fits(layer[keyword]));
  if (has("properties", isJsonObject) || has("required", Array.isArray)) return ["object"];
  if (has("patternProperties", isJsonObject)) return ["object"];
  if (has("prefixItems", Array.isArray) || has("contains", isJsonObject)) return ["array"];
  if (has("items", (items) => isJsonObject(items) || Array.isArray(items))) return ["array"];
  const values = layers.flatMap((layer) => {
    if (layer["const"] !== undefined) return [layer["const"]];
    return Array.isArray(layer["enum"]) ? layer["enum"].slice(0, 200) : [];
  });
  return [...new Set(values.map(typeOfValue))];
}

function itemType(
  layers: readonly JsonObject[],
  resolve: ResolveReference,
  { t }: Language,
): string {
  const items = layers.map((layer) => layer["items"]).find(isJsonObject);
  if (items === undefined) return "";
  const { layers: itemLayers } = schemaLayers([items], resolve, () => false);
  const names = statedTypes(itemLayers) ?? impliedTypes(itemLayers);
  if (names.length < 2) return names.join("");
  return t("{types} or {last}", {
    types: names.slice(0, -1).join(", "),
    last: names.at(-1) ?? "",
  });
}

function typeOfValue(value: JsonValue): string {
  if (value === null) return "null";
  if (Array.isArray(value)) return "array";
  return typeof value;
}
