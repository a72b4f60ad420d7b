import {
  boundedText,
  type JsonObject,
  type JsonValue,
  type TextBudget,
} from "../../json/jsonValue";
import type { SchemaRules } from "../schemaRules";
import type { SchemaChange } from "./schemaChange";
import { typeChanges, valueListChanges } from "./typeChanges";

/** A difference at one value, before the value's path is known. */
export type RuleChange = Omit<SchemaChange, "path">;

/** Compares the rules of two schemas for one value itself: type, allowed values, limits, other rules. */
export function ruleChanges(
  before: readonly SchemaRules[],
  after: readonly SchemaRules[],
  budget: TextBudget,
): RuleChange[] {
  return [
    ...typeChanges(before, after),
    ...valueListChanges(before, after, budget),
    ...limitChanges(before, after),
    ...closureChanges(before, after),
    ...wholeRules.flatMap((keyword) => wholeRuleChange(keyword, before, after, budget)),
    ...annotations.flatMap((keyword) =>
      wholeRuleChange(keyword, before, after, budget).map((change) => ({
        ...change,
        kind: "changed" as const,
      })),
    ),
  ];
}

// Rules whose strictness cannot be compared: only their presence.
const wholeRules = [
  "pattern",
  "format",
  "contentEncoding",
  "contentMediaType",
  "propertyNames",
  "contains",
  "not",
  "if",
  "then",
  "else",
  "dependentSchemas",
  "dependentRequired",
  "unevaluatedItems",
] as const;

// They reject nothing, but a caller who leaves a value out gets another one, or soon none.
const annotations = ["default", "deprecated", "readOnly", "writeOnly"] as const;

type WholeRule = (typeof wholeRules | typeof annotations)[number];

function wholeRuleChange(
  keyword: WholeRule,
  before: readonly SchemaRules[],
  after: readonly SchemaRules[],
  budget: TextBudget,
): RuleChange[] {
  const [old, now] = [valuesOf(keyword, before), valuesOf(keyword, after)];
  if (old.length === 0 && now.length === 0) return [];
  const same = boundedText(old, budget) === boundedText(now, budget);
  if (same) return [];
  const [first, last] = [old[0], now[0]];
  return [
    {
      kind: first === undefined ? "tightened" : last === undefined ? "loosened" : "changed",
      keyword,
      ...(first !== undefined && { before: { [keyword]: first } }),
      ...(last !== undefined && { after: { [keyword]: last } }),
    },
  ];
}

function valuesOf(keyword: WholeRule, layers: readonly SchemaRules[]): JsonValue[] {
  return layers.map((layer) => keywordValue(keyword, layer)).filter((value) => value !== undefined);
}

/** The value of a keyword, as it is written in the schema. */
function keywordValue(keyword: WholeRule, rules: SchemaRules): JsonValue | undefined {
  switch (keyword) {
    case "default":
      return rules.hasDefault ? rules.default : undefined;
    case "dependentRequired": {
      const required = rules.dependentRequired;
      return required && Object.fromEntries(required);
    }
    case "dependentSchemas": {
      const schemas = [...(rules.dependentSchemas ?? [])];
      if (schemas.length === 0) return undefined;
      return Object.fromEntries(schemas.map(([name, below]) => [name, sourceOf(below)]));
    }
    case "propertyNames":
    case "contains":
    case "not":
    case "if":
    case "then":
    case "else":
    case "unevaluatedItems": {
      const below = rules[keyword];
      return below && sourceOf(below);
    }
    default:
      return rules[keyword];
  }
}

/** A schema as it is written. */
export function sourceOf({ source }: SchemaRules): JsonValue {
  return source as JsonValue;
}

/** Compares whether properties and items that are not described are allowed. */
function closureChanges(
  before: readonly SchemaRules[],
  after: readonly SchemaRules[],
): RuleChange[] {
  return [
    ...closureChange("additionalProperties", before, after, isClosedObject),
    ...closureChange("items", before, after, isClosedArray),
  ];
}

/** Returns whether an object of this schema may have only described properties. */
function isClosedObject(layer: SchemaRules): boolean {
  return Boolean(layer.additionalProperties?.never || layer.unevaluatedProperties?.never);
}

function isClosedArray({ items }: SchemaRules): boolean {
  return items?.never === true;
}

/** Returns whether objects may have only described properties. */
export function closesObject(layers: readonly SchemaRules[]): boolean {
  return layers.some(isClosedObject);
}

/** The keys of `otherParts` where nothing is accepted. */
export function closedParts(layers: readonly SchemaRules[]): ReadonlySet<string> {
  return new Set([
    ...(closesObject(layers) ? ["others"] : []),
    ...(layers.some(isClosedArray) ? ["items"] : []),
  ]);
}

function closureChange(
  keyword: string,
  before: readonly SchemaRules[],
  after: readonly SchemaRules[],
  isClosed: (layer: SchemaRules) => boolean,
): RuleChange[] {
  const [old, now] = [before.some(isClosed), after.some(isClosed)];
  if (old === now) return [];
  return now
    ? [{ kind: "tightened", keyword, after: { [keyword]: false } }]
    : [{ kind: "loosened", keyword, before: { [keyword]: false } }];
}

/** Compares references out of a schema. Their targets are not read; only the change of target is reported. */
export function referenceChanges(
  before: readonly string[],
  after: readonly string[],
): RuleChange[] {
  const keyword = "$ref";
  const [old, now] = [listed(before), listed(after)];
  if (old === now) return [];
  return [
    {
      kind: "changed",
      keyword,
      ...(old !== "" && { before: { [keyword]: old } }),
      ...(now !== "" && { after: { [keyword]: now } }),
    },
  ];
}

function listed(references: readonly string[]): string {
  return [...new Set(references)].sort().join(", ");
}

/** Compares limits of size and range: the strictest one of all layers counts. */
function limitChanges(before: readonly SchemaRules[], after: readonly SchemaRules[]): RuleChange[] {
  const compare = (keyword: string, find: (layers: readonly SchemaRules[]) => Limit | undefined) =>
    limitChange(keyword, find(before), find(after));
  return [
    ...compare("minimum", (layers) => strictest(layers.flatMap(lowerBounds))),
    ...compare("maximum", (layers) => strictest(layers.flatMap(upperBounds))),
    ...counts.flatMap(([keyword, direction]) =>
      compare(keyword, (layers) =>
        strictest(layers.flatMap((it) => count(it, keyword, direction))),
      ),
    ),
    ...multipleChange(before, after),
    ...uniqueChange(before, after),
  ];
}

/** A number and its rule; `strictness` grows with what it rejects. */
interface Limit {
  readonly strictness: number;
  readonly exclusive: boolean;
  readonly rule: JsonObject;
}

const counts = [
  ["minLength", 1],
  ["maxLength", -1],
  ["minItems", 1],
  ["maxItems", -1],
  ["minProperties", 1],
  ["maxProperties", -1],
  ["minContains", 1],
  ["maxContains", -1],
] as const;

function limitChange(
  keyword: string,
  old: Limit | undefined,
  now: Limit | undefined,
): RuleChange[] {
  const order = compareLimits(now, old);
  if (order === 0) return [];
  return [
    {
      kind: order > 0 ? "tightened" : "loosened",
      keyword,
      ...(old !== undefined && { before: old.rule }),
      ...(now !== undefined && { after: now.rule }),
    },
  ];
}

function compareLimits(one: Limit | undefined, other: Limit | undefined): number {
  if (one === undefined || other === undefined) return Number(!!one) - Number(!!other);
  return one.strictness - other.strictness || Number(one.exclusive) - Number(other.exclusive);
}

function strictest(limits: Limit[]): Limit | undefined {
  return limits.sort(compareLimits).at(-1);
}

function lowerBounds({ minimum, exclusiveMinimum }: SchemaRules): Limit[] {
  return [...limit("minimum", minimum, 1), ...limit("exclusiveMinimum", exclusiveMinimum, 1)];
}

function upperBounds({ maximum, exclusiveMaximum }: SchemaRules): Limit[] {
  return [...limit("maximum", maximum, -1), ...limit("exclusiveMaximum", exclusiveMaximum, -1)];
}

function count(
  layer: SchemaRules,
  keyword: (typeof counts)[number][0],
  direction: number,
): Limit[] {
  // A minimum of 0 is no limit.
  return direction > 0 && layer[keyword] === 0 ? [] : limit(keyword, layer[keyword], direction);
}

function limit(keyword: string, value: number | undefined, direction: number): Limit[] {
  if (value === undefined) return [];
  const exclusive = keyword.startsWith("exclusive");
  return [{ strictness: value * direction, exclusive, rule: { [keyword]: value } }];
}

function multipleChange(
  before: readonly SchemaRules[],
  after: readonly SchemaRules[],
): RuleChange[] {
  const keyword = "multipleOf";
  const [old, now] = [before, after].map(
    (layers) => layers.find((it) => it[keyword] !== undefined)?.[keyword],
  );
  if (old === now) return [];
  const stricter = old === undefined || isMultiple(now, old);
  const looser = now === undefined || isMultiple(old, now);
  return [
    {
      kind: stricter ? "tightened" : looser ? "loosened" : "changed",
      keyword,
      ...(old !== undefined && { before: { [keyword]: old } }),
      ...(now !== undefined && { after: { [keyword]: now } }),
    },
  ];
}

function isMultiple(value: number | undefined, of: number): boolean {
  return value !== undefined && Number.isInteger(value / of);
}

function uniqueChange(before: readonly SchemaRules[], after: readonly SchemaRules[]): RuleChange[] {
  const keyword = "uniqueItems";
  const [old, now] = [before, after].map((layers) => layers.some((it) => it[keyword] === true));
  if (old === now) return [];
  return now
    ? [{ kind: "tightened", keyword, after: { [keyword]: true } }]
    : [{ kind: "loosened", keyword, before: { [keyword]: true } }];
}
