import type { JsonObject } from "../../text/json";
import type { RuleChange } from "./ruleChanges";

/** Compares limits of size and range: the strictest one of all layers counts. */
export function limitChanges(
  before: readonly JsonObject[],
  after: readonly JsonObject[],
): RuleChange[] {
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
