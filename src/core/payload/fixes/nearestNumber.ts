import { isMultipleOf } from "../../schema/evaluate/isMultipleOf";
import type { SchemaRules } from "../../schema/schemaRules";

/** What the rules for a number have in common: `steps` are what it must be a multiple of. */
export interface NumberRules {
  readonly from: readonly NumberBound[];
  readonly to: readonly NumberBound[];
  readonly steps: readonly number[];
}

interface NumberBound {
  readonly limit: number;
  readonly isOpen: boolean;
}

/** Gathers the rules for a number from schemas that hold together. An integer is a multiple of 1. */
export function numberRules(layers: readonly SchemaRules[]): NumberRules {
  const bounds = (keyword: "minimum" | "maximum" | "exclusiveMinimum" | "exclusiveMaximum") =>
    layers.flatMap((layer): NumberBound[] => {
      const limit = layer[keyword];
      return limit === undefined ? [] : [{ limit, isOpen: keyword.startsWith("exclusive") }];
    });
  return {
    from: [...bounds("minimum"), ...bounds("exclusiveMinimum")],
    to: [...bounds("maximum"), ...bounds("exclusiveMaximum")],
    steps: layers.flatMap(({ types, multipleOf }) => [
      ...(types?.length === 1 && types[0] === "integer" ? [1] : []),
      ...(multipleOf !== undefined && multipleOf > 0 ? [multipleOf] : []),
    ]),
  };
}

/**
 * Finds the number nearest to a value that keeps the rules. Undefined where there is none, or none
 * that is plainly the nearest, as above an open bound.
 */
export function nearestNumber(value: number, rules: NumberRules): number | undefined {
  const low = Math.max(...rules.from.map(({ limit }) => limit));
  const high = Math.min(...rules.to.map(({ limit }) => limit));
  const inside = Math.min(Math.max(value, low), high);
  if (!Number.isFinite(inside)) return undefined;
  const step = Math.max(...rules.steps);
  const candidates = rules.steps.length === 0 ? [inside] : multiplesAround(inside, step);
  const byDistance = (left: number, right: number) =>
    Math.abs(left - value) - Math.abs(right - value);
  return candidates.filter((candidate) => keeps(candidate, rules)).sort(byDistance)[0];
}

function multiplesAround(value: number, step: number): number[] {
  const count = Math.floor(value / step);
  // Products of decimal fractions have digits too many.
  return [-1, 0, 1, 2].map((more) => Number(((count + more) * step).toPrecision(15)));
}

function keeps(value: number, { from, to, steps }: NumberRules): boolean {
  return (
    from.every(({ limit, isOpen }) => (isOpen ? value > limit : value >= limit)) &&
    to.every(({ limit, isOpen }) => (isOpen ? value < limit : value <= limit)) &&
    steps.every((step) => isMultipleOf(value, step))
  );
}
