import type { JsonObject, JsonValue } from "../json/jsonValue";
import { type Keyword, rowOf } from "./keywords";
import type { SchemaRules } from "./schemaRules";

type WriteSchema = (rules: SchemaRules) => JsonValue;

/** Returns a keyword as draft 2020-12 spells it. */
export function writtenName(keyword: Keyword): string {
  return keyword === "types" ? "type" : keyword;
}

/** Writes the value of a keyword as draft 2020-12 does. Undefined if the rules do not have the keyword. */
export function writtenValue(
  keyword: Keyword,
  rules: SchemaRules,
  write: WriteSchema,
): JsonValue | undefined {
  const { [keyword]: value, types } = rules;
  if (keyword === "types" && types?.length === 1) return types[0];
  const isApplicator = rowOf(keyword).sort === "applicator";
  if (value instanceof Map) {
    const entries = [...(value as Map<string, SchemaRules | JsonValue>)];
    return Object.fromEntries(
      isApplicator ? entries.map(([name, it]) => [name, write(it as SchemaRules)]) : entries,
    ) as JsonObject;
  }
  if (value === undefined || !isApplicator) return value as JsonValue | undefined;
  return Array.isArray(value) ? (value as SchemaRules[]).map(write) : write(value as SchemaRules);
}
