import type { JsonObject } from "../../json/jsonValue";
import { isMultipleOf } from "../evaluate/isMultipleOf";

/**
 * Gives the plainest number that keeps the limits of all schemas: 0 where that is allowed, else the
 * one nearest to it that is found by the limits themselves. 0 where none is found.
 */
export function plainNumber(schemas: readonly JsonObject[]): number {
  const given = (keyword: string) =>
    schemas.map((schema) => schema[keyword]).filter((value) => typeof value === "number");
  const steps = given("multipleOf").filter((step) => step > 0);
  const isWhole = schemas.some(({ type }) => type === "integer");
  const limits = [...given("minimum"), ...given("exclusiveMinimum")];
  const ends = [...given("maximum"), ...given("exclusiveMaximum")];
  const fits = (number: number) =>
    schemas.every((schema) => isWithin(number, schema)) &&
    (!isWhole || Number.isInteger(number)) &&
    steps.every((step) => isMultipleOf(number, step));
  const low = Math.max(...limits);
  const high = Math.min(...ends);
  const step = Math.max(1, ...steps);
  const candidates = [
    0,
    ...[low, Math.ceil(low), Math.floor(low) + 1, Math.ceil(low / step) * step, low + step],
    ...[high, Math.floor(high), Math.ceil(high) - 1, Math.floor(high / step) * step],
    (low + high) / 2,
  ];
  return candidates.find((number) => Number.isFinite(number) && fits(number)) ?? 0;
}

/** Draft 04 writes the exclusive limits as flags beside the others. */
function isWithin(number: number, schema: JsonObject): boolean {
  const { minimum, maximum, exclusiveMinimum, exclusiveMaximum } = schema;
  const isAbove = (limit: unknown, flag: unknown) =>
    typeof limit !== "number" || (flag === true ? number > limit : number >= limit);
  const isBelow = (limit: unknown, flag: unknown) =>
    typeof limit !== "number" || (flag === true ? number < limit : number <= limit);
  return (
    isAbove(minimum, exclusiveMinimum) &&
    isBelow(maximum, exclusiveMaximum) &&
    isAbove(exclusiveMinimum, true) &&
    isBelow(exclusiveMaximum, true)
  );
}
