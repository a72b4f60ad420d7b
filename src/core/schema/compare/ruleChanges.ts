import { boundedText, type JsonValue, type TextBudget } from "../../json/jsonValue";
import { isBound } from "../bounds";
import { type KeywordWith, keywordNames, rowOf } from "../keywords";
import type { SchemaLayers, SchemaRules } from "../schemaRules";
import { boundChanges, multipleChange } from "./limitChanges";
import { changeOf, type RuleChange } from "./schemaChange";
import { typeChanges, valueListChanges } from "./typeChanges";

type Layers = readonly SchemaRules[];

/** Compares the rules of two schemas for one value itself: type, allowed values, limits, other rules. */
export function ruleChanges(before: Layers, after: Layers, budget: TextBudget): RuleChange[] {
  return [
    ...comparisons.flatMap((compare) => compare(before, after, budget)),
    ...flagChange("additionalProperties", false, before, after, isClosedObject),
    ...flagChange("items", false, before, after, ({ items }) => items?.never === true),
  ];
}

type Compare = (before: Layers, after: Layers, budget: TextBudget) => RuleChange[];

/** Compares the rules whose presence and value do not show how strict they are. */
const ownComparisons: Readonly<Record<KeywordWith<{ compared: "own" }>, Compare>> = {
  types: typeChanges,
  enum: valueListChanges,
  // Compared as a list of one, with `enum`.
  const: () => [],
  multipleOf: multipleChange,
  uniqueItems: (before, after) =>
    flagChange("uniqueItems", true, before, after, ({ uniqueItems }) => uniqueItems === true),
  // The walk compares them name by name.
  required: () => [],
};

type WholeKeyword = KeywordWith<{ compared: "whole" | "meaning" }>;

/** In the order of the table. Keywords that apply schemas are compared by the walk. */
const comparisons = keywordNames.flatMap((keyword): Compare | [] => {
  if (isBound(keyword)) return (before, after) => boundChanges(keyword, before, after);
  if (keyword in ownComparisons) return ownComparisons[keyword as keyof typeof ownComparisons];
  const { compared } = rowOf(keyword);
  if (compared !== "whole" && compared !== "meaning") return [];
  return (before, after, budget) => {
    const changes = wholeRuleChange(keyword as WholeKeyword, before, after, budget);
    // They reject nothing, but a caller who omits the value gets another one, or soon none.
    return compared === "whole" ? changes : changes.map((it) => ({ ...it, kind: "changed" }));
  };
});

function wholeRuleChange(
  keyword: WholeKeyword,
  before: Layers,
  after: Layers,
  budget: TextBudget,
): RuleChange[] {
  const stated = (layers: Layers) =>
    layers
      .map((layer) => keywordValue(keyword, layer))
      .filter((value) => value !== undefined)
      .map((value) => ({ value, text: boundedText(value, budget) }))
      .sort((one, other) => (one.text < other.text ? -1 : 1));
  const [old, now] = [stated(before), stated(after)];
  const isSame = old.map(({ text }) => text).join() === now.map(({ text }) => text).join();
  return isSame ? [] : [changeOf(keyword, old[0]?.value, now[0]?.value)];
}

/** The value of a keyword, as it is written in the schema. */
function keywordValue(keyword: WholeKeyword, rules: SchemaRules): JsonValue | undefined {
  const value = rules[keyword];
  return value instanceof Map ? Object.fromEntries(value) : value;
}

/** A schema as it is written. */
export function sourceOf({ source }: SchemaRules): JsonValue {
  return source as JsonValue;
}

/**
 * Lists the parts of a value's schemas that could not be compared: references that lead out of them, nowhere, or to a
 * schema that depends on the path to it, and keywords that cannot be applied.
 */
export function unreadChanges(
  before: SchemaLayers,
  after: SchemaLayers,
  budget: TextBudget,
): RuleChange[] {
  const [old, now] = [before, after].map(({ unresolved }) =>
    [...new Set(unresolved)].sort().join(", "),
  );
  const isDynamic = [before, after].some(({ layers }) =>
    layers.some(({ reference }) => (reference?.overrides?.size ?? 0) > 0),
  );
  const keywords = new Set(
    [before, after].flatMap(({ layers }) =>
      layers.flatMap(({ leftOut = [], unresolved }) =>
        [...leftOut].filter((path) => unresolved === undefined || !path.startsWith("$")),
      ),
    ),
  );
  const valuesOf = (keyword: string, { layers }: SchemaLayers) =>
    boundedText(
      layers.map((layer) => (sourceOf(layer) as Sources)[keyword] ?? null),
      budget,
    );
  const unread = [...keywords]
    .map((path) => path.split("/")[0] ?? "")
    .filter((keyword) => keyword !== "" && valuesOf(keyword, before) !== valuesOf(keyword, after));
  const notCompared = isDynamic ? ["$dynamicRef", ...unread] : unread;
  return [
    ...(old || now ? [changeOf("$ref", old || undefined, now || undefined, "unknown")] : []),
    ...notCompared.map((keyword) => changeOf(keyword, undefined, undefined, "unknown")),
  ];
}

type Sources = Readonly<Record<string, JsonValue>>;

/** Returns whether an object of this schema may have only described properties. */
function isClosedObject(layer: SchemaRules): boolean {
  return Boolean(layer.additionalProperties?.never || layer.unevaluatedProperties?.never);
}

/** Returns whether objects may have only described properties. */
export function closesObject(layers: Layers): boolean {
  return layers.some(isClosedObject);
}

/** Compares whether a keyword limits a value, which it does by being `limit`. */
function flagChange(
  keyword: string,
  limit: boolean,
  before: Layers,
  after: Layers,
  limits: (layer: SchemaRules) => boolean,
): RuleChange[] {
  const [old, now] = [before.some(limits), after.some(limits)];
  if (old === now) return [];
  return [changeOf(keyword, old ? limit : undefined, now ? limit : undefined)];
}
