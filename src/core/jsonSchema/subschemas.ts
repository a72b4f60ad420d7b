import { pointerStep } from "../json/jsonPointer";
import { isJsonObject, type JsonObject, ownValue } from "../json/jsonValue";
import { type Dialect, isSince } from "./reading/dialect";

interface Subschema {
  /** Pointer steps below the schema that holds it, starting with a slash. */
  path: string;
  value: unknown;
}

const single = ["not", "additionalProperties", "items", "additionalItems"];
const singleSince: readonly [string, Dialect][] = [
  ["contains", "draft-06"],
  ["propertyNames", "draft-06"],
  ["if", "draft-07"],
  ["then", "draft-07"],
  ["else", "draft-07"],
  ["unevaluatedItems", "2019-09"],
  ["unevaluatedProperties", "2019-09"],
  ["contentSchema", "2019-09"],
];
const lists = ["allOf", "anyOf", "oneOf", "items", "prefixItems"];
const maps = ["properties", "patternProperties", "definitions", "dependencies"];
const mapsSince: readonly [string, Dialect][] = [
  ["$defs", "2019-09"],
  ["dependentSchemas", "2019-09"],
];

/** Lists the places directly in a schema where its dialect expects schemas. */
export function subschemasOf(schema: JsonObject, dialect: Dialect): Subschema[] {
  const found: Subschema[] = [];
  const add = (path: string, value: unknown) => {
    if (isJsonObject(value) || typeof value === "boolean") found.push({ path, value });
  };
  const since = (known: readonly [string, Dialect][]) =>
    known.filter(([, first]) => isSince(dialect, first)).map(([keyword]) => keyword);

  for (const keyword of [...single, ...since(singleSince)]) {
    add(`/${keyword}`, ownValue(schema, keyword));
  }
  for (const keyword of lists) {
    const list = ownValue(schema, keyword);
    if (!Array.isArray(list)) continue;
    for (const [index, value] of list.entries()) add(`/${keyword}/${index}`, value);
  }
  for (const keyword of [...maps, ...since(mapsSince)]) {
    const map = ownValue(schema, keyword);
    if (!isJsonObject(map)) continue;
    for (const [key, value] of Object.entries(map)) add(`/${keyword}/${pointerStep(key)}`, value);
  }
  return found;
}
