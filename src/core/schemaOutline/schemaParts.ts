import { isJsonObject, type JsonObject, type JsonValue } from "../text/json";
import type { Language } from "../text/language";

/** A place in the outline before it is described: every schema in `schemas` holds for its value. */
export interface OutlinePlace {
  readonly name: string;
  readonly literal: boolean;
  readonly required: boolean;
  readonly schemas: readonly JsonValue[];
}

/**
 * Lists what lies one level below a value: properties, items, alternatives and conditions, in this
 * order. Of each keyword at most 300 are listed; `unlistedParts` counts the rest.
 */
export function schemaParts(layers: readonly JsonObject[], language: Language): OutlinePlace[] {
  return [
    ...properties(layers),
    ...otherProperties(layers, language),
    ...items(layers, language),
    ...layers.flatMap((layer) => alternatives(layer, language)),
    ...layers.flatMap((layer) => conditions(layer, language)),
  ];
}

/** Counts what `schemaParts` leaves out. */
export function unlistedParts(layers: readonly JsonObject[]): number {
  const sizes = layers.flatMap((layer) => partKeywords.map((keyword) => sizeOf(layer[keyword])));
  return sizes.reduce((sum, size) => sum + Math.max(0, size - maxListed), 0);
}

const maxListed = 300;

const partKeywords = [
  "properties",
  "patternProperties",
  "prefixItems",
  "items",
  "oneOf",
  "anyOf",
  "dependentSchemas",
  "dependentRequired",
  "dependencies",
];

function properties(layers: readonly JsonObject[]): OutlinePlace[] {
  const required = new Set(layers.flatMap((layer) => stringsOf(layer["required"])));
  const byName = new Map<string, JsonValue[]>();
  for (const layer of layers) {
    // Draft 3, still met in the wild, marks each required property by itself.
    const marksEach = !Array.isArray(layer["required"]);
    for (const [name, schema] of membersOf(layer["properties"])) {
      byName.set(name, [...(byName.get(name) ?? []), schema]);
      if (marksEach && isJsonObject(schema) && schema["required"] === true) required.add(name);
    }
  }
  for (const name of required) if (!byName.has(name)) byName.set(name, []);
  return [...byName].map(([name, schemas]) => ({
    name,
    literal: true,
    required: required.has(name),
    schemas,
  }));
}

function otherProperties(layers: readonly JsonObject[], { t }: Language): OutlinePlace[] {
  return layers.flatMap((layer) => [
    ...membersOf(layer["patternProperties"]).map(([pattern, schema]) =>
      about(t("names that match /{pattern}/", { pattern }), schema),
    ),
    ...describing(t("any other property"), layer["additionalProperties"]),
    ...describing(t("every property name"), layer["propertyNames"]),
  ]);
}

function items(layers: readonly JsonObject[], { t }: Language): OutlinePlace[] {
  return layers.flatMap((layer) => {
    const { items: each, prefixItems, contains } = layer;
    const first = listOf(prefixItems ?? (Array.isArray(each) ? each : undefined));
    const rest = Array.isArray(each) ? layer["additionalItems"] : each;
    return [
      ...first.map((schema, index) => about(t("item {number}", { number: index + 1 }), schema)),
      ...describing(first.length > 0 ? t("each further item") : t("each item"), rest),
      ...describing(t("at least one item"), contains),
    ];
  });
}

function alternatives(layer: JsonObject, { t }: Language): OutlinePlace[] {
  const exactlyOne = listOf(layer["oneOf"]);
  const atLeastOne = listOf(layer["anyOf"]);
  return [
    ...exactlyOne.map((schema, index) => {
      const numbers = { number: index + 1, count: sizeOf(layer["oneOf"]) };
      return about(t("option {number} of {count}", numbers), schema);
    }),
    ...atLeastOne.map((schema, index) => {
      const numbers = { number: index + 1, count: sizeOf(layer["anyOf"]) };
      return about(t("choice {number} of {count}", numbers), schema);
    }),
  ];
}

function conditions(layer: JsonObject, { t }: Language): OutlinePlace[] {
  return [
    ...describing(t("never this"), layer["not"]),
    ...describing(t("if this holds"), layer["if"]),
    ...(layer["if"] === undefined
      ? []
      : [
          ...describing(t("then this holds too"), layer["then"]),
          ...describing(t("otherwise this holds"), layer["else"]),
        ]),
    ...dependencies(layer).map(([name, schema]) =>
      about(t("when “{name}” is given", { name }), schema),
    ),
  ];
}

function dependencies(layer: JsonObject): [string, JsonValue][] {
  const names = ["dependentSchemas", "dependentRequired", "dependencies"];
  return names
    .flatMap((keyword) => membersOf(layer[keyword]))
    .map(([name, value]) => [name, Array.isArray(value) ? { required: value } : value]);
}

// A part that says nothing, as `true` and `{}` do, is not worth a line.
function describing(name: string, schema: JsonValue | undefined): OutlinePlace[] {
  if (!isJsonObject(schema) || Object.keys(schema).length === 0) return [];
  return [about(name, schema)];
}

function about(name: string, schema: JsonValue): OutlinePlace {
  return { name, literal: false, required: false, schemas: [schema] };
}

function membersOf(value: JsonValue | undefined): [string, JsonValue][] {
  if (!isJsonObject(value)) return [];
  const names = Object.keys(value).slice(0, maxListed);
  return names.flatMap((name) => {
    const member = value[name];
    return member === undefined ? [] : [[name, member] satisfies [string, JsonValue]];
  });
}

function listOf(value: JsonValue | undefined): JsonValue[] {
  return Array.isArray(value) ? value.slice(0, maxListed) : [];
}

function sizeOf(value: JsonValue | undefined): number {
  if (Array.isArray(value)) return value.length;
  return isJsonObject(value) ? Object.keys(value).length : 0;
}

function stringsOf(value: JsonValue | undefined): string[] {
  return listOf(value).filter((item) => typeof item === "string");
}
