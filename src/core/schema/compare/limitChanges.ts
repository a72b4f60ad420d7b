import type { JsonObject } from "../../json/jsonValue";
import type { SchemaRules } from "../schemaRules";
import type { RuleChange } from "./ruleChanges";

type Layers = readonly SchemaRules[];

/** Compares how many items must and may match `contains` in two schemas that have it: 1 to any number by default. */
export function matchCountChanges(before: SchemaRules, after: SchemaRules): RuleChange[] {
  const least = ({ minContains }: SchemaRules): Limit => ({
    strictness: minContains ?? 1,
    exclusive: false,
    rule: minContains === undefined ? {} : { minContains },
  });
  const most = ({ maxContains }: SchemaRules) => limit("maxContains", maxContains, -1)[0];
  return [
    ...limitChange("minContains", least(before), least(after)),
    ...limitChange("maxContains", most(before), most(after)),
  ];
}

/** Compares limits of size and range: the strictest one of all layers counts. */
export function limitChanges(before: Layers, after: Layers): RuleChange[] {
  const compare = (keyword: string, find: (layers: Layers) => Limit | undefined) =>
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

/** A list is looser than another where a number of the other is a multiple of each of its own. */
function multipleChange(before: Layers, after: Layers): RuleChange[] {
  const keyword = "multipleOf";
  const [old, now] = [before, after].map((layers) => [
    ...new Set(layers.flatMap((it) => it[keyword] ?? [])),
  ]) as [number[], number[]];
  const isWithin = (loose: number[], strict: number[]) =>
    loose.every((of) => strict.some((value) => Number.isInteger(value / of)));
  const [isStricter, isLooser] = [isWithin(old, now), isWithin(now, old)];
  if (isStricter && isLooser) return [];
  const [first, last] = [old[0], now[0]];
  return [
    {
      kind: isStricter ? "tightened" : isLooser ? "loosened" : "changed",
      keyword,
      ...(first !== undefined && { before: { [keyword]: first } }),
      ...(last !== undefined && { after: { [keyword]: last } }),
    },
  ];
}

function uniqueChange(before: Layers, after: Layers): RuleChange[] {
  const keyword = "uniqueItems";
  const [old, now] = [before, after].map((layers) => layers.some((it) => it[keyword] === true));
  if (old === now) return [];
  return now
    ? [{ kind: "tightened", keyword, after: { [keyword]: true } }]
    : [{ kind: "loosened", keyword, before: { [keyword]: true } }];
}
