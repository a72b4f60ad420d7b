import Ajv, { type FuncKeywordDefinition } from "ajv/dist/core";
import getApplicatorVocabulary from "ajv/dist/vocabularies/applicator";
import coreVocabulary from "ajv/dist/vocabularies/core";
import nextVocabulary from "ajv/dist/vocabularies/next";
import validationVocabulary from "ajv/dist/vocabularies/validation";
import type { PatternTest } from "../core/jsonSchema/evaluation";
import { fitsFormat } from "../core/jsonSchema/fitsFormat";
import { isMultipleOf } from "../core/jsonSchema/isMultipleOf";
import { canonicalText, findEqualItems } from "../core/jsonSchema/jsonEqual";
import type { SchemaRules } from "../core/jsonSchema/schemaRules";
import { ajvSchema } from "./ajvSchema";

/** What ajv says of a value: whether it fits, and the pointers of what may deserve a closer look. */
export interface FastVerdict {
  fits: boolean;
  /** Places of failures, and of texts that do not have their `format`. */
  suspects: string[];
}

/** Compiles rules with ajv. Throws where ajv does; the caller has another engine for that. */
export function compileWithAjv(
  root: SchemaRules,
  all: readonly SchemaRules[],
  testOf: (pattern: string) => PatternTest,
): (value: unknown) => FastVerdict {
  let badFormats: string[] = [];
  const ajv = new Ajv({
    allErrors: true,
    strict: false,
    meta: false,
    validateSchema: false,
    addUsedSchema: false,
    strictNumbers: false,
    messages: false,
    ownProperties: true,
    // Without it minContains and maxContains are not looked at.
    next: true,
    logger: false,
    code: { regExp: Object.assign(regExpFrom(testOf), { code: "patternTest" }) },
  });
  for (const vocabulary of [
    coreVocabulary,
    validationVocabulary,
    getApplicatorVocabulary(true),
    nextVocabulary,
  ]) {
    ajv.addVocabulary(vocabulary);
  }
  for (const keyword of ownKeywords((place) => badFormats.push(place))) ajv.addKeyword(keyword);
  const validate = ajv.compile(ajvSchema(root, all));
  return (value) => {
    badFormats = [];
    const fits = validate(value);
    const failed = validate.errors?.map(({ instancePath }) => instancePath) ?? [];
    validate.errors = null;
    return { fits, suspects: [...failed, ...badFormats] };
  };
}

function regExpFrom(testOf: (pattern: string) => PatternTest) {
  return (pattern: string) => ({ test: testOf(pattern), toString: () => pattern });
}

/** Replacements for keywords that ajv decides otherwise than the standard, and one that only notes. */
function ownKeywords(noteBadFormat: (place: string) => void): FuncKeywordDefinition[] {
  return [
    {
      keyword: "oneAmong",
      schemaType: "array",
      compile: (lists: unknown[][]) => {
        const sets = lists.map((list) => new Set(list.map(canonicalText)));
        return (value: unknown) => sets.every((set) => set.has(canonicalText(value)));
      },
    },
    {
      keyword: "distinctItems",
      type: "array",
      validate: (_: unknown, items: unknown[]) => findEqualItems(items) === undefined,
    },
    {
      keyword: "wholeMultipleOf",
      type: "number",
      validate: (divisor: number, value: number) => isMultipleOf(value, divisor),
    },
    {
      keyword: "noteFormat",
      type: "string",
      errors: false,
      compile: (format: string) => (text: string, context) => {
        if (!fitsFormat(format, text)) noteBadFormat(context?.instancePath ?? "");
        return true;
      },
    },
  ];
}
