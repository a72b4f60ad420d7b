import { isJsonObject, type JsonValue } from "../../json/jsonValue";
import type { SchemaRules } from "../schemaRules";

/** The names and indexes that lead from a payload to one of its values. */
export type ValueSteps = readonly (string | number)[];

/** A value in which nobody gave some of the parts, which a person still has to fill in. */
export interface UnfilledValue {
  readonly value: JsonValue;
  /** The steps to each text, number and truth value that nobody gave, in the order of the value. */
  readonly empty: readonly ValueSteps[];
}

/** The values that a schema or its examples give. */
export type GivenValues = ReadonlySet<string | number | boolean>;

/**
 * Finds the parts of a sample that nobody gave. An invented value could be sent as if somebody had typed it. Empties
 * the texts among them, which is noticed; a number or a truth value has no empty form and stays.
 */
export function unfilledValue(sample: unknown, given: GivenValues): UnfilledValue {
  const empty: ValueSteps[] = [];
  const emptied = (value: unknown, steps: ValueSteps): JsonValue => {
    if (Array.isArray(value)) return value.map((item, index) => emptied(item, [...steps, index]));
    if (isJsonObject(value)) {
      const members = Object.entries(value);
      return Object.fromEntries(
        members.map(([name, inner]) => [name, emptied(inner, [...steps, name])]),
      );
    }
    if (!isGivable(value) || given.has(value)) return value as JsonValue;
    empty.push(steps);
    return typeof value === "string" ? "" : value;
  };
  return { value: emptied(sample, []), empty };
}

/**
 * Collects the values that a schema or its examples give: in examples, defaults, constants, and lists of a single
 * value. One of several allowed values is a choice, which is left to the user.
 */
export function givenValues(
  all: readonly SchemaRules[],
  examples: readonly unknown[] = [],
): GivenValues {
  const given = new Set<string | number | boolean>();
  const open: unknown[] = [...examples];
  for (const { examples: own = [], default: preset, const: only, enum: allowed = [] } of all) {
    open.push(...own, preset, only, ...(allowed.length === 1 ? allowed : []));
  }
  for (let value = open.pop(); open.length > 0 || value !== undefined; value = open.pop()) {
    if (isGivable(value)) given.add(value);
    else if (Array.isArray(value)) for (const item of value) open.push(item);
    else if (isJsonObject(value)) for (const inner of Object.values(value)) open.push(inner);
  }
  return given;
}

function isGivable(value: unknown): value is string | number | boolean {
  return typeof value === "string" || typeof value === "number" || typeof value === "boolean";
}
