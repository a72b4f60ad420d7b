import { isJsonObject, type JsonObject, type JsonValue } from "./json";
import { english, type Language } from "./language";

/** A place in the outline before it is described: every schema in `schemas` holds for its value. */
export interface OutlinePlace {
  readonly name: string;
  readonly literal: boolean;
  readonly required: boolean;
  readonly schemas: readonly JsonValue[];
}

/** Lists what lies one level below a value: properties, items, alternatives and conditions, in this order. */
export function schemaParts(
  layers: readonly JsonObject[],
  language: Language = english,
): OutlinePlace[] {
  return [
    ...properties(layers),
    ...otherProperties(layers, language),
    ...items(layers, language),
    ...layers.flatMap((layer) => alternatives(layer, language)),
    ...layers.flatMap((layer) => conditions(layer, language)),
  ];
}

function properties(layers: readonly JsonObject[]): OutlinePlace[] {
  const required = new Set(layers.flatMap((layer) => stringsOf(layer["required"])));
  const byName = new Map<string, JsonValue[]>();
  for (const layer of layers) {
    for (const [name, schema] of membersOf(layer["properties"])) {
      byName.set(name, [...(byName.get(name) ?? []), schema]);
    }
    if (Array.isArray(layer["required"]) || !isJsonObject(layer["properties"])) continue;
    // Draft 3, still met in the wild, marks each required property by itself.
    for (const [name, schema] of membersOf(layer["properties"])) {
      if (isJsonObject(schema) && schema["required"] === true) required.add(name);
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

function otherProperties(layers: readonly JsonObject[], { translate }: Language): OutlinePlace[] {
  return layers.flatMap((layer) => [
    ...membersOf(layer["patternProperties"]).map(([pattern, schema]) =>
      about(translate("names that match /{pattern}/", { pattern }), schema),
    ),
    ...describing(translate("any other property"), layer["additionalProperties"]),
    ...describing(translate("every property name"), layer["propertyNames"]),
  ]);
}

function items(layers: readonly JsonObject[], { translate }: Language): OutlinePlace[] {
  return layers.flatMap((layer) => {
    const { items: each, prefixItems, contains } = layer;
    const first = Array.isArray(prefixItems) ? prefixItems : Array.isArray(each) ? each : [];
    const rest = Array.isArray(each) ? layer["additionalItems"] : each;
    return [
      ...first.map((schema, index) =>
        about(translate("item {number}", { number: index + 1 }), schema),
      ),
      ...describing(
        first.length > 0 ? translate("each further item") : translate("each item"),
        rest,
      ),
      ...describing(translate("at least one item"), contains),
    ];
  });
}

function alternatives(layer: JsonObject, { translate }: Language): OutlinePlace[] {
  const exactlyOne = Array.isArray(layer["oneOf"]) ? layer["oneOf"] : [];
  const atLeastOne = Array.isArray(layer["anyOf"]) ? layer["anyOf"] : [];
  return [
    ...exactlyOne.map((schema, index) => {
      const numbers = { number: index + 1, count: exactlyOne.length };
      return about(translate("option {number} of {count}", numbers), schema);
    }),
    ...atLeastOne.map((schema, index) => {
      const numbers = { number: index + 1, count: atLeastOne.length };
      return about(translate("choice {number} of {count}", numbers), schema);
    }),
  ];
}

function conditions(layer: JsonObject, { translate }: Language): OutlinePlace[] {
  return [
    ...describing(translate("never this"), layer["not"]),
    ...describing(translate("if this holds"), layer["if"]),
    ...(layer["if"] === undefined
      ? []
      : [
          ...describing(translate("then this holds too"), layer["then"]),
          ...describing(translate("otherwise this holds"), layer["else"]),
        ]),
    ...dependencies(layer).map(([name, schema]) =>
      about(translate("when “{name}” is given", { name }), schema),
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
  return isJsonObject(value) ? Object.entries(value) : [];
}

function stringsOf(value: JsonValue | undefined): string[] {
  return Array.isArray(value) ? value.filter((item) => typeof item === "string") : [];
}
