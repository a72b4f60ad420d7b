import { boundedText } from "../../json/jsonValue";
import { describedNames, requiredNames } from "../objectNames";
import { isDescribed, type SchemaRules } from "../schemaRules";
import type { SchemaStep } from "./schemaChange";

type Schemas = readonly SchemaRules[];

/** A member of a value, with all schemas that apply to it. */
export interface ValuePart {
  readonly step: SchemaStep;
  readonly schemas: Schemas;
  readonly required: boolean;
}

/**
 * Lists the properties that schemas name, by name. If a layer does not name a property, its schema for other properties
 * applies. Empty once the budget of members is used up.
 */
export function namedProperties(
  layers: Schemas,
  walk: { membersLeft: number },
): Map<string, ValuePart> {
  const required = requiredNames(layers);
  const names = new Set([...describedNames(layers), ...required]);
  const describing = layers.filter((it) => it.properties ?? it.additionalProperties);
  // This looks up each name in each of these layers. The caller already counted one lookup per name, as members of the
  // layers.
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

/**
 * Lists the members of a value that are not named properties: items and other properties. Corresponding members have
 * the same key in both schemas.
 */
export function otherParts(layers: Schemas, prefixLength: number): Map<string, ValuePart> {
  const parts = new Map<string, { step: SchemaStep; schemas: SchemaRules[]; required: boolean }>();
  const add = (key: string, step: SchemaStep, rules: SchemaRules | undefined) => {
    if (rules === undefined || (!isDescribed(rules) && !rules.never)) return;
    const existing = parts.get(key);
    if (existing === undefined) parts.set(key, { step, schemas: [rules], required: false });
    else existing.schemas.push(rules);
  };
  for (const { prefixItems = [], items, additionalProperties, patternProperties = [] } of layers) {
    const itemCount = prefixItems.length > 0 || items !== undefined ? prefixLength : 0;
    for (let index = 0; index < itemCount; index += 1) {
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

/** Lists the schemas of `dependentSchemas` by the property that activates them. */
export function dependentParts(layers: Schemas): ReadonlyMap<string, Schemas> {
  const all = layers.flatMap(({ dependentSchemas = [] }) => [...dependentSchemas]);
  const byName = Map.groupBy(all, ([name]) => name);
  return new Map([...byName].map(([name, list]) => [name, list.map(([, rules]) => rules)]));
}

/**
 * Guesses which properties were renamed: a removed and an added property share a schema that no other property has.
 * Maps old names to new ones.
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

/**
 * The maximum number of removed or added properties among which renames are guessed. If there are more, the schema was
 * rewritten.
 */
const maxGuessed = 20;
/**
 * The maximum length of a schema that is compared for renames, since each comparison would be slow. A property with a
 * longer schema counts as removed and added.
 */
const maxComparedCharacters = 10_000;

function byText(parts: readonly (readonly [string, ValuePart])[]): Map<string, string[]> {
  const texts = parts.map(([name, { schemas }]) => {
    const budget = { charactersLeft: maxComparedCharacters, exceeded: false };
    const sources = schemas.map(({ source }) => source);
    return { name, text: boundedText(sources, budget), isWhole: !budget.exceeded };
  });
  // Two empty schemas always match. Don't count them as a rename.
  const comparable = texts.filter(
    ({ text, isWhole }) => isWhole && !/^\[(?:\{\}|true)?\]$/.test(text),
  );
  const found = Map.groupBy(comparable, ({ text }) => text);
  return new Map([...found].map(([text, all]) => [text, all.map(({ name }) => name)]));
}
