import { boundedText } from "../../json/jsonValue";
import { describedNames, requiredNames } from "../objectNames";
import { isDescribed, type SchemaRules } from "../schemaRules";
import type { SchemaStep } from "./schemaChange";

type Schemas = readonly SchemaRules[];

/** A value inside another one, with every schema that applies to it. */
export interface ValuePart {
  readonly step: SchemaStep;
  readonly schemas: Schemas;
  readonly required: boolean;
}

/**
 * Lists the properties that schemas name, by name. A layer that does not name one applies its rule for others. Empty
 * where no members are left to be read.
 */
export function namedProperties(
  layers: Schemas,
  walk: { membersLeft: number },
): Map<string, ValuePart> {
  const required = requiredNames(layers);
  const names = new Set([...describedNames(layers), ...required]);
  const describing = layers.filter((it) => it.properties ?? it.additionalProperties);
  // Counted once with the layers themselves.
  walk.membersLeft -= names.size * Math.max(describing.length - 1, 0);
  if (walk.membersLeft < 0) return new Map();
  return new Map(
    [...names].map((name) => {
      const schemas = describing.flatMap(
        ({ properties, additionalProperties }) =>
          properties?.get(name) ?? additionalProperties ?? [],
      );
      return [
        name,
        { step: { to: "property", name }, schemas, required: required.has(name) },
      ] as const;
    }),
  );
}

/** Lists other values below a value that have one key in both schemas: items and other properties. */
export function otherParts(layers: Schemas, places: number): Map<string, ValuePart> {
  const parts = new Map<string, { step: SchemaStep; schemas: SchemaRules[]; required: boolean }>();
  const add = (key: string, step: SchemaStep, rules: SchemaRules | undefined) => {
    if (rules === undefined || (!isDescribed(rules) && !rules.never)) return;
    const known = parts.get(key);
    if (known === undefined) parts.set(key, { step, schemas: [rules], required: false });
    else known.schemas.push(rules);
  };
  for (const { prefixItems = [], items, additionalProperties, patternProperties = [] } of layers) {
    const known = prefixItems.length > 0 || items !== undefined ? places : 0;
    for (let index = 0; index < known; index += 1) {
      add(`item ${index}`, { to: "item", index }, prefixItems[index] ?? items);
    }
    add("items", { to: "items" }, items);
    add("others", { to: "otherProperties", pattern: "" }, additionalProperties);
    for (const [pattern, rules] of patternProperties) {
      add(`names ${pattern}`, { to: "otherProperties", pattern }, rules);
    }
  }
  return parts;
}

/** Lists the schemas that apply to a value where it has a property, by the property's name. */
export function dependentParts(layers: Schemas): ReadonlyMap<string, Schemas> {
  const found = new Map<string, SchemaRules[]>();
  for (const { dependentSchemas = [] } of layers) {
    for (const [name, rules] of dependentSchemas) {
      found.set(name, [...(found.get(name) ?? []), rules]);
    }
  }
  return found;
}

/**
 * Guesses which properties were renamed: a removed and an added one with the same schema, where no other has
 * it. Returns the new name by the old one.
 */
export function renamedProperties(
  removed: readonly (readonly [string, ValuePart])[],
  added: readonly (readonly [string, ValuePart])[],
): ReadonlyMap<string, string> {
  if (removed.length > maxGuessed || added.length > maxGuessed) return new Map();
  const [old, now] = [byText(removed), byText(added)];
  return new Map(
    [...old].flatMap(([text, names]) => {
      const [name, ...others] = names;
      const [later, ...laterOthers] = now.get(text) ?? [];
      const isSure = others.length === 0 && laterOthers.length === 0;
      return isSure && name !== undefined && later !== undefined ? [[name, later]] : [];
    }),
  );
}

/** Where more changed at once, it was rewritten rather than renamed. */
const maxGuessed = 20;
/** A longer schema that moved is shown as removed and added, rather than compared with each other one. */
const maxComparedCharacters = 10_000;

function byText(parts: readonly (readonly [string, ValuePart])[]): Map<string, string[]> {
  const names = new Map<string, string[]>();
  for (const [name, { schemas }] of parts) {
    const budget = { charactersLeft: maxComparedCharacters, exceeded: false };
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
