import { jsonTypeOf } from "../../json/jsonValue";
import type { Language } from "../../text/language";
import { isDescribed, schemaLayers } from "../schemaLayers";
import type { SchemaRules } from "../schemaRules";

type Read = (rules: SchemaRules) => SchemaRules;

/** Names the type of a value: "string", "integer or null", "array of string"; empty where any is allowed. */
export function schemaType(
  layers: readonly SchemaRules[],
  language: Language,
  read?: Read,
): string {
  const { t } = language;
  const names = typeNames(layers, read);
  const words = names.map((name) => {
    if (name !== "array") return name;
    const item = itemType(layers, language, read);
    return item === "" ? name : t("array of {type}", { type: item });
  });
  if (words.length < 2) return words.join("");
  const last = words.at(-1) ?? "";
  return t("{types} or {last}", { types: words.slice(0, -1).join(", "), last });
}

// Where no type is stated or implied, the value is of the type of one of the alternatives.
function typeNames(layers: readonly SchemaRules[], read?: Read): readonly string[] {
  const own = ownTypes(layers);
  if (own.length > 0) return own;
  const alternatives = layers
    .flatMap(({ oneOf, anyOf }) => [oneOf, anyOf])
    .find((list) => list !== undefined && list.length <= 20);
  if (alternatives === undefined) return [];
  const each = alternatives.map((rules) => ownTypes(schemaLayers([rules], read).layers));
  return each.some((names) => names.length === 0) ? [] : [...new Set(each.flat())];
}

function ownTypes(layers: readonly SchemaRules[]): readonly string[] {
  return statedTypes(layers) ?? impliedTypes(layers);
}

// Of several stated types all hold, so the one with the fewest alternatives is the most specific.
function statedTypes(layers: readonly SchemaRules[]): readonly string[] | undefined {
  const stated = layers.flatMap(({ types }) => (types === undefined ? [] : [types]));
  return stated.sort((one, other) => one.length - other.length)[0];
}

const maxValues = 200;

function impliedTypes(layers: readonly SchemaRules[]): readonly string[] {
  const isObject = layers.some(
    ({ properties, required, patternProperties }) =>
      (properties ?? required ?? patternProperties) !== undefined,
  );
  if (isObject) return ["object"];
  const isArray = layers.some(
    ({ prefixItems, contains, items }) =>
      prefixItems !== undefined ||
      [contains, items].some((rules) => rules !== undefined && isDescribed(rules)),
  );
  if (isArray) return ["array"];
  const values = layers.flatMap((rules) =>
    rules.hasConst ? [rules.const] : (rules.enum?.slice(0, maxValues) ?? []),
  );
  const types = values.map((value) => (typeof value === "number" ? "number" : jsonTypeOf(value)));
  return [...new Set(types)];
}

function itemType(layers: readonly SchemaRules[], { t }: Language, read?: Read): string {
  const items = layers
    .filter(({ prefixItems }) => prefixItems === undefined)
    .flatMap((layer) => layer.items ?? [])
    .find(isDescribed);
  if (items === undefined) return "";
  const names = ownTypes(schemaLayers([items], read).layers);
  if (names.length < 2) return names.join("");
  return t("{types} or {last}", {
    types: names.slice(0, -1).join(", "),
    last: names.at(-1) ?? "",
  });
}
