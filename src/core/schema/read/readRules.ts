import { pointerStep } from "../../json/jsonPointer";
import { isJsonObject } from "../../json/jsonValue";
import { l10nText } from "../../text/language";
import { decidingKeywords, type Keyword, keywordsWith, rowOf } from "../keywords";
import { isSince, type SchemaNode, type SchemaRules } from "../schemaRules";
import { isTexts, KeywordReader, type ReadContext } from "./keywordReader";

/**
 * Reads the keywords of one schema into `rules`. Skips keywords that its dialect does not know, as the standard
 * requires. Omits and records keywords of the wrong shape. Refuses a root that is not a schema.
 */
export function readRules(node: SchemaNode, rules: SchemaRules, context: ReadContext): void {
  const { value } = node;
  const { dialect } = node.resource;
  if (typeof value === "boolean") {
    if (!value) rules.never = true;
    return;
  }
  if (!isJsonObject(value)) {
    const where = node.pointer.slice(0, 200) || l10nText("the schema root");
    const reason = l10nText("The skill's schema is malformed: a schema is expected at {place}.", {
      place: where,
    });
    if (node.pointer === "") context.defects.refuse("malformed", reason);
    context.defects.add(rules, "", reason);
    return;
  }
  const reader = new KeywordReader(node, rules, value, context);
  readKeywords(annotations, reader, rules);
  reader.decides = true;
  const reference = reader.text("$ref");
  const target =
    reference === undefined ? undefined : context.reference(node, rules, "$ref", reference);
  if (target !== undefined) rules.reference = target;
  if (reader.has("$ref") && !isSince(dialect, "2019-09")) {
    // Before 2019-09, keywords beside `$ref` are ignored. `has` records them as too new.
    for (const name of decidingKeywords) reader.has(name === "types" ? "type" : name, "2019-09");
    return;
  }
  readDynamicReference(reader, rules, node, context);
  readKeywords(decidingKeywords, reader, rules);
}

const annotations = keywordsWith({ sort: "annotation" });

function readKeywords(names: readonly Keyword[], reader: KeywordReader, rules: SchemaRules): void {
  for (const name of names) {
    const special = specialReaders[name];
    if (special === "together") continue;
    if (special !== undefined) {
      special(reader, rules);
      continue;
    }
    const { holds, since, beside } = rowOf(name);
    if (beside !== undefined && rules[beside] === undefined) continue;
    const value = reader[holds](name, since);
    if (value !== undefined) rules[name] = value as never;
  }
}

type Read = (reader: KeywordReader, rules: SchemaRules) => void;

/**
 * Readers of the keywords that dialects spell differently. `together` marks a keyword that the reader of another
 * keyword reads as well.
 */
const specialReaders: Readonly<Partial<Record<Keyword, Read | "together">>> = {
  minimum: (reader, rules) => readBounds("minimum", "exclusiveMinimum", reader, rules),
  exclusiveMinimum: "together",
  maximum: (reader, rules) => readBounds("maximum", "exclusiveMaximum", reader, rules),
  exclusiveMaximum: "together",
  multipleOf: readDivisor,
  prefixItems: readItems,
  items: "together",
  required: readRequired,
  dependentRequired: readDependencies,
  dependentSchemas: "together",
  allOf: (reader, rules) => {
    const allOf = reader.schemas("allOf");
    if (allOf !== undefined) rules.allOf = [...(rules.allOf ?? []), ...allOf];
  },
};

function readDynamicReference(
  reader: KeywordReader,
  rules: SchemaRules,
  node: SchemaNode,
  context: ReadContext,
): void {
  const { dialect } = node.resource;
  const keyword = dialect === "2019-09" ? "$recursiveRef" : "$dynamicRef";
  const reference = reader.text(keyword, "2019-09");
  if (reference === undefined) return;
  const read = context.reference(node, rules, keyword, reference);
  if (read === undefined) return;
  if (rules.reference === undefined) rules.reference = read;
  // The value must satisfy both references, and rules have only one. The second becomes a schema of `allOf`.
  else rules.allOf = [context.rulesBeside(rules, read)];
}

/** Reads `items`. A list becomes `prefixItems`. */
function readItems(reader: KeywordReader, rules: SchemaRules): void {
  const hasList = Array.isArray(reader.value("items"));
  // Beside `prefixItems`, a list has no meaning in any dialect.
  const isList = !reader.has("prefixItems", "2020-12") && hasList;
  const isNew = reader.readsByShape ? !isList : isSince(reader.dialect, "2020-12");
  const isSplit = hasList && !isNew;
  const prefix = isNew || hasList ? reader.schemas(isNew ? "prefixItems" : "items") : undefined;
  if (prefix !== undefined) rules.prefixItems = prefix;
  const rest = reader.schema(isSplit ? "additionalItems" : "items");
  if (rest === undefined) return;
  rules.items = rest;
  if (isSplit) rules.spelling.items = "additionalItems";
}

/** Reads the required names. Draft 3, still in use, marks each required property itself. */
function readRequired(reader: KeywordReader, rules: SchemaRules): void {
  const isMark = reader.readsByShape && typeof reader.value("required") === "boolean";
  const listed = isMark ? undefined : reader.texts("required");
  const marked = reader.readsByShape
    ? [...(rules.properties ?? [])].filter(
        ([, { source }]) => isJsonObject(source) && source["required"] === true,
      )
    : [];
  if (listed === undefined && marked.length === 0) return;
  rules.required = [...new Set([...(listed ?? []), ...marked.map(([name]) => name)])];
}

/** Reads `dependentRequired` and `dependentSchemas`, and `dependencies`, which combines both and is still used. */
function readDependencies(reader: KeywordReader, rules: SchemaRules): void {
  const required = new Map<string, string[]>();
  const schemas = reader.schemaMap("dependentSchemas", "2019-09") ?? new Map<string, SchemaRules>();
  for (const [name, value] of reader.map("dependencies") ?? []) {
    if (isTexts(value)) {
      required.set(name, value);
      rules.spelling.dependentRequired = "dependencies";
    } else if (Array.isArray(value)) {
      reader.reportMalformedNames("dependencies", name);
    } else if (!schemas.has(name)) {
      schemas.set(name, reader.below(`/dependencies/${pointerStep(name)}`, value));
    }
  }
  for (const [name, names] of reader.textsMap("dependentRequired", "2019-09") ?? []) {
    required.set(name, names);
  }
  if (required.size > 0) rules.dependentRequired = required;
  if (schemas.size > 0) rules.dependentSchemas = schemas;
}

/** Reads bounds. In draft-04, exclusive bounds are flags beside the bound. */
function readBounds(
  bound: "minimum" | "maximum",
  exclusive: "exclusiveMinimum" | "exclusiveMaximum",
  reader: KeywordReader,
  rules: SchemaRules,
): void {
  const limit = reader.number(bound);
  const hasFlag = reader.readsByShape && typeof reader.value(exclusive) === "boolean";
  if (hasFlag || reader.dialect === "draft-04") {
    const isExclusive = reader.flag(exclusive) === true;
    if (limit !== undefined) rules[isExclusive ? exclusive : bound] = limit;
    return;
  }
  if (limit !== undefined) rules[bound] = limit;
  const exclusiveLimit = reader.number(exclusive);
  if (exclusiveLimit !== undefined) rules[exclusive] = exclusiveLimit;
}

function readDivisor(reader: KeywordReader, rules: SchemaRules): void {
  const divisor = reader.number("multipleOf");
  if (divisor === undefined) return;
  if (divisor > 0) rules.multipleOf = divisor;
  else reader.reportMalformed("multipleOf", l10nText("greater than 0"));
}
