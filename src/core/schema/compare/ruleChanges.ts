import { boundedText, type TextBudget } from "../../json/canonicalJson";
import { isJsonObject, type JsonObject, type JsonValue } from "../../json/jsonValue";
import type { SchemaChange } from "./schemaChange";
import { typeChanges, valueListChanges } from "./typeChanges";

/** A difference at one value, before it is known where the value stands. */
export type RuleChange = Omit<SchemaChange, "path">;

/** Compares what two schemas say of one value itself: type, allowed values, limits, other rules. */
export function ruleChanges(
  before: readonly JsonObject[],
  after: readonly JsonObject[],
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

// Rules whose strictness cannot be compared: only whether they are there.
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
];

// They refuse nothing, but a caller who leaves a value out gets another one, or soon none.
const annotations = ["default", "deprecated", "readOnly", "writeOnly"];

function wholeRuleChange(
  keyword: string,
  before: readonly JsonObject[],
  after: readonly JsonObject[],
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

function valuesOf(keyword: string, layers: readonly JsonObject[]): JsonValue[] {
  return layers.flatMap((layer) => {
    const value = Object.hasOwn(layer, keyword) ? layer[keyword] : undefined;
    const older = dependenciesAs(keyword, layer);
    return [value, older].filter((each) => each !== undefined);
  });
}

// Up to draft 7, one keyword held both kinds.
function dependenciesAs(keyword: string, { dependencies }: JsonObject): JsonObject | undefined {
  if (!isJsonObject(dependencies)) return undefined;
  if (keyword !== "dependentRequired" && keyword !== "dependentSchemas") return undefined;
  const namesOthers = keyword === "dependentRequired";
  const kept = Object.entries(dependencies).filter(
    ([, value]) => Array.isArray(value) === namesOthers,
  );
  return kept.length === 0 ? undefined : Object.fromEntries(kept);
}

/** Compares whether properties and items that are not described may be given. */
function closureChanges(before: readonly JsonObject[], after: readonly JsonObject[]): RuleChange[] {
  return [
    ...closureChange("additionalProperties", before, after, isClosedObject),
    ...closureChange("items", before, after, isClosedArray),
  ];
}

/** Tells whether an object of this schema may hold no property that is not described. */
function isClosedObject(layer: JsonObject): boolean {
  return layer["additionalProperties"] === false || layer["unevaluatedProperties"] === false;
}

function isClosedArray(layer: JsonObject): boolean {
  return layer["items"] === false || layer["additionalItems"] === false;
}

/** Tells whether objects may hold no property that is not described. */
export function closesObject(layers: readonly JsonObject[]): boolean {
  return layers.some(isClosedObject);
}

/** The keys of `otherPlaces` where nothing is taken. */
export function closedPlaces(layers: readonly JsonObject[]): ReadonlySet<string> {
  const places = [
    ...(closesObject(layers) ? ["others"] : []),
    ...(layers.some(isClosedArray) ? ["items"] : []),
  ];
  return new Set(places);
}

function closureChange(
  keyword: string,
  before: readonly JsonObject[],
  after: readonly JsonObject[],
  isClosed: (layer: JsonObject) => boolean,
): RuleChange[] {
  const [old, now] = [before.some(isClosed), after.some(isClosed)];
  if (old === now) return [];
  return now
    ? [{ kind: "tightened", keyword, after: { [keyword]: false } }]
    : [{ kind: "loosened", keyword, before: { [keyword]: false } }];
}

/** Compares references out of a schema. What they lead to is not read; that they lead elsewhere is said. */
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
function limitChanges(before: readonly JsonObject[], after: readonly JsonObject[]): RuleChange[] {
  const compare = (keyword: string, find: (layers: readonly JsonObject[]) => Limit | undefined) =>
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

/** A number and the rule it stands in; `strictness` grows with what it refuses. */
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

// In draft 4 the exclusive keywords are flags beside the numbers.
function lowerBounds({ minimum, exclusiveMinimum }: JsonObject): Limit[] {
  return [
    ...limit(exclusiveMinimum === true ? "exclusiveMinimum" : "minimum", minimum, 1),
    ...limit("exclusiveMinimum", exclusiveMinimum, 1),
  ];
}

function upperBounds({ maximum, exclusiveMaximum }: JsonObject): Limit[] {
  return [
    ...limit(exclusiveMaximum === true ? "exclusiveMaximum" : "maximum", maximum, -1),
    ...limit("exclusiveMaximum", exclusiveMaximum, -1),
  ];
}

function count(layer: JsonObject, keyword: string, direction: number): Limit[] {
  // At least none is no limit.
  return direction > 0 && layer[keyword] === 0 ? [] : limit(keyword, layer[keyword], direction);
}

function limit(keyword: string, value: unknown, direction: number): Limit[] {
  if (typeof value !== "number") return [];
  const exclusive = keyword.startsWith("exclusive");
  return [{ strictness: value * direction, exclusive, rule: { [keyword]: value } }];
}

function multipleChange(before: readonly JsonObject[], after: readonly JsonObject[]): RuleChange[] {
  const keyword = "multipleOf";
  const [old, now] = [before, after].map((layers) => layers.find((it) => it[keyword])?.[keyword]);
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

function isMultiple(value: unknown, of: unknown): boolean {
  return typeof value === "number" && typeof of === "number" && Number.isInteger(value / of);
}

function uniqueChange(before: readonly JsonObject[], after: readonly JsonObject[]): RuleChange[] {
  const keyword = "uniqueItems";
  const [old, now] = [before, after].map((layers) => layers.some((it) => it[keyword] === true));
  if (old === now) return [];
  return now
    ? [{ kind: "tightened", keyword, after: { [keyword]: true } }]
    : [{ kind: "loosened", keyword, before: { [keyword]: true } }];
}
