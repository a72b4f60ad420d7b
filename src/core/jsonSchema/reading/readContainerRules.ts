import { pointerStep } from "../../json/jsonPointer";
import { l10nText } from "../../text/localizableText";
import { isSince } from "./dialect";
import type { KeywordReader } from "./keywordReader";
import type { SchemaRules } from "./schemaRules";

/** Reads what is asked of arrays; a list in `items` becomes `prefixItems`. */
export function readArrayRules(reader: KeywordReader, rules: SchemaRules): void {
  for (const keyword of ["minItems", "maxItems"] as const) {
    const limit = reader.count(keyword);
    if (limit !== undefined) rules[keyword] = limit;
  }
  if (reader.flag("uniqueItems") === true) rules.uniqueItems = true;
  readItems(reader, rules);
  const contains = reader.schema("contains", "draft-06");
  if (contains !== undefined) {
    rules.contains = contains;
    for (const keyword of ["minContains", "maxContains"] as const) {
      const limit = reader.count(keyword, "2019-09");
      if (limit !== undefined) rules[keyword] = limit;
    }
  }
  const unevaluated = reader.schema("unevaluatedItems", "2019-09");
  if (unevaluated !== undefined) rules.unevaluatedItems = unevaluated;
}

function readItems(reader: KeywordReader, rules: SchemaRules): void {
  if (isSince(reader.dialect, "2020-12")) {
    const prefix = reader.schemas("prefixItems");
    if (prefix !== undefined) rules.prefixItems = prefix;
    const items = reader.schema("items");
    if (items !== undefined) rules.items = items;
    return;
  }
  if (!Array.isArray(reader.raw("items"))) {
    const items = reader.schema("items");
    if (items !== undefined) rules.items = items;
    return;
  }
  const prefix = reader.schemas("items");
  if (prefix !== undefined) rules.prefixItems = prefix;
  const rest = reader.schema("additionalItems");
  if (rest === undefined) return;
  rules.items = rest;
  rules.spelling.items = "additionalItems";
}

/** Reads what is asked of objects; `dependencies` become their two successors. */
export function readObjectRules(reader: KeywordReader, rules: SchemaRules): void {
  for (const keyword of ["minProperties", "maxProperties"] as const) {
    const limit = reader.count(keyword);
    if (limit !== undefined) rules[keyword] = limit;
  }
  const required = reader.texts("required");
  if (required !== undefined) rules.required = required;
  const properties = reader.schemaMap("properties");
  if (properties !== undefined) rules.properties = new Map(properties);
  const patterns = reader.schemaMap("patternProperties");
  if (patterns !== undefined) {
    rules.patternProperties = patterns.map(([pattern, below]) => ({ pattern, rules: below }));
  }
  const additional = reader.schema("additionalProperties");
  if (additional !== undefined) rules.additionalProperties = additional;
  const names = reader.schema("propertyNames", "draft-06");
  if (names !== undefined) rules.propertyNames = names;
  readDependencies(reader, rules);
  const unevaluated = reader.schema("unevaluatedProperties", "2019-09");
  if (unevaluated !== undefined) rules.unevaluatedProperties = unevaluated;
}

function readDependencies(reader: KeywordReader, rules: SchemaRules): void {
  const required = new Map<string, string[]>();
  const schemas = new Map(reader.schemaMap("dependentSchemas", "2019-09"));
  const addRequired = (keyword: string, name: string, names: unknown) => {
    const isNames = Array.isArray(names) && names.every((item) => typeof item === "string");
    if (isNames) required.set(name, names as string[]);
    else reader.leaveOut(`${keyword}/${pointerStep(name)}`, l10nText("a list of property names"));
  };
  // The later dialects split `dependencies` in two and let it live on for older schemas.
  for (const [name, value] of reader.map("dependencies") ?? []) {
    if (Array.isArray(value)) {
      addRequired("dependencies", name, value);
      rules.spelling.dependentRequired = "dependencies";
    } else if (!schemas.has(name)) {
      schemas.set(name, reader.below(`/dependencies/${pointerStep(name)}`, value));
    }
  }
  for (const [name, value] of reader.map("dependentRequired", "2019-09") ?? []) {
    addRequired("dependentRequired", name, value);
  }
  if (required.size > 0) rules.dependentRequired = required;
  if (schemas.size > 0) rules.dependentSchemas = schemas;
}
