import { boundedText, type JsonValue, type TextBudget } from "../../json/jsonValue";
import { isBound } from "../bounds";
import { type KeywordWith, keywordNames, rowOf } from "../keywords";
import type { SchemaLayers, SchemaRules } from "../schemaRules";
import { boundChanges, multipleChange } from "./limitChanges";
import { changeOf, type RuleChange } from "./schemaChange";
import { typeChanges, valueListChanges } from "./typeChanges";

type Layers = readonly SchemaRules[];

/** Compares the keywords that restrict a value itself, not its members: type, allowed values, limits and others. */
export function ruleChanges(before: Layers, after: Layers, budget: TextBudget): RuleChange[] {
  return [
    ...comparisons.flatMap((compare) => compare(before, after, budget)),
    ...flagChange("additionalProperties", false, before, after, isClosedObject),
    ...flagChange("items", false, before, after, ({ items }) => items?.never === true),
  ];
}

type Compare = (before: Layers, after: Layers, budget: TextBudget) => RuleChange[];

/** Comparisons that need more than the presence and the value of a keyword to tell which schema is stricter. */
const ownComparisons: Readonly<Record<KeywordWith<{ compared: "own" }>, Compare>> = {
  types: typeChanges,
  enum: valueListChanges,
  // `valueListChanges` compares `const` as a list of one value.
  const: () => [],
  multipleOf: multipleChange,
  uniqueItems: (before, after) =>
    flagChange("uniqueItems", true, before, after, ({ uniqueItems }) => uniqueItems === true),
  // `schemaChanges` compares `required` for each property.
  required: () => [],
};

type WholeKeyword = KeywordWith<{ compared: "whole" | "meaning" }>;

/** All comparisons, in the order of the keyword table. `schemaChanges` compares keywords that apply subschemas. */
const comparisons = keywordNames.flatMap((keyword): Compare | [] => {
  if (isBound(keyword)) return (before, after) => boundChanges(keyword, before, after);
  if (keyword in ownComparisons) return ownComparisons[keyword as keyof typeof ownComparisons];
  const { compared } = rowOf(keyword);
  if (compared !== "whole" && compared !== "meaning") return [];
  return (before, after, budget) => {
    const changes = wholeRuleChange(keyword as WholeKeyword, before, after, budget);
    // Keywords such as `default` reject nothing, so a change of them neither tightens nor loosens the schema. Callers
    // still need to know about it.
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
      .sort((left, right) => (left.text < right.text ? -1 : 1));
  const [old, now] = [stated(before), stated(after)];
  const isSame = old.map(({ text }) => text).join() === now.map(({ text }) => text).join();
  return isSame ? [] : [changeOf(keyword, old[0]?.value, now[0]?.value)];
}

/** Returns the value of a keyword as the schema has it. */
function keywordValue(keyword: WholeKeyword, rules: SchemaRules): JsonValue | undefined {
  const value = rules[keyword];
  return value instanceof Map ? Object.fromEntries(value) : value;
}

/** Returns a schema as its author wrote it. */
export function sourceOf({ source }: SchemaRules): JsonValue {
  return source as JsonValue;
}

/**
 * Lists the parts of a value's schemas that could not be compared: keywords that cannot be applied, dynamic references,
 * and references that lead outside or nowhere.
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
      layers.flatMap(({ omitted: leftOut = [], unresolved }) =>
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

/** Returns whether objects of this schema may have only the described properties. */
function isClosedObject(layer: SchemaRules): boolean {
  return Boolean(layer.additionalProperties?.never || layer.unevaluatedProperties?.never);
}

/** Returns whether objects may have only the described properties. */
export function closesObject(layers: Layers): boolean {
  return layers.some(isClosedObject);
}

/** Compares a keyword that has an effect only with the value `limit`, such as `uniqueItems: true` or `items: false`. */
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
