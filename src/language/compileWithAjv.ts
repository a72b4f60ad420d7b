import type { FuncKeywordDefinition, ValidateFunction } from "ajv/dist/core";
import Ajv from "ajv/dist/core";
import getApplicatorVocabulary from "ajv/dist/vocabularies/applicator";
import coreVocabulary from "ajv/dist/vocabularies/core";
import nextVocabulary from "ajv/dist/vocabularies/next";
import validationVocabulary from "ajv/dist/vocabularies/validation";
import {
  canonicalText,
  findEqualItems,
  isJsonObject,
  type JsonObject,
  type JsonValue,
} from "../core/json/jsonValue";
import { isMultipleOf } from "../core/schema/evaluate/evaluateScalar";
import type { OtherVerdict, PatternTest } from "../core/schema/evaluate/evaluation";
import { fitsFormat } from "../core/schema/evaluate/formats";
import { decidingKeywords, type Keyword } from "../core/schema/keywords";
import { type SchemaRules, schemasOf } from "../core/schema/schemaRules";
import { writtenName, writtenValue } from "../core/schema/writeSchema";

const schemaName = "schema";

/**
 * Compiles rules with ajv. Returns a function with ajv's verdict on the root and on every part that applies to many
 * values. Undefined if ajv is known to be wrong, or exceeds a limit of depth or size.
 */
export function compileWithAjv(
  root: SchemaRules,
  all: readonly SchemaRules[],
  testOf: (pattern: string) => PatternTest,
): OtherVerdict | undefined {
  if (hasAjvBlindSpot(all)) return undefined;
  try {
    return compiledWithAjv(root, all, testOf);
  } catch {
    return undefined;
  }
}

function compiledWithAjv(
  root: SchemaRules,
  all: readonly SchemaRules[],
  testOf: (pattern: string) => PatternTest,
): OtherVerdict {
  let allFormatsFit = true;
  const ajv = newAjv(testOf);
  for (const keyword of ownKeywords(() => (allFormatsFit = false))) ajv.addKeyword(keyword);
  const unknown = decidingKeywords.filter(
    (keyword) => ajv.getKeyword(ajvNames[keyword] ?? writtenName(keyword)) === false,
  );
  if (all.some((rules) => unknown.some((keyword) => rules[keyword] !== undefined))) {
    throw new Error("The schema has a keyword that ajv would pass over.");
  }
  const named = namedRules(root, all);
  ajv.addSchema(ajvSchema(named), schemaName);
  const functions = new Map<SchemaRules, ValidateFunction>();
  const functionOf = (rules: SchemaRules) => {
    const cached = functions.get(rules);
    if (cached !== undefined || !named.has(rules)) return cached;
    const compiled = ajv.getSchema(`${schemaName}#/$defs/${rules.id}`);
    if (compiled !== undefined) functions.set(rules, compiled);
    return compiled;
  };
  functionOf(root);
  return (rules, value) => {
    const validate = functionOf(rules);
    if (validate === undefined) return undefined;
    allFormatsFit = true;
    try {
      return validate(value) ? (allFormatsFit ? "clean" : "fits") : "fails";
    } catch (error) {
      // Ajv's code is recursive, and the value is nested too deeply for the stack.
      if (error instanceof RangeError) return undefined;
      throw error;
    } finally {
      validate.errors = null;
    }
  };
}

/** The maximum number of rules for ajv. Beyond it, ajv compiles for longer than our own evaluation runs. */
const maxRules = 800;

/**
 * Returns whether a schema uses something that ajv gets wrong or evaluates too slowly. Then our evaluation decides
 * alone. Known cases: dynamic and recursive references; `unevaluated…`, for which ajv overlooks members evaluated
 * across references or by `contains`; the name `__proto__`; an empty name that is required; circular references, which
 * overflow its stack.
 */
function hasAjvBlindSpot(all: readonly SchemaRules[]): boolean {
  return all.length > maxRules || all.some(isBlindSpot);
}

function isBlindSpot(rules: SchemaRules): boolean {
  const { unevaluatedItems, unevaluatedProperties, reference } = rules;
  if (unevaluatedItems !== undefined || unevaluatedProperties !== undefined) return true;
  if (reference?.overrides !== undefined || leadsToItself(rules)) return true;
  const names = [
    ...(rules.required ?? []),
    ...(rules.properties?.keys() ?? []),
    ...(rules.patternProperties?.keys() ?? []),
    ...[...(rules.dependentRequired ?? [])].flatMap(([trigger, needed]) => [trigger, ...needed]),
    ...(rules.dependentSchemas?.keys() ?? []),
  ];
  // Ajv tests whether the variable with the missing name is truthy, so a missing empty name is not noticed.
  const required = [rules.required ?? [], ...(rules.dependentRequired?.values() ?? [])].flat();
  return names.includes("__proto__") || required.includes("");
}

function leadsToItself(rules: SchemaRules): boolean {
  const passed = new Set<SchemaRules>();
  for (let at = rules.reference?.target; at !== undefined; at = at.reference?.target) {
    if (at === rules) return true;
    if (passed.has(at)) return false;
    passed.add(at);
  }
  return false;
}

function newAjv(testOf: (pattern: string) => PatternTest): Ajv {
  const regExp = (pattern: string) => ({ test: testOf(pattern), toString: () => pattern });
  const ajv = new Ajv({
    strict: false,
    strictNumbers: false,
    meta: false,
    validateSchema: false,
    addUsedSchema: false,
    messages: false,
    ownProperties: true,
    // Without this option, ajv ignores `minContains` and `maxContains`.
    next: true,
    logger: false,
    inlineRefs: false,
    // Ajv's optimizer takes most of the compile time and makes no check faster.
    code: { optimize: false, regExp: Object.assign(regExp, { code: "patternTest" }) },
  });
  const applicators = getApplicatorVocabulary(true);
  for (const vocabulary of [coreVocabulary, validationVocabulary, applicators, nextVocabulary]) {
    ajv.addVocabulary(vocabulary);
  }
  return ajv;
}

/**
 * Creates replacements for keywords that ajv implements differently from the standard. The one for `format` rejects
 * nothing; it only reports a mismatch.
 */
function ownKeywords(noteBadFormat: () => void): FuncKeywordDefinition[] {
  return [
    {
      keyword: "ownEnum",
      schemaType: "array",
      compile: (lists: unknown[][]) => {
        const sets = lists.map((list) => new Set(list.map(canonicalText)));
        return (value: unknown) => sets.every((set) => set.has(canonicalText(value)));
      },
    },
    {
      keyword: "ownUniqueItems",
      type: "array",
      validate: (isRequired: boolean, items: unknown[]) =>
        !isRequired || findEqualItems(items) === undefined,
    },
    {
      keyword: "ownMultipleOf",
      type: "number",
      validate: (divisor: number, value: number) => isMultipleOf(value, divisor),
    },
    {
      keyword: "ownFormat",
      type: "string",
      errors: false,
      compile: (format: string) => (text: string) => {
        if (!fitsFormat(format, text)) noteBadFormat();
        return true;
      },
    },
  ];
}

/**
 * Writes rules as a schema for ajv, with named rules at `#/$defs/id`. The schema has one dialect, no identifiers, only
 * references of the form `#/$defs/n`, and only keywords that can affect a verdict. So it does not matter how ajv treats
 * `$id`, `nullable`, `$async` and unknown keywords. `const`, `enum` of objects, `uniqueItems`, `multipleOf` and
 * `format` get names of our own (see `ownKeywords`).
 */
function ajvSchema(named: ReadonlySet<SchemaRules>): AjvSchema {
  const write: Write = (rules) =>
    named.has(rules) ? { $ref: `#/$defs/${rules.id}` } : written(rules, write);
  const definitions = [...named].map((rules) => [rules.id, written(rules, write)]);
  return { $defs: Object.fromEntries(definitions) };
}

/**
 * Selects the rules that become functions of their own: the root, referenced rules, and rules that may apply to many
 * values, so that each value can be checked alone.
 */
function namedRules(root: SchemaRules, all: readonly SchemaRules[]): Set<SchemaRules> {
  const named = new Set<SchemaRules>([root]);
  for (const { reference, items, additionalProperties, patternProperties } of all) {
    if (reference !== undefined) named.add(reference.target);
    const repeated = [items, additionalProperties, ...schemasOf(patternProperties)];
    for (const rules of repeated)
      if (rules !== undefined && rejectsSomething(rules)) named.add(rules);
  }
  return named;
}

/**
 * Returns whether rules may reject a value. Ajv skips a schema that accepts everything, but would call a function for
 * it.
 */
function rejectsSomething(rules: SchemaRules): boolean {
  const schema = written(rules, () => ({ $ref: "#" }));
  return isJsonObject(schema) && Object.keys(schema).length > 0;
}

/** A schema for ajv while it is built, by its keywords. */
type AjvSchema = JsonObject;

type Write = (rules: SchemaRules) => JsonValue;

/** Ajv's name for each keyword. Null where the keyword is written separately or affects no verdict. */
const ajvNames: Readonly<Partial<Record<Keyword, string | null>>> = {
  uniqueItems: "ownUniqueItems",
  multipleOf: "ownMultipleOf",
  format: "ownFormat",
  enum: null,
  const: null,
  prefixItems: null,
  items: null,
};

function written(rules: SchemaRules, write: Write): JsonValue {
  if (rules.never) return false;
  const schema: AjvSchema = {};
  if (rules.reference !== undefined) schema.$ref = referenceOf(write(rules.reference.target));
  for (const keyword of decidingKeywords) {
    const { [keyword]: name = writtenName(keyword) } = ajvNames;
    if (name === null) continue;
    const value = writtenValue(keyword, rules, write);
    if (value !== undefined) schema[name] = value;
  }
  writeItems(rules, schema, write);
  writeAllowed(rules, schema);
  return schema;
}

/**
 * Writes `items` after `prefixItems` into a subschema of their own. Otherwise ajv skips the keywords after
 * `prefixItems` when the array is empty. An empty array has no items, so nothing is lost.
 */
function writeItems({ prefixItems, items }: SchemaRules, schema: AjvSchema, write: Write): void {
  const written = items === undefined ? {} : { items: write(items) };
  if (prefixItems === undefined) Object.assign(schema, written);
  else {
    const arrayRules = { prefixItems: prefixItems.map(write), ...written };
    schema.allOf = [...((schema.allOf as JsonValue[] | undefined) ?? []), arrayRules];
  }
}

/** Returns the reference to named rules. Throws for rules without a name, since ajv would accept any value for them. */
function referenceOf(written: unknown): JsonValue {
  if (isJsonObject(written) && written.$ref !== undefined) return written.$ref;
  throw new Error("A schema that is referred to has no name.");
}

function writeAllowed(rules: SchemaRules, schema: AjvSchema): void {
  const lists = [rules.const === undefined ? undefined : [rules.const], rules.enum];
  const stated = lists.filter((list) => list !== undefined);
  if (stated.length === 0) return;
  // Ajv compares a few scalars inline. Our own equality compares everything else.
  const [only] = stated;
  const isPlain = stated.length === 1 && only?.length !== 0 && only?.every(isScalar);
  if (isPlain && (only?.length ?? 0) <= 50) schema.enum = [...new Set(only)];
  else schema.ownEnum = stated;
}

function isScalar(value: unknown): boolean {
  return value === null || typeof value !== "object";
}
