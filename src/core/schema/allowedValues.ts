import { canonicalText, type JsonType, type JsonValue, jsonTypeOf } from "../json/jsonValue";
import { type Keyword, keywordsWith } from "./keywords";
import type { SchemaRules } from "./schemaRules";

/**
 * Lists the values that `const` and `enum` allow in all of the schemas. `const` counts as a list of one value.
 * Undefined if no schema lists values, since any value may be allowed.
 */
export function allowedValues(layers: readonly SchemaRules[]): readonly JsonValue[] | undefined {
  const [first, ...others] = layers.flatMap((layer) => [
    ...(layer.const === undefined ? [] : [[layer.const]]),
    ...(layer.enum === undefined ? [] : [layer.enum]),
  ]);
  if (first === undefined || others.length === 0) return first;
  const otherLists = others.map((values) => new Set(values.map(canonicalText)));
  return first.filter((value) => otherLists.every((texts) => texts.has(canonicalText(value))));
}

/**
 * Lists the types that all of the schemas allow, spelled as in the most specific schema. Undefined if no schema states
 * a type.
 */
export function statedTypes(layers: readonly SchemaRules[]): readonly JsonType[] | undefined {
  const stated = layers.flatMap(({ types }) => (types === undefined ? [] : [types]));
  const [first, ...others] = stated.toSorted((left, right) => left.length - right.length);
  if (first === undefined || others.length === 0) return first;
  const allow = (types: readonly JsonType[], type: JsonType) =>
    types.includes(type) || (type === "integer" && types.includes("number"));
  const narrowed = first.flatMap((type): JsonType[] => {
    if (others.every((types) => allow(types, type))) return [type];
    return type === "number" && others.every((types) => types.includes("integer"))
      ? ["integer"]
      : [];
  });
  return [...new Set(narrowed)];
}

/**
 * Lists the types that schemas state, or else the types that their values or keywords imply. Empty if nothing states or
 * implies a type.
 */
export function likelyTypes(layers: readonly SchemaRules[]): readonly JsonType[] {
  return statedTypes(layers) ?? impliedTypes(layers);
}

/**
 * Lists the types that the allowed values of schemas imply, or else those that their keywords imply. Empty if nothing
 * implies a type.
 */
export function impliedTypes(layers: readonly SchemaRules[]): readonly JsonType[] {
  const values = allowedValues(layers);
  if (values !== undefined) {
    return [...new Set(values.map((it) => (typeof it === "number" ? "number" : jsonTypeOf(it))))];
  }
  const implied = typeKeywords.find(({ keywords }) =>
    keywords.some((keyword) => layers.some((layer) => describes(layer, keyword))),
  );
  return implied === undefined ? [] : [implied.type];
}

const typeKeywords = (["object", "array", "string", "number"] as const).map((type) => ({
  type,
  keywords: keywordsWith({ of: type }),
}));

/** Returns whether a layer has a keyword. An empty subschema and `true` do not count. */
function describes(layer: SchemaRules, keyword: Keyword): boolean {
  const value = layer[keyword];
  if (typeof value !== "object" || value === null || !("source" in value))
    return value !== undefined;
  return value.never === true || (typeof value.source === "object" && value.source !== null);
}
