import { isJsonObject, type JsonObject } from "../../json/jsonValue";
import { l10nText } from "../../text/localizableText";
import { isSince } from "./dialect";
import { KeywordReader } from "./keywordReader";
import { readArrayRules, readObjectRules } from "./readContainerRules";
import { readNumberRules, readStringRules } from "./readScalarRules";
import type { SchemaDefects } from "./schemaDefects";
import { SchemaRefusal } from "./schemaRefusal";
import type { SchemaPlace, SchemaReference, SchemaRules } from "./schemaRules";

/** What reading one schema needs to know of the others. */
export interface ReadContext {
  /** Takes note of what is left out. */
  readonly defects: SchemaDefects;
  /** Rules of the schema at `path` below `place`; they may be read later. */
  rulesBelow(place: SchemaPlace, path: string, value: unknown): SchemaRules;
  /** Follows a reference of a schema; undefined, and noted as left out, where it leads nowhere. */
  reference(
    place: SchemaPlace,
    rules: SchemaRules,
    keyword: SchemaReference["keyword"],
    reference: string,
  ): SchemaReference | undefined;
}

/**
 * Reads the keywords of one schema into `rules`. Keywords its dialect does not know are skipped, as
 * the standard asks; one of the wrong shape is left out and noted. What is no schema at all is refused.
 */
export function readRules(place: SchemaPlace, rules: SchemaRules, context: ReadContext): void {
  const { value } = place;
  const { dialect } = place.resource;
  if (typeof value === "boolean") {
    if (!value) rules.never = true;
    return;
  }
  if (!isJsonObject(value)) {
    const where = place.pointer.slice(0, 200) || l10nText("the schema root");
    const reason = l10nText("The skill's schema is malformed: a schema is expected at {place}.", {
      place: where,
    });
    if (place.pointer === "") throw new SchemaRefusal("malformed", reason);
    context.defects.add(rules, "", reason);
    return;
  }
  const reader = new KeywordReader(place, rules, value, context);
  readTexts(value, rules);
  const reference = reader.text("$ref");
  const found =
    reference === undefined ? undefined : context.reference(place, rules, "$ref", reference);
  if (found !== undefined) rules.reference = found;
  if (reader.has("$ref") && !isSince(dialect, "2019-09")) return;
  readDynamicReference(reader, rules, place, context);
  const types = reader.types();
  if (types !== undefined) rules.types = types;
  const allowed = reader.list("enum");
  if (allowed !== undefined) rules.enum = allowed;
  if (reader.has("const", "draft-06")) {
    rules.hasConst = true;
    rules.const = value.const;
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
  place: SchemaPlace,
  context: ReadContext,
): void {
  const { dialect } = place.resource;
  const keyword = dialect === "2019-09" ? "$recursiveRef" : "$dynamicRef";
  if (!isSince(dialect, "2019-09")) return;
  const reference = reader.text(keyword);
  if (reference === undefined) return;
  const read = context.reference(place, rules, keyword, reference);
  if (read === undefined) return;
  if (rules.reference === undefined) rules.reference = read;
  // Both kinds beside each other hold both: the second is a schema of its own.
  else rules.allOf = [{ ...emptyRules(rules), reference: read }];
}

function emptyRules({ id, pointer, resource }: SchemaRules): SchemaRules {
  return { id, pointer, resource, spelling: {} };
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
  if (consequence !== undefined) rules.whenTrue = consequence;
  const alternative = reader.schema("else", "draft-07");
  if (alternative !== undefined) rules.whenFalse = alternative;
}

function readTexts(schema: JsonObject, rules: SchemaRules): void {
  const { title, description, errorMessage, examples } = schema;
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
    rules.default = schema.default;
  }
  if (Array.isArray(examples)) rules.examples = examples;
}
