import { isJsonObject, type JsonObject, type JsonValue } from "../json/jsonValue";
import type { Language } from "../text/language";
import { keywordsWith } from "./keywords";
import type { TestableSchema } from "./read/testableSchema";
import { SampleBudget } from "./sample/sampleValues";
import { isDescribed, type SchemaRules, schemasOf } from "./schemaRules";
import { describesObject, namesToOffer, valueSnippets, valueText } from "./schemaSnippets";

/** The service visits all of them for each completion, while one types. */
const maxNodes = 10_000;
/** The service calls itself for each level. */
const maxDepth = 60;
/** References may lead back to where they came from. */
const maxReferences = 16;
/** As many as a list of completions is scrolled through. */
const maxValues = 500;
/** A longer value is no completion that anybody chooses by reading it. */
const maxValueText = 10_000;
/** They stand in one `anyOf` for every name that is not described, so each costs each name. */
const maxPatterns = 20;
/** An object may be described by itself; two levels of it are enough to go on typing. */
const maxWithin = 2;
/** Bounds all samples together to some 300 ms; later values are left for the user to write. */
const bounds = { tries: 20_000, steps: 1_500_000 };

/**
 * Converts a skill's schema for a JSON language service: rewritten as draft 2020-12, with nothing in it but
 * what helps to complete and explain. References lead to definitions of its own; patterns, formats,
 * identifiers, snippets and Markdown are left out; every description is plain text of ours around the
 * schema's, in the reader's language. Size and depth are bounded: anything beyond is `true`.
 */
export function assistanceSchema(schema: TestableSchema, language: Language): JsonObject {
  const budget = new SampleBudget(schema, bounds);
  const names = new Map<SchemaRules, string>();
  const waiting: { readonly name: string; readonly rules: SchemaRules }[] = [];
  let nodes = 0;

  const referTo = (rules: SchemaRules): string => {
    const known = names.get(rules);
    if (known !== undefined) return known;
    const name = `s${names.size}`;
    names.set(rules, name);
    waiting.push({ name, rules: withTarget(rules) });
    return name;
  };

  /** `within` counts the enclosing objects that are offered as a whole: a part of one offers none itself. */
  const cleaned = (rules: SchemaRules, depth: number, within = 0): JsonValue => {
    if (!isDescribed(rules)) return rules.never !== true;
    nodes += 1;
    if (nodes > maxNodes || depth > maxDepth) return true;
    if (rules.reference !== undefined || rules.unresolved !== undefined) {
      return within === 0 || within > maxWithin
        ? { $ref: `#/$defs/${referTo(rules)}` }
        : cleaned(withTarget(rules), depth, within);
    }
    const clean: [string, JsonValue][] = [];
    const below = (part: SchemaRules) => cleaned(part, depth + 1);
    const isWhole = within > 0 || describesObject(rules);
    const together = (part: SchemaRules) => cleaned(part, depth + 1, isWhole ? within + 1 : 0);
    const { types } = rules;
    if (types !== undefined) clean.push(["type", types.length === 1 ? (types[0] ?? []) : types]);
    for (const keyword of plain) {
      const value = rules[keyword];
      if (value !== undefined) clean.push([keyword, value]);
    }
    for (const keyword of lists) {
      const list = rules[keyword];
      if (list !== undefined) clean.push([keyword, list.slice(0, maxValues).filter(isShort)]);
    }
    for (const keyword of values) {
      const value = rules[keyword];
      if (value !== undefined && isShort(value)) clean.push([keyword, value]);
    }
    for (const keyword of single) {
      const part = rules[keyword];
      if (part !== undefined) clean.push([keyword, below(part)]);
    }
    for (const keyword of several) {
      const parts = rules[keyword]?.slice(0, maxValues);
      const each = keyword === "prefixItems" ? below : together;
      if (parts !== undefined) clean.push([keyword, parts.map(each)]);
    }
    if (rules.properties !== undefined) {
      const required = new Set(namesToOffer([rules]));
      // The order of the completions: required properties first, else as in the schema.
      const parts = [...rules.properties].toSorted(
        ([left], [right]) => Number(required.has(right)) - Number(required.has(left)),
      );
      const members = parts.map(([name, one]): [string, JsonValue] => [name, below(one)]);
      clean.push(["properties", Object.fromEntries(members)]);
    }
    clean.push(...furtherOf(rules, below), ...descriptionOf(rules));
    if (within === 0) clean.push(...snippetsOf(rules));
    return Object.fromEntries(clean);
  };

  /** Patterns are not evaluated here: what is under one is proposed for every name that is not described. */
  const furtherOf = (
    { patternProperties, additionalProperties }: SchemaRules,
    below: (part: SchemaRules) => JsonValue,
  ): [string, JsonValue][] => {
    const matched = schemasOf(patternProperties).slice(0, maxPatterns);
    const parts = [...matched, ...(additionalProperties ? [additionalProperties] : [])];
    const schemas = parts.filter(isDescribed).map(below);
    if (schemas.length > 1) return [["additionalProperties", { anyOf: schemas }]];
    const [only = additionalProperties?.never !== true] = schemas;
    return additionalProperties === undefined && schemas.length === 0
      ? []
      : [["additionalProperties", only]];
  };

  const descriptionOf = (rules: SchemaRules): [string, JsonValue][] => {
    const text = valueText(rules, language);
    return text === "" ? [] : [["description", text]];
  };

  const snippetsOf = (rules: SchemaRules): [string, JsonValue][] => {
    const snippets = valueSnippets(rules, budget).map(({ label, snippet }) => ({
      label,
      ...(label.includes("{ ") && { description: language.t("Required properties only") }),
      // The service inserts a body that starts with "^" literally, without that character.
      body: `^${snippet}`,
    }));
    return snippets.length === 0 ? [] : [["defaultSnippets", snippets]];
  };

  const root = cleaned(withTarget(schema.root), 0);
  const definitions: [string, JsonValue][] = [];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    definitions.push([next.name, cleaned(next.rules, 0)]);
  }
  return {
    ...(isJsonObject(root) ? root : {}),
    $schema: "https://json-schema.org/draft/2020-12/schema",
    $defs: Object.fromEntries(definitions),
  };
}

/**
 * Merges rules with those that their reference leads to, giving precedence to their own annotations: the
 * language service would prefer the target's. A reference that leads nowhere is left out.
 */
function withTarget(rules: SchemaRules): SchemaRules {
  let { unresolved: _, reference, ...merged } = rules;
  for (let step = 0; step < maxReferences && reference !== undefined; step += 1) {
    const { unresolved, reference: next, ...target } = reference.target;
    merged = { ...target, ...merged };
    reference = next;
  }
  return merged;
}

const plain = [
  ...keywordsWith({ assists: true, holds: "texts" }),
  ...keywordsWith({ assists: true, holds: "number" }),
  ...keywordsWith({ assists: true, holds: "count" }),
  ...keywordsWith({ assists: true, holds: "flag" }),
];
const lists = keywordsWith({ assists: true, holds: "list" });
const values = keywordsWith({ assists: true, holds: "value" });
const single = keywordsWith({ assists: true, holds: "schema" });
const several = keywordsWith({ assists: true, holds: "schemas" });

function isShort(value: JsonValue): boolean {
  return JSON.stringify(value).length <= maxValueText;
}
