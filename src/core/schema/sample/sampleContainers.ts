import { type JsonObject, jsonEqual, ownValue } from "../../json/jsonValue";
import { textsForPattern } from "../../linearRegExp/textsForPattern";
import { lowerBound, upperBound } from "../bounds";
import { describedNames, requiredNames } from "../objectNames";
import { rulesBelow } from "../rulesBelow";
import type { SchemaRules } from "../schemaRules";
import { bestSample, type SampleTask, sampleValues, taskWithin } from "./sampleValues";

/**
 * The maximum number of properties in a sample. Nobody edits a larger payload by hand, but a schema may require
 * millions.
 */
const maxSampledProperties = 300;

/**
 * Yields objects that may satisfy all of the rules: with the required properties, and in full mode also with the other
 * named ones. `hints` are objects given for this position.
 */
export function* sampleObjects(
  task: SampleTask,
  parts: readonly SchemaRules[],
  hints: readonly JsonObject[],
): Generator<Record<string, unknown>> {
  const required = namesToFill(parts);
  const optional = optionalNames(task, parts).filter((name) => !required.includes(name));
  const fewest = Math.max(0, lowerBound("properties", parts));
  const largest = Math.min(maxSampledProperties, upperBound("properties", parts));
  const counts = task.mode === "full" ? [optional.length, 0] : [0, optional.length];
  for (const count of new Set(counts)) {
    const names = [
      ...required,
      ...optional.slice(0, Math.max(0, Math.min(count, largest - required.length))),
    ];
    const enough = withMoreNames(names, [...optional, ...inventedNames(parts)], fewest);
    yield sampleObject(task, parts, enough, hints);
  }
  const withExtraName = withMoreNames(
    required,
    [...optional, ...inventedNames(parts)],
    required.length + 1,
  );
  yield sampleObject(task, parts, withExtraName, hints);
}

function sampleObject(
  task: SampleTask,
  parts: readonly SchemaRules[],
  names: readonly string[],
  hints: readonly JsonObject[],
): Record<string, unknown> {
  // Keywords that depend on a present property apply as well, and may require more properties.
  const dependent = parts.flatMap(({ dependentSchemas }) =>
    [...(dependentSchemas ?? [])].flatMap(([name, rules]) => (names.includes(name) ? [rules] : [])),
  );
  const all = dependent.length === 0 ? parts : gatherParts([...parts, ...dependent], []).parts;
  const needed = new Set(namesToFill(all));
  const allNames = new Set([...names, ...needed]);
  const members = [...inOrder(allNames, all)].flatMap((name): [string, unknown][] => {
    // Once the budget is spent, values would be empty, so only required properties are written.
    if (task.budget.isSpent && !needed.has(name)) return [];
    const hintsForName = hints.flatMap((hint) =>
      Object.hasOwn(hint, name) ? [ownValue(hint, name)] : [],
    );
    const list = rulesBelow(all, name, task.budget);
    return [[name, bestSample(taskWithin(task, all, { list, hints: hintsForName }))]];
  });
  return Object.fromEntries(members);
}

/** Sorts names in the order of the schema. Other names follow. */
function inOrder(names: ReadonlySet<string>, parts: readonly SchemaRules[]): Set<string> {
  return new Set([...describedNames(parts).filter((name) => names.has(name)), ...names]);
}

function namesToFill(parts: readonly SchemaRules[]): string[] {
  const names = new Set(requiredNames(parts));
  // The set grows during the iteration, since a required property may require others.
  for (const name of names) {
    for (const { dependentRequired } of parts) {
      for (const needed of dependentRequired?.get(name) ?? []) names.add(needed);
    }
  }
  return [...names];
}

function optionalNames(task: SampleTask, parts: readonly SchemaRules[]): string[] {
  const around = new Set([...task.around, ...task.list, ...parts]);
  return parts.flatMap(({ properties }) =>
    [...(properties ?? [])].flatMap(([name, rules]) =>
      rules.never || isRecursive(rules, around) ? [] : [name],
    ),
  );
}

function withMoreNames(names: readonly string[], more: Iterable<string>, count: number): string[] {
  const enough = new Set(names);
  for (const name of more) {
    if (enough.size >= count) break;
    enough.add(name);
  }
  return [...enough];
}

/** Yields names for properties that the schema requires only by their number (`minProperties`). */
function* inventedNames(parts: readonly SchemaRules[]): Generator<string> {
  for (const { patternProperties = [], propertyNames } of parts) {
    for (const [pattern] of patternProperties) yield* textsForPattern(pattern, 0, 100);
    const allowed = propertyNames === undefined ? [] : gatherParts([propertyNames], []).parts;
    for (const { enum: names = [], pattern, minLength = 0 } of allowed) {
      yield* names.filter((name) => typeof name === "string");
      if (pattern !== undefined) yield* textsForPattern(pattern, minLength, 100);
    }
  }
  for (let count = 1; count <= 20; count += 1) yield `property${count}`;
}

/** The maximum number of items in a sample. Nobody edits a longer list by hand, but a schema may require millions. */
const maxSampledItems = 100;

/** Yields arrays that may satisfy all of the rules: with as few items as allowed, in full mode at least one. */
export function* sampleArrays(
  task: SampleTask,
  parts: readonly SchemaRules[],
): Generator<unknown[]> {
  const contains = parts.flatMap((part) => containedRules(part));
  const fewest = Math.max(0, contains.length, lowerBound("items", parts));
  const likelyLength = Math.max(
    fewest,
    Math.min(upperBound("items", parts), fullLength(task, parts)),
  );
  const prefixItemCount = Math.min(upperBound("items", parts), prefixLength(parts));
  for (const length of new Set([
    likelyLength,
    fewest,
    fewest + 1,
    Math.max(fewest, prefixItemCount),
  ])) {
    if (length > maxSampledItems) continue;
    const items: unknown[] = [];
    for (let index = 0; index < length; index += 1) {
      const inner = contains[index];
      items.push(sampleItem(task, parts, inner === undefined ? [] : [inner], index, items));
    }
    yield items;
  }
}

/** Lists the subschemas of `contains`, each as often as it must match. */
function containedRules({ contains, minContains = 1 }: SchemaRules): SchemaRules[] {
  if (contains === undefined) return [];
  return Array.from({ length: Math.min(minContains, maxSampledItems) }, () => contains);
}

/**
 * Returns the wanted length of an array. In full mode: all items of `prefixItems`, and at least one item if `items`
 * allows one that is not recursive. In minimal mode: 0.
 */
function fullLength(task: SampleTask, parts: readonly SchemaRules[]): number {
  if (task.mode === "minimal") return 0;
  const around = new Set([...task.around, ...task.list, ...parts]);
  const repeated = parts.flatMap(({ items }) => items ?? []);
  const repeats =
    repeated.length > 0 && !repeated.some((rules) => rules.never || isRecursive(rules, around));
  return Math.max(prefixLength(parts), repeats ? 1 : 0);
}

function prefixLength(parts: readonly SchemaRules[]): number {
  return Math.max(0, ...parts.map(({ prefixItems = [] }) => prefixItems.length));
}

/** Returns whether sampling the rules would recurse into rules that are already being sampled. */
function isRecursive(rules: SchemaRules, around: ReadonlySet<SchemaRules>): boolean {
  return around.has(rules) || (rules.reference !== undefined && around.has(rules.reference.target));
}

function sampleItem(
  task: SampleTask,
  parts: readonly SchemaRules[],
  more: readonly SchemaRules[],
  index: number,
  before: readonly unknown[],
): unknown {
  const own = rulesBelow(parts, index, task.budget);
  const inner = taskWithin(task, parts, { list: [...own, ...more], hints: [] });
  if (!parts.some(({ uniqueItems }) => uniqueItems)) return bestSample(inner);
  let tried = 0;
  for (const value of sampleValues(inner)) {
    if (!before.some((other) => jsonEqual(other, value))) return value;
    tried += 1;
    if (tried > 2 * maxSampledItems) break;
  }
  return bestSample(inner);
}

/** The rules that apply together once every choice is made, and the number of options of each choice. */
interface GatheredParts {
  parts: SchemaRules[];
  options: number[];
}

/**
 * Collects all rules that apply to one value, through references, `allOf` and branches. `choices` selects a branch of
 * each `anyOf`, `oneOf` and `if`, in the order in which they occur. The default is the first branch.
 */
function gatherParts(list: readonly SchemaRules[], choices: readonly number[]): GatheredParts {
  const parts = new Set<SchemaRules>();
  const options: number[] = [];
  const choose = <T>(from: readonly T[]): T | undefined => {
    const chosen = choices[options.length] ?? 0;
    options.push(from.length);
    return from[chosen];
  };
  const open = [...list].reverse();
  for (let rules = open.pop(); rules !== undefined; rules = open.pop()) {
    if (parts.has(rules)) continue;
    parts.add(rules);
    const next: (SchemaRules | undefined)[] = [rules.reference?.target, ...(rules.allOf ?? [])];
    for (const branches of [rules.anyOf, rules.oneOf]) {
      if (branches !== undefined) next.push(choose(branches));
    }
    if (rules.if !== undefined) {
      next.push(...(choose([[rules.if, rules.then], [rules.else]]) ?? []));
    }
    for (const found of next.reverse()) if (found !== undefined) open.push(found);
  }
  return { parts: [...parts], options };
}

/** Yields at most `limit` combinations of choices. The last choice changes fastest. */
export function* everyChoice(
  list: readonly SchemaRules[],
  limit: number,
): Generator<SchemaRules[]> {
  let choices: number[] = [];
  for (let count = 0; count < limit; count += 1) {
    const { parts, options } = gatherParts(list, choices);
    if (!parts.some(({ never }) => never)) yield parts;
    const current = options.map((_, index) => choices[index] ?? 0);
    let last = options.length - 1;
    while (last >= 0 && (current[last] ?? 0) + 1 >= (options[last] ?? 0)) last -= 1;
    if (last < 0) return;
    choices = [...current.slice(0, last), (current[last] ?? 0) + 1];
  }
}
