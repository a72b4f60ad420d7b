import { load } from "js-yaml";
import type { JsonValue } from "../../core/json/jsonValue";

/** The maximum number of values in a document. An alias counts as all that it repeats, which could be without end. */
const maxValues = 1_000_000;

/**
 * Reads a YAML text as the JSON that it stands for. Undefined if it is not one YAML document, has a value that JSON
 * lacks, or is too large.
 */
export function readYaml(text: string): JsonValue | undefined {
  let left = maxValues;
  const jsonOf = (value: unknown): JsonValue => {
    left -= 1;
    if (left < 0) throw new RangeError("too many values");
    if (Array.isArray(value)) return value.map(jsonOf);
    if (typeof value === "object" && value !== null) {
      const members = Object.entries(value).map(([name, inner]) => [name, jsonOf(inner)]);
      return Object.fromEntries(members) as JsonValue;
    }
    if (typeof value === "number" && !Number.isFinite(value)) throw new RangeError("infinite");
    return value as JsonValue;
  };
  try {
    return jsonOf(load(text));
  } catch {
    return undefined;
  }
}
