import { type JsonObject, ownValue } from "../../json/jsonValue";
import { textsForPattern } from "../../linearRegExp/textsForPattern";
import type { SchemaRules } from "../schemaRules";
import { gatherParts } from "./gatherParts";
import { leadsBack } from "./sampleArrays";
import type { SampleBudget } from "./sampleBudget";
import { bestSample, type SampleTask, taskWithin } from "./sampleValues";

const maxSampledProperties = 300;

/**
 * Suggests objects that may keep all parts: the properties that are required, in full mode also the
 * others that are named. `hints` are objects somebody gave for this place.
 */
export function* sampleObjects(
  task: SampleTask,
  parts: readonly SchemaRules[],
  hints: readonly JsonObject[],
): Generator<Record<string, unknown>> {
  const required = requiredNames(parts);
  const optional = optionalNames(task, parts).filter((name) => !required.includes(name));
  const fewest = Math.max(0, ...parts.flatMap(({ minProperties }) => minProperties ?? []));
  const most = Math.min(maxSampledProperties, ...parts.flatMap((part) => part.maxProperties ?? []));
  const counts = task.mode === "full" ? [optional.length, 0] : [0, optional.length];
  for (const count of new Set(counts)) {
    const names = [
      ...required,
      ...optional.slice(0, Math.max(0, Math.min(count, most - required.length))),
    ];
    const enough = withMoreNames(names, [...optional, ...inventedNames(parts)], fewest);
    yield sampleObject(task, parts, enough, hints);
  }
  const one = withMoreNames(required, [...optional, ...inventedNames(parts)], required.length + 1);
  yield sampleObject(task, parts, one, hints);
}

function sampleObject(
  task: SampleTask,
  parts: readonly SchemaRules[],
  names: readonly string[],
  hints: readonly JsonObject[],
): Record<string, unknown> {
  // What depends on a property that is there holds as well, and may ask for more of them.
  const dependent = parts.flatMap(({ dependentSchemas }) =>
    [...(dependentSchemas ?? [])].flatMap(([name, rules]) => (names.includes(name) ? [rules] : [])),
  );
  const all = dependent.length === 0 ? parts : gatherParts([...parts, ...dependent], []).parts;
  const wanted = new Set([...names, ...requiredNames(all)]);
  const members = [...inOrder(wanted, all)].map((name) => {
    const given = hints.flatMap((hint) =>
      Object.hasOwn(hint, name) ? [ownValue(hint, name)] : [],
    );
    const list = rulesFor(task.budget, name, all);
    return [name, bestSample(taskWithin(task, all, { list, hints: given }))];
  });
  return Object.fromEntries(members);
}

/** The order in which the schema names the properties, then the rest. */
function inOrder(names: ReadonlySet<string>, parts: readonly SchemaRules[]): Set<string> {
  const named = parts.flatMap(({ properties }) => [...(properties?.keys() ?? [])]);
  return new Set([...named.filter((name) => names.has(name)), ...names]);
}

function requiredNames(parts: readonly SchemaRules[]): string[] {
  const names = new Set(parts.flatMap(({ required }) => required ?? []));
  // The set grows while it is walked: what a required property asks for is required too.
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
      rules.never || leadsBack(rules, around) ? [] : [name],
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

/** Names for properties that the schema counts but does not name. */
function* inventedNames(parts: readonly SchemaRules[]): Generator<string> {
  for (const { patternProperties = [], propertyNames } of parts) {
    for (const { pattern } of patternProperties) yield* textsForPattern(pattern, 0, 100);
    const allowed = propertyNames === undefined ? [] : gatherParts([propertyNames], []).parts;
    for (const { enum: names = [], pattern, minLength = 0 } of allowed) {
      yield* names.filter((name) => typeof name === "string");
      if (pattern !== undefined) yield* textsForPattern(pattern, minLength, 100);
    }
  }
  for (let count = 1; count <= 20; count += 1) yield `property${count}`;
}

/** The rules that a property's value has to keep. A pattern that cannot be tried counts as found. */
export function rulesFor(
  budget: SampleBudget,
  name: string,
  parts: readonly SchemaRules[],
): SchemaRules[] {
  return parts.flatMap(({ properties, patternProperties = [], additionalProperties }) => {
    const named = properties?.get(name);
    // One rule too many does no harm to a sample.
    const matched = patternProperties.filter(
      ({ pattern }) => budget.isFound(pattern, name) ?? true,
    );
    const found = [...(named === undefined ? [] : [named]), ...matched.map(({ rules }) => rules)];
    return found.length > 0 || additionalProperties === undefined ? found : [additionalProperties];
  });
}
