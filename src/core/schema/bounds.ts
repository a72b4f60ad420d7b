import {
  type Bound,
  isKeyword,
  type Keyword,
  type KeywordWith,
  keywords,
  keywordsWith,
  rowOf,
} from "./keywords";
import type { SchemaRules } from "./schemaRules";

/** A keyword whose number limits a measure of the value, such as its length. */
export type BoundKeyword = KeywordWith<{ sort: "bound" }>;

/** All bounds by the measure that they limit, in the order of the keyword table. */
export const boundsOf = {
  number: keywordsWith({ measures: "number" }),
  length: keywordsWith({ measures: "length" }),
  items: keywordsWith({ measures: "items" }),
  properties: keywordsWith({ measures: "properties" }),
  matches: keywordsWith({ measures: "matches" }),
} satisfies Record<Bound["measures"], readonly BoundKeyword[]>;

/** Returns the row of a bound in the keyword table. */
export function boundRow(keyword: BoundKeyword): Bound {
  return keywords[keyword];
}

/** Returns whether a name is the keyword of a bound. */
export function isBound(name: string): name is BoundKeyword {
  return isKeyword(name) && rowOf(name).sort === "bound";
}

/** Returns whether a measured number satisfies a bound. True without a bound. */
export function satisfiesBound(
  keyword: BoundKeyword,
  bound: number | undefined,
  measured: number,
): boolean {
  if (bound === undefined) return true;
  const { narrows, exclusiveOf } = boundRow(keyword);
  if (measured === bound) return exclusiveOf === undefined;
  return narrows === "up" ? measured > bound : measured < bound;
}

/** Returns whether a keyword with this value limits nothing, such as `minItems: 0`. */
export function allowsAll(keyword: Keyword, value: unknown): boolean {
  const { holds, narrows } = rowOf(keyword);
  return value === 0 && holds === "count" && narrows === "up";
}

/** Returns the largest lower bound of schemas that all apply. -Infinity without a bound. */
export function lowerBound(measures: Bound["measures"], layers: readonly SchemaRules[]): number {
  return Math.max(...boundsTo("up", measures, layers));
}

/** Returns the smallest upper bound of schemas that all apply. Infinity without a bound. */
export function upperBound(measures: Bound["measures"], layers: readonly SchemaRules[]): number {
  return Math.min(...boundsTo("down", measures, layers));
}

function boundsTo(
  direction: Bound["narrows"],
  measures: Bound["measures"],
  layers: readonly SchemaRules[],
): number[] {
  const bounds: readonly BoundKeyword[] = boundsOf[measures];
  return bounds
    .filter((keyword) => boundRow(keyword).narrows === direction)
    .flatMap((keyword) => layers.flatMap((layer) => layer[keyword] ?? []));
}
