import { isJsonObject, type JsonObject, type JsonValue } from "../../json/jsonValue";
import type { Language } from "../../text/language";
import { localReferences, type ResolveReference } from "../outline/schemaReferences";
import { describesObject } from "./objectSnippets";
import { requiredNames } from "./requiredSnippet";
import { valueSnippets } from "./valueSnippets";
import { valueText } from "./valueText";

const maxNodes = 10_000;
const maxDepth = 60;
const maxReferences = 16;
const maxValues = 500;
const maxValueText = 10_000;
const maxPatterns = 20;
const maxWithin = 2;

/**
 * Makes of a skill's schema one that can be handed to a JSON language service: rewritten as draft
 * 2020-12, with nothing in it but what helps to complete and explain. References lead to definitions
 * of its own; patterns, formats, identifiers, snippets and Markdown are left out; every description
 * is plain words of ours around the schema's, in the reader's language. Size and depth are bounded: what is beyond is `true`.
 */
export function assistanceSchema(schema: JsonValue, language: Language): JsonObject {
  const resolve = localReferences(schema);
  const names = new Map<JsonObject, string>();
  const waiting: { readonly name: string; readonly schema: JsonObject }[] = [];
  let nodes = 0;

  const referTo = (source: JsonObject): string => {
    const known = names.get(source);
    if (known !== undefined) return known;
    const name = `s${names.size}`;
    names.set(source, name);
    waiting.push({ name, schema: withTarget(source, resolve) });
    return name;
  };

  /** `within` counts the parts this is one of, of an object that is offered as a whole: it offers none. */
  const cleaned = (value: JsonValue | undefined, depth: number, within = 0): JsonValue => {
    if (!isJsonObject(value)) return value !== false;
    nodes += 1;
    if (nodes > maxNodes || depth > maxDepth) return true;
    if (referenceOf(value) !== undefined) {
      return within === 0 || within > maxWithin
        ? { $ref: `#/$defs/${referTo(value)}` }
        : cleaned(withTarget(value, resolve), depth, within);
    }
    const clean: [string, JsonValue][] = [];
    const below = (part: JsonValue | undefined) => cleaned(part, depth + 1);
    const isWhole = within > 0 || describesObject(value, resolve);
    const together = (part: JsonValue | undefined) =>
      cleaned(part, depth + 1, isWhole ? within + 1 : 0);
    for (const [keyword, part] of Object.entries(value)) {
      if (plainKeywords.has(keyword)) clean.push([keyword, part]);
      else if (valueLists.has(keyword) && Array.isArray(part)) clean.push([keyword, values(part)]);
      else if (singleValues.has(keyword) && isShort(part)) clean.push([keyword, part]);
      else if (schemaKeywords.has(keyword) && !Array.isArray(part))
        clean.push([keyword, below(part)]);
      else if (schemaLists.has(keyword) && Array.isArray(part)) {
        const each = keyword === "prefixItems" ? below : together;
        clean.push([keyword, part.slice(0, maxValues).map(each)]);
      } else if (keyword === "properties" && isJsonObject(part)) {
        const required = new Set(requiredNames([value]));
        // The order of the completions: what is required first, else as the schema has it.
        const parts = Object.entries(part)
          .slice(0, maxNodes)
          .toSorted(([left], [right]) => Number(required.has(right)) - Number(required.has(left)));
        clean.push([keyword, Object.fromEntries(parts.map(([name, one]) => [name, below(one)]))]);
      }
    }
    clean.push(...itemsOf(value, below), ...furtherOf(value, below), ...wordsOf(value));
    if (within === 0) clean.push(...snippetsOf(value));
    return Object.fromEntries(clean);
  };

  /** No pattern is tried here: what is under one is proposed for every name that is not described. */
  const furtherOf = (
    { patternProperties, additionalProperties }: JsonObject,
    below: (part: JsonValue | undefined) => JsonValue,
  ): [string, JsonValue][] => {
    const matched = isJsonObject(patternProperties) ? Object.values(patternProperties) : [];
    const parts = [...matched.slice(0, maxPatterns), additionalProperties ?? true];
    const schemas = parts.filter(isJsonObject).map(below);
    if (schemas.length > 1) return [["additionalProperties", { anyOf: schemas }]];
    const [only = additionalProperties !== false] = schemas;
    return additionalProperties === undefined && schemas.length === 0
      ? []
      : [["additionalProperties", only]];
  };

  /** Drafts before 2020-12 write the first items as a list in `items`. */
  const itemsOf = (
    { items, additionalItems }: JsonObject,
    below: (part: JsonValue | undefined) => JsonValue,
  ): [string, JsonValue][] => {
    if (!Array.isArray(items)) return items === undefined ? [] : [["items", below(items)]];
    const first: [string, JsonValue] = ["prefixItems", items.slice(0, maxValues).map(below)];
    return additionalItems === undefined ? [first] : [first, ["items", below(additionalItems)]];
  };

  const wordsOf = (part: JsonObject): [string, JsonValue][] => {
    const words = valueText(part, resolve, language);
    return words === "" ? [] : [["description", words]];
  };

  const snippetsOf = (part: JsonObject): [string, JsonValue][] => {
    const snippets = valueSnippets(part, resolve).map(({ label, snippet }) => ({
      label,
      ...(label.includes("{ ") && { description: language.t("All that is required") }),
      // The service takes a body that starts with "^" as it is, without the sign.
      body: `^${snippet}`,
    }));
    return snippets.length === 0 ? [] : [["defaultSnippets", snippets]];
  };

  const whole = isJsonObject(schema) ? withTarget(schema, resolve) : schema;
  const root = cleaned(whole, 0);
  const definitions: [string, JsonValue][] = [];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    definitions.push([next.name, cleaned(next.schema, 0)]);
  }
  return {
    ...(isJsonObject(root) ? root : {}),
    $schema: "https://json-schema.org/draft/2020-12/schema",
    $defs: Object.fromEntries(definitions),
  };
}

function referenceOf({ $ref, $dynamicRef }: JsonObject): string | undefined {
  const reference = $ref ?? $dynamicRef;
  return typeof reference === "string" ? reference : undefined;
}

/**
 * A schema with what its reference leads to, its own words first: the language service would let the
 * target's words win. A reference that leads nowhere is left out.
 */
function withTarget(schema: JsonObject, resolve: ResolveReference): JsonObject {
  let { $ref: _, $dynamicRef: __, ...merged } = schema;
  let reference = referenceOf(schema);
  for (let step = 0; step < maxReferences && reference !== undefined; step += 1) {
    const target = resolve(reference);
    if (!isJsonObject(target)) break;
    const { $ref, $dynamicRef, ...rest } = target;
    merged = { ...rest, ...merged };
    reference = referenceOf(target);
  }
  return merged;
}

const plainKeywords = new Set([
  "type",
  "required",
  "minimum",
  "maximum",
  "minLength",
  "maxLength",
  "minItems",
  "maxItems",
  "minProperties",
  "maxProperties",
  "uniqueItems",
]);
const valueLists = new Set(["enum", "examples"]);
const singleValues = new Set(["const", "default"]);
const schemaKeywords = new Set(["not", "if", "then", "else", "contains"]);
const schemaLists = new Set(["allOf", "anyOf", "oneOf", "prefixItems"]);

function values(list: readonly JsonValue[]): JsonValue[] {
  return list.slice(0, maxValues).filter(isShort);
}

function isShort(value: JsonValue): boolean {
  return JSON.stringify(value).length <= maxValueText;
}
