import {
  boundedText,
  isSameJson,
  type JsonObject,
  type JsonValue,
  type TextBudget,
} from "../../json/jsonValue";
import { readLeniently } from "../read/readSchema";
import { isDescribed, type SchemaRules, schemaLayers } from "../schemaRules";
import { closedParts, closesObject, referenceChanges, ruleChanges, sourceOf } from "./ruleChanges";
import type { SchemaChange, SchemaChanges, SchemaStep } from "./schemaChange";
import { optionPairs, plainAlternatives, schemaOptions } from "./schemaOptions";

/**
 * Finds how the requirements of a schema differ from those of an earlier one. Accepts any draft, follows
 * `$ref`s inside a schema, is bounded in time and size. Changed descriptions do not count.
 */
export function schemaChanges(before: JsonValue, after: JsonValue): SchemaChanges {
  if (!isReadable(before) || !isReadable(after)) {
    return { changes: [], complete: false, isSameText: false };
  }
  const [old, now] = [readLeniently(before), readLeniently(after)];
  old.readAll();
  now.readAll();
  const walk: Walk = {
    budget: { charactersLeft: maxCharacters, exceeded: false },
    changes: [],
    met: new Map(),
    valuesLeft: maxCompared,
    membersLeft: maxMembers,
    complete: true,
  };
  compare([old.root], [now.root], [], walk);
  const complete = walk.complete && !walk.budget.exceeded;
  return {
    changes: walk.changes,
    complete,
    isSameText: complete && walk.changes.length === 0 && isSameJson(before, after, maxCharacters),
  };
}

/** Values and characters in a schema: larger ones are not compared at all. */
const maxValues = 20_000;
const maxText = 1_000_000;
const maxCompared = 2000;
/** Members of the layers that apply to a value, over all values. */
const maxMembers = 40_000;
const maxCharacters = 400_000;
const maxChanges = 500;
const maxDepth = 100;

/** Returns whether a schema has few enough values to be compared while the editor waits. */
function isReadable(schema: JsonValue): boolean {
  const waiting: JsonValue[] = [schema];
  let left = maxValues;
  let text = maxText;
  for (let value = waiting.pop(); value !== undefined; value = waiting.pop()) {
    if (typeof value === "string") text -= value.length;
    if (typeof value !== "object" || value === null) continue;
    for (const name in value) {
      left -= 1;
      text -= name.length;
      if (left < 0 || text < 0) return false;
      waiting.push((value as JsonObject)[name] ?? null);
    }
  }
  return true;
}

interface Walk {
  readonly budget: TextBudget;
  readonly changes: SchemaChange[];
  /**
   * Pairs of shapes not to be compared again: those being compared further up, since a shape may contain
   * itself, and those without a difference.
   */
  readonly met: Map<SchemaRules, Set<SchemaRules>>;
  valuesLeft: number;
  membersLeft: number;
  complete: boolean;
}

type Schemas = readonly SchemaRules[];
type Path = readonly SchemaStep[];

function compare(before: Schemas, after: Schemas, path: Path, walk: Walk): void {
  walk.valuesLeft -= 1;
  if (walk.valuesLeft < 0 || path.length > maxDepth || walk.changes.length >= maxChanges) {
    walk.complete = false;
    return;
  }
  const old = schemaLayers(before);
  const now = schemaLayers(after);
  for (const layer of [...old.layers, ...now.layers]) walk.membersLeft -= membersIn(layer);
  if (walk.membersLeft < 0) {
    walk.complete = false;
    return;
  }
  const pair = [shapeOf(before, old.layers), shapeOf(after, now.layers)] as const;
  if (isMet(pair, walk)) return;
  const count = walk.changes.length;
  meet(pair, walk);
  if (old.impossible !== now.impossible) {
    walk.changes.push({ kind: now.impossible ? "tightened" : "loosened", path, keyword: "false" });
  }
  const plain = plainAlternatives(old.layers, now.layers);
  for (const change of [
    ...referenceChanges(old.unresolved, now.unresolved),
    ...ruleChanges(...plain, walk.budget),
  ]) {
    walk.changes.push({ ...change, path });
  }
  compareProperties(...plain, path, walk);
  compareOthers(...plain, path, walk);
  compareOptions(...plain, path, walk);
  if (walk.changes.length > count || !walk.complete) forget(pair, walk);
}

/** Counts the members of a schema that have to be visited for each value it applies to. */
function membersIn(layer: SchemaRules): number {
  const lists = listing.map((keyword) => layer[keyword]?.length ?? 1);
  return lists.reduce((sum, length) => sum + length, layer.properties?.size ?? 1);
}

const listing = [
  "required",
  "patternProperties",
  "enum",
  "oneOf",
  "anyOf",
  "prefixItems",
  "types",
] as const;

function compareProperties(
  before: readonly SchemaRules[],
  after: readonly SchemaRules[],
  path: Path,
  walk: Walk,
): void {
  const keyword = "properties";
  const [old, now] = [namedProperties(before), namedProperties(after)];
  const come = [...now].filter(([name]) => !old.has(name));
  const gone = [...old].filter(([name]) => !now.has(name));
  const renamed = renamedProperties(gone, come);
  const isRefused = closesObject(after);
  for (const [name, { step, schemas, required }] of old) {
    const later = now.get(name);
    const below = [...path, step];
    if (later === undefined) {
      const rule = { [keyword]: { [name]: ruleAt(schemas) } };
      const newName = renamed.get(name);
      walk.changes.push({
        kind: "removed",
        path: below,
        keyword,
        before: rule,
        required,
        isRefused,
        ...(newName !== undefined && { newName }),
      });
      continue;
    }
    if (required !== later.required) {
      const kind = later.required ? "tightened" : "loosened";
      walk.changes.push({ kind, path: below, keyword: "required", required: later.required });
    }
    compare(schemas, later.schemas, below, walk);
  }
  for (const [name, { step, schemas, required }] of come) {
    const rule = { [keyword]: { [name]: ruleAt(schemas) } };
    walk.changes.push({ kind: "added", path: [...path, step], keyword, after: rule, required });
  }
}

function ruleAt([first]: Schemas): JsonValue {
  return first === undefined ? true : sourceOf(first);
}

// A part that only one of the two mentions may hold anything in the other, unless it may hold nothing.
function compareOthers(
  before: readonly SchemaRules[],
  after: readonly SchemaRules[],
  path: Path,
  walk: Walk,
): void {
  const [old, now] = [otherParts(before), otherParts(after)];
  const [closedBefore, closedAfter] = [closedParts(before), closedParts(after)];
  for (const [key, { step }] of new Map([...old, ...now])) {
    if (closedBefore.has(key) || closedAfter.has(key)) continue;
    const earlier = old.get(key)?.schemas ?? [];
    compare(earlier, now.get(key)?.schemas ?? [], [...path, step], walk);
  }
}

function compareOptions(
  before: readonly SchemaRules[],
  after: readonly SchemaRules[],
  path: Path,
  walk: Walk,
): void {
  const old = schemaOptions(before);
  const now = schemaOptions(after);
  const keyword = "oneOf";
  if (old === undefined || now === undefined) {
    if (old === now) return;
    const kind = now === undefined ? "loosened" : "tightened";
    walk.changes.push({ kind, path, keyword });
    return;
  }
  for (const pair of optionPairs(old, now, walk.budget)) {
    const below = [...path, { to: "option", name: pair.name } as const];
    if (pair.before !== undefined && pair.after !== undefined) {
      compare([pair.before], [pair.after], below, walk);
    } else {
      const kind = pair.after === undefined ? "removed" : "added";
      walk.changes.push({ kind, path: below, keyword });
    }
  }
}

type Pair = readonly [SchemaRules | undefined, SchemaRules | undefined];

// A schema that only refers to another one has the same shape as that one.
function shapeOf(schemas: Schemas, layers: readonly SchemaRules[]): SchemaRules | undefined {
  if (schemas.length !== 1) return undefined;
  return layers.find(({ source }) =>
    Object.keys(source as object).some((name) => !silent.has(name)),
  );
}

const silent = new Set(["$ref", "$dynamicRef", "$schema", "$id", "$defs", "title", "description"]);

function isMet([old, now]: Pair, { met }: Walk): boolean {
  return old !== undefined && now !== undefined && met.get(old)?.has(now) === true;
}

function meet([old, now]: Pair, { met }: Walk): void {
  if (old === undefined || now === undefined) return;
  met.set(old, (met.get(old) ?? new Set()).add(now));
}

function forget([old, now]: Pair, { met }: Walk): void {
  if (old !== undefined && now !== undefined) met.get(old)?.delete(now);
}

/** A value inside another one, with every schema that applies to it. */
interface ValuePart {
  readonly step: SchemaStep;
  readonly schemas: readonly SchemaRules[];
  readonly required: boolean;
}

/** Lists the properties that schemas name, by name. */
function namedProperties(layers: readonly SchemaRules[]): Map<string, ValuePart> {
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

/** Lists other values below a value that have one key in both schemas: items and other properties. */
function otherParts(layers: readonly SchemaRules[]): Map<string, ValuePart> {
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
 * Guesses which properties were renamed: a removed and an added one with the same schema, where no other has
 * it. Returns the new name by the old one.
 */
function renamedProperties(
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
