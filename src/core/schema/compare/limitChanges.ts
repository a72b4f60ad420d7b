import type { JsonObject } from "../../json/jsonValue";
import { allowsAll, type BoundKeyword, boundRow, boundsOf } from "../bounds";
import type { SchemaRules } from "../schemaRules";
import { changeOf, type RuleChange } from "./schemaChange";

type Layers = readonly SchemaRules[];

/** Compares `minContains` (1 by default) and `maxContains` of two schemas that have `contains`. */
export function matchCountChanges(before: SchemaRules, after: SchemaRules): RuleChange[] {
  const upper = (layer: SchemaRules) => limitsOf("maxContains", [layer])[0];
  const lower = (layer: SchemaRules) =>
    limitsOf("minContains", [layer])[0] ?? { strictness: 1, exclusive: false, rule: {} };
  return [
    ...limitChange("minContains", lower(before), lower(after)),
    ...limitChange("maxContains", upper(before), upper(after)),
  ];
}

/** Compares a bound, together with its exclusive twin. The strictest bound of all layers counts. */
export function boundChanges(keyword: BoundKeyword, before: Layers, after: Layers): RuleChange[] {
  const { exclusiveOf, measures } = boundRow(keyword);
  // `minContains` and `maxContains` belong to one `contains` each, and are compared together with it.
  if (exclusiveOf !== undefined || measures === "matches") return [];
  const twins = boundsOf[measures].filter((it) => boundRow(it).exclusiveOf === keyword);
  const find = (layers: Layers) =>
    strictest(
      [keyword, ...twins].flatMap((it) =>
        limitsOf(
          it,
          layers.filter((layer) => !allowsAll(it, layer[it])),
        ),
      ),
    );
  return limitChange(keyword, find(before), find(after));
}

/** A bound. A higher `strictness` rejects more values. */
interface Limit {
  readonly strictness: number;
  readonly exclusive: boolean;
  readonly rule: JsonObject;
}

function limitsOf(keyword: BoundKeyword, layers: Layers): Limit[] {
  const { exclusiveOf, narrows } = boundRow(keyword);
  return layers.flatMap(({ [keyword]: bound }) => {
    if (bound === undefined) return [];
    const strictness = narrows === "up" ? bound : -bound;
    return [{ strictness, exclusive: exclusiveOf !== undefined, rule: { [keyword]: bound } }];
  });
}

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

function compareLimits(left: Limit | undefined, right: Limit | undefined): number {
  if (left === undefined || right === undefined) return Number(!!left) - Number(!!right);
  return left.strictness - right.strictness || Number(left.exclusive) - Number(right.exclusive);
}

function strictest(limits: Limit[]): Limit | undefined {
  return limits.sort(compareLimits).at(-1);
}

/** Compares `multipleOf`. One list is looser than another if each of its numbers divides a number of the other. */
export function multipleChange(before: Layers, after: Layers): RuleChange[] {
  const keyword = "multipleOf";
  const numbersOf = (layers: Layers) => [...new Set(layers.flatMap((it) => it[keyword] ?? []))];
  const isWithin = (loose: number[], strict: number[]) =>
    loose.every((of) => strict.some((value) => Number.isInteger(value / of)));
  const [old, now] = [numbersOf(before), numbersOf(after)];
  const [isStricter, isLooser] = [isWithin(old, now), isWithin(now, old)];
  if (isStricter && isLooser) return [];
  const kind = isStricter ? "tightened" : isLooser ? "loosened" : "changed";
  return [changeOf(keyword, old[0], now[0], kind)];
}
