import { boundedText } from "../../json/canonicalJson";
import { isDescribed } from "../schemaLayers";
import type { SchemaRules } from "../schemaRules";
import type { SchemaStep } from "./schemaChange";

/** A value inside another one, with every schema that holds for it. */
export interface ValuePart {
  readonly step: SchemaStep;
  readonly schemas: readonly SchemaRules[];
  readonly required: boolean;
}

/** Lists the properties that schemas name, by name. */
export function namedProperties(layers: readonly SchemaRules[]): Map<string, ValuePart> {
  const required = new Set(layers.flatMap((layer) => layer.required ?? []));
  const schemas = new Map<string, SchemaRules[]>();
  for (const { properties = [] } of layers) {
    for (const [name, rules] of properties) {
      schemas.set(name, [...(schemas.get(name) ?? []), rules]);
    }
  }
  for (const name of required) if (!schemas.has(name)) schemas.set(name, []);
  return new Map(
    [...schemas].map(([name, given]) => [
      name,
      { step: { to: "property", name }, schemas: given, required: required.has(name) },
    ]),
  );
}

/** Lists what else lies below a value and has one key in both schemas: items and other properties. */
export function otherParts(layers: readonly SchemaRules[]): Map<string, ValuePart> {
  const parts = new Map<string, ValuePart>();
  const add = (key: string, step: SchemaStep, rules: SchemaRules | undefined) => {
    if (rules === undefined || !isDescribed(rules)) return;
    const known = parts.get(key)?.schemas ?? [];
    parts.set(key, { step, schemas: [...known, rules], required: false });
  };
  for (const { prefixItems = [], items, additionalProperties, patternProperties = [] } of layers) {
    for (const [index, rules] of prefixItems.entries()) {
      add(`item ${index}`, { to: "item", index }, rules);
    }
    add("items", { to: "items" }, items);
    add("others", { to: "otherProperties", pattern: "" }, additionalProperties);
    for (const { pattern, rules } of patternProperties) {
      add(`names ${pattern}`, { to: "otherProperties", pattern }, rules);
    }
  }
  return parts;
}

/**
 * Guesses which properties got another name: one that went and one that came which are written alike,
 * where no other is. Answers the new name by the old one.
 */
export function renamedProperties(
  gone: readonly (readonly [string, ValuePart])[],
  come: readonly (readonly [string, ValuePart])[],
): ReadonlyMap<string, string> {
  if (gone.length > maxGuessed || come.length > maxGuessed) return new Map();
  const [old, now] = [byText(gone), byText(come)];
  return new Map(
    [...old].flatMap(([text, names]) => {
      const [name, ...others] = names;
      const [later, ...laterOthers] = now.get(text) ?? [];
      const isSure = others.length === 0 && laterOthers.length === 0;
      return isSure && name !== undefined && later !== undefined ? [[name, later]] : [];
    }),
  );
}

const maxGuessed = 20;
const maxCharacters = 10_000;

function byText(parts: readonly (readonly [string, ValuePart])[]): Map<string, string[]> {
  const names = new Map<string, string[]>();
  for (const [name, { schemas }] of parts) {
    const budget = { charactersLeft: maxCharacters, exceeded: false };
    const text = boundedText(
      schemas.map(({ source }) => source),
      budget,
    );
    // Two empty schemas match trivially; don't count them as a rename.
    const isTelling = text !== "[]" && text !== "[{}]" && text !== "[true]";
    if (isTelling && !budget.exceeded) names.set(text, [...(names.get(text) ?? []), name]);
  }
  return names;
}
