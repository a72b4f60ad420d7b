import { pointerStep } from "../../json/jsonPointer";
import { isJsonObject, type JsonObject, ownValue } from "../../json/jsonValue";
import { l10nText } from "../../text/language";
import { isSince, type SchemaNode, type SchemaReference, type SchemaRules } from "../schemaRules";
import { KeywordReader } from "./keywordReader";
import { type SchemaDefects, SchemaRefusal } from "./schemaDefects";

/** What reading one schema requires of the others. */
export interface ReadContext {
  /** Collects what is left out. */
  readonly defects: SchemaDefects;
  /** Rules of the schema at `path` below `node`; they may be read later. */
  rulesBelow(node: SchemaNode, path: string, value: unknown): SchemaRules;
  /** Follows a reference of a schema; undefined, and noted as left out, where it leads nowhere. */
  reference(
    node: SchemaNode,
    rules: SchemaRules,
    keyword: SchemaReference["keyword"],
    reference: string,
  ): SchemaReference | undefined;
  /** New rules that apply beside `rules` and contain only a reference. */
  rulesBeside(rules: SchemaRules, reference: SchemaReference): SchemaRules;
}

/**
 * Reads the keywords of one schema into `rules`. Keywords its dialect does not know are skipped, as the
 * standard requires; one of the wrong shape is left out and noted. A value that is not a schema is refused.
 */
export function readRules(node: SchemaNode, rules: SchemaRules, context: ReadContext): void {
  const { value } = node;
  const { dialect } = node.resource;
  if (typeof value === "boolean") {
    if (!value) rules.never = true;
    return;
  }
  if (!isJsonObject(value)) {
    if (node.resource.document.lenient !== undefined) return;
    const where = node.pointer.slice(0, 200) || l10nText("the schema root");
    const reason = l10nText("The skill's schema is malformed: a schema is expected at {place}.", {
      place: where,
    });
    if (node.pointer === "") throw new SchemaRefusal("malformed", reason);
    context.defects.add(rules, "", reason);
    return;
  }
  const reader = new KeywordReader(node, rules, value, context);
  readAnnotations(value, rules);
  const reference = reader.text("$ref");
  const found =
    reference === undefined ? undefined : context.reference(node, rules, "$ref", reference);
  if (found !== undefined) rules.reference = found;
  if (reader.has("$ref") && !reader.isLenient && !isSince(dialect, "2019-09")) return;
  readDynamicReference(reader, rules, node, context);
  const types = reader.types();
  if (types !== undefined) rules.types = types;
  const allowed = reader.list("enum");
  if (allowed !== undefined) rules.enum = allowed;
  if (reader.has("const", "draft-06")) {
    rules.hasConst = true;
    rules.const = value.const ?? null;
  }
  readNumberRules(reader, rules);
  readStringRules(reader, rules);
  readArrayRules(reader, rules);
  readObjectRules(reader, rules);
  readCombiningRules(reader, rules);
}

function readDynamicReference(
  reader: KeywordReader,
  rules: SchemaRules,
  node: SchemaNode,
  context: ReadContext,
): void {
  const { dialect } = node.resource;
  const keyword = dialect === "2019-09" ? "$recursiveRef" : "$dynamicRef";
  if (!reader.isLenient && !isSince(dialect, "2019-09")) return;
  const reference = reader.text(keyword);
  if (reference === undefined) return;
  const read = context.reference(node, rules, keyword, reference);
  if (read === undefined) return;
  if (rules.reference === undefined) rules.reference = read;
  // With both kinds beside each other both apply: the second becomes a schema of its own.
  else rules.allOf = [context.rulesBeside(rules, read)];
}

function readCombiningRules(reader: KeywordReader, rules: SchemaRules): void {
  const allOf = reader.schemas("allOf");
  if (allOf !== undefined) rules.allOf = [...(rules.allOf ?? []), ...allOf];
  const anyOf = reader.schemas("anyOf");
  if (anyOf !== undefined) rules.anyOf = anyOf;
  const oneOf = reader.schemas("oneOf");
  if (oneOf !== undefined) rules.oneOf = oneOf;
  const not = reader.schema("not");
  if (not !== undefined) rules.not = not;
  const condition = reader.schema("if", "draft-07");
  if (condition === undefined) return;
  rules.if = condition;
  const consequence = reader.schema("then", "draft-07");
  // biome-ignore lint/suspicious/noThenProperty: the keyword has this name.
  if (consequence !== undefined) rules.then = consequence;
  const alternative = reader.schema("else", "draft-07");
  if (alternative !== undefined) rules.else = alternative;
}

/** Reads keywords that validate nothing: descriptions, suggestions, hints. */
function readAnnotations(schema: JsonObject, rules: SchemaRules): void {
  const { title, description, errorMessage, examples, example } = schema;
  if (typeof title === "string") rules.title = title;
  if (typeof description === "string") rules.description = description;
  if (typeof errorMessage === "string") rules.errorMessage = errorMessage;
  if (isJsonObject(errorMessage)) {
    const texts = Object.entries(errorMessage).filter(
      (entry): entry is [string, string] => typeof entry[1] === "string",
    );
    rules.errorMessage = new Map(texts);
  }
  if (Object.hasOwn(schema, "default")) {
    rules.hasDefault = true;
    rules.default = schema.default ?? null;
  }
  if (Array.isArray(examples)) rules.examples = examples;
  if (example !== undefined) rules.example = example;
  for (const keyword of ["deprecated", "readOnly", "writeOnly"] as const) {
    const flag = ownValue(schema, keyword);
    if (typeof flag === "boolean") rules[keyword] = flag;
  }
  for (const keyword of ["contentEncoding", "contentMediaType"] as const) {
    const text = ownValue(schema, keyword);
    if (typeof text === "string") rules[keyword] = text;
  }
}

/** Reads the keywords of arrays; a list in `items` becomes `prefixItems`. */
function readArrayRules(reader: KeywordReader, rules: SchemaRules): void {
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
  const hasList = Array.isArray(reader.raw("items"));
  // Beside `prefixItems` a list means nothing in any dialect.
  const isList = hasList && (reader.isLenient || !reader.has("prefixItems"));
  if (reader.readsByShape ? !isList : isSince(reader.dialect, "2020-12")) {
    const prefix = reader.schemas("prefixItems");
    if (prefix !== undefined) rules.prefixItems = prefix;
    const items = reader.schema("items");
    if (items !== undefined) rules.items = items;
    return;
  }
  if (!hasList) {
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

/** Reads the keywords of objects; `dependencies` become their two successors. */
function readObjectRules(reader: KeywordReader, rules: SchemaRules): void {
  for (const keyword of ["minProperties", "maxProperties"] as const) {
    const limit = reader.count(keyword);
    if (limit !== undefined) rules[keyword] = limit;
  }
  const properties = reader.schemaMap("properties");
  if (properties !== undefined) rules.properties = new Map(properties);
  readRequired(reader, rules);
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

/** Reads the required names. Draft 3, still in use, marks each required property by itself. */
function readRequired(reader: KeywordReader, rules: SchemaRules): void {
  const isMark = reader.readsByShape && typeof reader.raw("required") === "boolean";
  const listed = isMark ? undefined : reader.texts("required");
  const marked = reader.readsByShape
    ? [...(rules.properties ?? [])].filter(
        ([, { source }]) => isJsonObject(source) && source["required"] === true,
      )
    : [];
  if (listed === undefined && marked.length === 0) return;
  rules.required = [...new Set([...(listed ?? []), ...marked.map(([name]) => name)])];
}

function readDependencies(reader: KeywordReader, rules: SchemaRules): void {
  const required = new Map<string, string[]>();
  const schemas = new Map(reader.schemaMap("dependentSchemas", "2019-09"));
  const addRequired = (keyword: string, name: string, names: unknown) => {
    const isNames = Array.isArray(names) && names.every((item) => typeof item === "string");
    if (isNames) required.set(name, names as string[]);
    else reader.leaveOut(`${keyword}/${pointerStep(name)}`, l10nText("an array of property names"));
  };
  // Later dialects split `dependencies` in two and kept it for older schemas.
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

/** Reads the limits of numbers. Draft-04 has exclusive limits as flags beside the limit. */
function readNumberRules(reader: KeywordReader, rules: SchemaRules): void {
  for (const side of ["minimum", "maximum"] as const) {
    const exclusive = side === "minimum" ? "exclusiveMinimum" : "exclusiveMaximum";
    const limit = reader.number(side);
    const hasFlag = reader.readsByShape && typeof reader.raw(exclusive) === "boolean";
    if (hasFlag || (reader.dialect === "draft-04" && !reader.isLenient)) {
      const isExclusive = reader.flag(exclusive) === true;
      if (limit !== undefined) rules[isExclusive ? exclusive : side] = limit;
      continue;
    }
    if (limit !== undefined) rules[side] = limit;
    const exclusiveLimit = reader.number(exclusive);
    if (exclusiveLimit !== undefined) rules[exclusive] = exclusiveLimit;
  }
  const divisor = reader.number("multipleOf");
  if (divisor === undefined) return;
  if (divisor > 0) rules.multipleOf = divisor;
  else reader.leaveOut("multipleOf", l10nText("greater than 0"));
}

/** Reads the limits of texts. */
function readStringRules(reader: KeywordReader, rules: SchemaRules): void {
  for (const keyword of ["minLength", "maxLength"] as const) {
    const limit = reader.count(keyword);
    if (limit !== undefined) rules[keyword] = limit;
  }
  const pattern = reader.text("pattern");
  if (pattern !== undefined) rules.pattern = pattern;
  const format = reader.text("format");
  if (format !== undefined) rules.format = format;
}
