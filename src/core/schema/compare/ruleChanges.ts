import { boundedText, type JsonValue, type TextBudget } from "../../json/jsonValue";
import { isBound } from "../bounds";
import { type KeywordWith, keywordNames, rowOf } from "../keywords";
import type { SchemaLayers, SchemaRules } from "../schemaRules";
import { boundChanges, multipleChange, uniqueChange } from "./limitChanges";
import type { RuleChange } from "./schemaChange";
import { typeChanges, valueListChanges } from "./typeChanges";

type Layers = readonly SchemaRules[];

/** Compares the rules of two schemas for one value itself: type, allowed values, limits, other rules. */
export function ruleChanges(before: Layers, after: Layers, budget: TextBudget): RuleChange[] {
  return [
    ...comparisons.flatMap((compare) => compare(before, after, budget)),
    ...closureChanges(before, after),
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
  uniqueItems: uniqueChange,
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
  const [old, now] = [before, after].map((layers) =>
    layers
      .map((layer) => keywordValue(keyword, layer))
      .filter((value) => value !== undefined)
      .map((value) => ({ value, text: boundedText(value, budget) }))
      .sort((one, other) => (one.text < other.text ? -1 : 1)),
  ) as [StatedValue[], StatedValue[]];
  const textOf = (values: readonly StatedValue[]) => values.map(({ text }) => text).join();
  if (textOf(old) === textOf(now)) return [];
  const [first, last] = [old[0], now[0]];
  return [
    {
      kind: first === undefined ? "tightened" : last === undefined ? "loosened" : "changed",
      keyword,
      ...(first !== undefined && { before: { [keyword]: first.value } }),
      ...(last !== undefined && { after: { [keyword]: last.value } }),
    },
  ];
}

interface StatedValue {
  readonly value: JsonValue;
  readonly text: string;
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
  return [
    ...(old || now
      ? [
          {
            kind: "unknown" as const,
            keyword: "$ref",
            ...(old && { before: { $ref: old } }),
            ...(now && { after: { $ref: now } }),
          },
        ]
      : []),
    ...(isDynamic ? ["$dynamicRef", ...unread] : unread).map((keyword) => ({
      kind: "unknown" as const,
      keyword,
    })),
  ];
}

type Sources = Readonly<Record<string, JsonValue>>;

/** Compares whether properties and items that are not described are allowed. */
function closureChanges(before: Layers, after: Layers): RuleChange[] {
  return [
    ...closureChange("additionalProperties", before, after, isClosedObject),
    ...closureChange("items", before, after, ({ items }) => items?.never === true),
  ];
}

/** Returns whether an object of this schema may have only described properties. */
function isClosedObject(layer: SchemaRules): boolean {
  return Boolean(layer.additionalProperties?.never || layer.unevaluatedProperties?.never);
}

/** Returns whether objects may have only described properties. */
export function closesObject(layers: Layers): boolean {
  return layers.some(isClosedObject);
}

function closureChange(
  keyword: string,
  before: Layers,
  after: Layers,
  isClosed: (layer: SchemaRules) => boolean,
): RuleChange[] {
  const [old, now] = [before.some(isClosed), after.some(isClosed)];
  if (old === now) return [];
  return now
    ? [{ kind: "tightened", keyword, after: { [keyword]: false } }]
    : [{ kind: "loosened", keyword, before: { [keyword]: false } }];
}
