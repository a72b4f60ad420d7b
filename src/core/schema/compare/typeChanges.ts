import { boundedText, type JsonValue, jsonTypeOf, type TextBudget } from "../../json/jsonValue";
import { allowedValues, statedTypes } from "../allowedValues";
import type { SchemaRules } from "../schemaRules";
import { changeOf, type RuleChange } from "./schemaChange";

/**
 * Compares the allowed types. Every integer is a number. If one side has no `type` but lists values, a change that
 * follows only from the listed values is left to `valueListChanges`.
 */
export function typeChanges(
  before: readonly SchemaRules[],
  after: readonly SchemaRules[],
): RuleChange[] {
  const [statedBefore, statedAfter] = [typesOf(before), typesOf(after)];
  const stated = statedBefore ?? (statedAfter && optionTypes(before));
  const statedNow = statedAfter ?? (statedBefore && optionTypes(after));
  const old = stated ?? listedTypes(before);
  const now = statedNow ?? listedTypes(after);
  const removesTypes =
    statedNow !== undefined && [...(old ?? all)].some((type) => !statedNow.has(type));
  const addsTypes = stated !== undefined && [...(now ?? all)].some((type) => !stated.has(type));
  if (!removesTypes && !addsTypes) return [];
  const kind = removesTypes && addsTypes ? "changed" : removesTypes ? "tightened" : "loosened";
  return [changeOf("type", old && namesOf(old), now && namesOf(now), kind)];
}

const all: readonly string[] = [
  "object",
  "array",
  "string",
  "integer",
  "fraction",
  "boolean",
  "null",
];

/** Returns the stated types, with `number` split into `integer` and `fraction`. Undefined if any type is allowed. */
function typesOf(layers: readonly SchemaRules[]): ReadonlySet<string> | undefined {
  const stated = statedTypes(layers);
  return (
    stated &&
    new Set(stated.flatMap((name) => (name === "number" ? ["integer", "fraction"] : [name])))
  );
}

/** Returns the types of listed values. Undefined if no values are listed. */
function listedTypes(layers: readonly SchemaRules[]): ReadonlySet<string> | undefined {
  const values = allowedValues(layers);
  return values && new Set(values.map(typeOf));
}

/** Returns the types of all branches. Undefined without branches, or if a branch allows any type. */
function optionTypes(layers: readonly SchemaRules[]): ReadonlySet<string> | undefined {
  const options = layers.flatMap(({ oneOf, anyOf }) => [oneOf, anyOf]).find(Boolean) ?? [];
  const types = new Set<string>();
  for (const option of options) {
    const stated = typesOf([option]);
    if (stated === undefined) return undefined;
    for (const type of stated) types.add(type);
  }
  return types.size === 0 ? undefined : types;
}

function typeOf(value: JsonValue): string {
  const type = jsonTypeOf(value);
  return type === "number" ? "fraction" : type;
}

function namesOf(types: ReadonlySet<string>): string[] {
  return [...types]
    .filter((name) => name !== "integer" || !types.has("fraction"))
    .map((name) => (name === "fraction" ? "number" : name));
}

/** Compares lists of allowed values. `const` is a list of one value. */
export function valueListChanges(
  before: readonly SchemaRules[],
  after: readonly SchemaRules[],
  budget: TextBudget,
): RuleChange[] {
  const [old, now] = [allowedValues(before), allowedValues(after)];
  if (old === now || (old === undefined && now === undefined)) return [];
  if (old === undefined || now === undefined) {
    return [changeOf("enum", old && [...old], now && [...now])];
  }
  const [removed, added] = [without(old, now, budget), without(now, old, budget)];
  if (budget.exceeded) return [];
  return [
    ...(removed.length > 0 ? [changeOf("enum", removed, undefined, "tightened")] : []),
    ...(added.length > 0 ? [changeOf("enum", undefined, added, "loosened")] : []),
  ];
}

function without(
  values: readonly JsonValue[],
  others: readonly JsonValue[],
  budget: TextBudget,
): JsonValue[] {
  const otherTexts = new Set(others.map((value) => boundedText(value, budget)));
  return values.filter((value) => !otherTexts.has(boundedText(value, budget)));
}
