import { isJsonObject, type JsonValue } from "../../json/jsonValue";
import type { SchemaRules } from "../schemaRules";

/** The names and indexes that lead from a payload to one of its values. */
export type ValueSteps = readonly (string | number)[];

/** A value whose texts somebody gave, and where a person still has to write one. */
export interface UnfilledValue {
  readonly value: JsonValue;
  /** The steps to each text that was left empty, in the order of the value. */
  readonly empty: readonly ValueSteps[];
}

/**
 * Empties the texts of a sample that nobody gave. An invented text could be sent as if somebody had typed it, and an
 * empty one is noticed. `given` has the texts to keep.
 */
export function emptyTexts(sample: unknown, given: ReadonlySet<string>): UnfilledValue {
  const empty: ValueSteps[] = [];
  const emptied = (value: unknown, steps: ValueSteps): JsonValue => {
    if (Array.isArray(value)) return value.map((item, index) => emptied(item, [...steps, index]));
    if (isJsonObject(value)) {
      const members = Object.entries(value);
      return Object.fromEntries(
        members.map(([name, inner]) => [name, emptied(inner, [...steps, name])]),
      );
    }
    if (typeof value !== "string" || given.has(value)) return value as JsonValue;
    empty.push(steps);
    return "";
  };
  return { value: emptied(sample, []), empty };
}

/**
 * Collects the texts that a schema or its examples give: in examples, defaults, constants, and lists of a single value.
 * One of several allowed values is a choice, which is left to the user.
 */
export function givenTexts(
  all: readonly SchemaRules[],
  examples: readonly unknown[] = [],
): ReadonlySet<string> {
  const texts = new Set<string>();
  const open: unknown[] = [...examples];
  for (const { examples: own = [], default: preset, const: only, enum: allowed = [] } of all) {
    open.push(...own, preset, only, ...(allowed.length === 1 ? allowed : []));
  }
  for (let value = open.pop(); open.length > 0 || value !== undefined; value = open.pop()) {
    if (typeof value === "string") texts.add(value);
    else if (Array.isArray(value)) for (const item of value) open.push(item);
    else if (isJsonObject(value)) for (const inner of Object.values(value)) open.push(inner);
  }
  return texts;
}
