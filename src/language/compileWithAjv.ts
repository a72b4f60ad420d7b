import Ajv, { type FuncKeywordDefinition, type ValidateFunction } from "ajv/dist/core";
import getApplicatorVocabulary from "ajv/dist/vocabularies/applicator";
import coreVocabulary from "ajv/dist/vocabularies/core";
import nextVocabulary from "ajv/dist/vocabularies/next";
import validationVocabulary from "ajv/dist/vocabularies/validation";
import { canonicalText, findEqualItems } from "../core/json/canonicalJson";
import type { OtherVerdict, PatternTest } from "../core/schema/evaluate/evaluation";
import { fitsFormat } from "../core/schema/evaluate/fitsFormat";
import { isMultipleOf } from "../core/schema/evaluate/isMultipleOf";
import type { SchemaRules } from "../core/schema/schemaRules";
import { ajvSchema, namedRules } from "./ajvSchema";

const schemaName = "schema";

/**
 * Compiles rules with ajv, and gives its verdict on the root and on every part that is applied to
 * many values. Throws where ajv does; the caller has another engine for that.
 */
export function compileWithAjv(
  root: SchemaRules,
  all: readonly SchemaRules[],
  testOf: (pattern: string) => PatternTest,
): OtherVerdict {
  let allFormatsFit = true;
  const ajv = newAjv(testOf);
  for (const keyword of ownKeywords(() => (allFormatsFit = false))) ajv.addKeyword(keyword);
  const named = namedRules(root, all);
  ajv.addSchema(ajvSchema(named), schemaName);
  const functions = new Map<SchemaRules, ValidateFunction>();
  const functionOf = (rules: SchemaRules) => {
    const known = functions.get(rules);
    if (known !== undefined || !named.has(rules)) return known;
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
      // Ajv's code is recursive, and the value deeper than the stack.
      if (error instanceof RangeError) return undefined;
      throw error;
    } finally {
      validate.errors = null;
    }
  };
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
    // Without it minContains and maxContains are not looked at.
    next: true,
    logger: false,
    inlineRefs: false,
    // Its optimizer takes most of the time of compiling and saves none of checking.
    code: { optimize: false, regExp: Object.assign(regExp, { code: "patternTest" }) },
  });
  const applicators = getApplicatorVocabulary(true);
  for (const vocabulary of [coreVocabulary, validationVocabulary, applicators, nextVocabulary]) {
    ajv.addVocabulary(vocabulary);
  }
  return ajv;
}

/** Replacements for keywords that ajv decides otherwise than the standard, and one that only notes. */
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
      validate: (_: unknown, items: unknown[]) => findEqualItems(items) === undefined,
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
