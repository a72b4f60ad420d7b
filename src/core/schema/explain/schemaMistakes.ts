import { pointerOf } from "../../json/jsonPointer";
import { isJsonObject, type JsonValue, jsonEqual } from "../../json/jsonValue";
import { type Language, type LocalizableText, l10nText, localize } from "../../text/language";
import { oneLine } from "../../text/plainText";
import { fitsSchema } from "../evaluate/evaluateSchema";
import { EvaluationBudget } from "../evaluate/evaluationBudget";
import { type KeywordRow, keywordNames, keywords, keywordsWith } from "../keywords";
import type { TestableSchema } from "../read/testableSchema";
import { plainSample } from "../sample/sampleValues";
import { layersOf, type SchemaRules, schemasOf } from "../schemaRules";
import { similarName } from "./similarName";

/** The maximum number of mistakes of one schema, and of compared values of one list. */
const maxListed = 50;
/** The steps of an evaluation that all values of one schema share. */
const maxSteps = 100_000;

const limitPairs = [
  ["minimum", "maximum"],
  ["minLength", "maxLength"],
  ["minItems", "maxItems"],
  ["minProperties", "maxProperties"],
] as const;

/** Lower and upper limits that leave no number if they are equal. */
const exclusivePairs = [
  ["exclusiveMinimum", "maximum"],
  ["minimum", "exclusiveMaximum"],
  ["exclusiveMinimum", "exclusiveMaximum"],
] as const;

/** A likely mistake in a schema, at its JSON pointer. */
export interface SchemaMistake {
  readonly pointer: string;
  /** The mistake and its remedy. */
  readonly message: LocalizableText;
  /** A value that the author may have wanted at a pointer. */
  readonly fix?: { readonly pointer: string; readonly value: string; readonly isGuess: true };
  /** A better name for the member at the pointer. */
  readonly betterName?: string;
}

/**
 * Lists what the author of a valid schema did not intend, at most 50: limits that exclude each other, a required name
 * that no property has, a keyword that differs slightly from a known one, keywords of another type, repeated values,
 * values that their own schema rejects, and schemas that no value satisfies.
 */
export function schemaMistakes(schema: TestableSchema): readonly SchemaMistake[] {
  const { all, patterns, traits } = schema;
  const rejects = (root: SchemaRules, value: JsonValue) =>
    fitsSchema({ root, all, testOf, traits }, value, { steps }) === false;
  const steps = { remaining: maxSteps };
  // A pattern that needs backtracking does not run, so the value is undecided and not reported.
  const testOf = (pattern: string) => patterns.linearTestOf(pattern);
  const own = all.flatMap((rules) =>
    rules.pointer === undefined ? [] : [{ rules, at: rules.pointer }],
  );
  const causes = own.flatMap(({ rules, at }) => [
    ...emptyRanges(rules, at),
    ...undescribedNames(rules, at),
    ...misspelledKeywords(rules, at),
    ...rejectedValues(rules, at, rejects),
  ]);
  const others = own.flatMap(({ rules, at }) => [
    ...repeated(rules, at),
    ...uselessKeywords(rules, at),
  ]);
  return [...causes, ...others, ...unsatisfied(schema, causes)].slice(0, maxListed);
}

/**
 * Tells whoever uses a skill about mistakes in its schema, which only its publisher can mend: the first of them, and
 * their number. Empty for none.
 */
export function schemaMistakesText(
  skill: string,
  side: "input" | "output",
  mistakes: readonly SchemaMistake[],
  language: Language,
): string {
  const { t } = language;
  const [first] = mistakes;
  if (first === undefined) return "";
  const values = {
    skill,
    pointer: oneLine(first.pointer, 100) || "/",
    mistake: localize(first.message, language),
  };
  const text =
    side === "input"
      ? t("Tell the publisher of {skill} about its input schema at {pointer}: {mistake}", values)
      : t("Tell the publisher of {skill} about its output schema at {pointer}: {mistake}", values);
  const count = mistakes.length;
  return count === 1 ? text : `${text} ${t("It has {count} such mistakes.", { count })}`;
}

/** Reports keywords that restrict no value of the schema's type, such as `minimum` beside `"type": "string"`. */
function uselessKeywords(rules: SchemaRules, at: string): readonly SchemaMistake[] {
  const { types } = rules;
  if (types === undefined) return [];
  const kinds = new Set<string>(types.map((type) => (type === "integer" ? "number" : type)));
  return keywordNames
    .filter((name) => {
      const { of = "any" }: KeywordRow = keywords[name];
      // OpenAPI has formats of numbers, such as int32.
      return rules[name] !== undefined && name !== "format" && of !== "any" && !kinds.has(of);
    })
    .map((name) => {
      const keyword = rules.spelling[name] ?? name;
      const message = l10nText("“{keyword}” says nothing about a value of type {type}.", {
        keyword,
        type: types.join(", "),
      });
      return { pointer: `${at}/${keyword}`, message };
    });
}

/** The work for the samples of one schema. */
const sampleBudget = { tries: 20_000, steps: 1_000_000 };

/**
 * Reports the innermost schemas that no value satisfies, except around one of the `causes`, which explains it. A
 * sample that cannot be made is the proof, so rules whose samples may only be hard to find are not judged.
 */
function unsatisfied(
  schema: TestableSchema,
  causes: readonly SchemaMistake[],
): readonly SchemaMistake[] {
  // A part of a schema with dynamic references means something else elsewhere.
  if (schema.traits.isDynamic) return [];
  const budget = new EvaluationBudget(schema, sampleBudget);
  const failing = new Set(
    schema.all.filter((rules) => !budget.fits([rules], plainSample([rules], budget))),
  );
  if (budget.isSpent) return [];
  const message = l10nText("No value fits this schema. Change the parts that exclude each other.");
  return [...failing].flatMap((rules) => {
    const at = rules.pointer ?? "";
    const isTold = causes.some((finding) => `${finding.pointer}/`.startsWith(`${at}/`));
    const inner = [
      rules.reference?.target,
      ...applicators.flatMap((name) => schemasOf(rules[name])),
    ];
    const isCause = !inner.some(
      (one) => one !== undefined && failing.has(one) && one.never !== true,
    );
    const isOwn = rules.pointer !== undefined && rules.never !== true;
    if (!isOwn || isTold || !isCause || isHardToSample(rules)) return [];
    return [{ pointer: at, message }];
  });
}

const applicators = keywordsWith({ sort: "applicator" });

function isHardToSample(rules: SchemaRules): boolean {
  return layersOf([rules]).some(
    ({ not, pattern, patternProperties, propertyNames, format, multipleOf, ...limits }) =>
      [not, pattern, patternProperties, propertyNames, format, multipleOf].some(
        (value) => value !== undefined,
      ) ||
      [limits.minItems, limits.minContains, limits.minLength, limits.minProperties].some(
        (limit = 0) => limit > 100,
      ),
  );
}

function emptyRanges(rules: SchemaRules, at: string): readonly SchemaMistake[] {
  const isEmpty = (low: keyof Limits, high: keyof Limits, isExclusive: boolean) => {
    const [from, to] = [rules[low], rules[high]];
    return from !== undefined && to !== undefined && (isExclusive ? from >= to : from > to);
  };
  const found = [
    ...limitPairs.filter(([low, high]) => isEmpty(low, high, false)),
    ...exclusivePairs.filter(([low, high]) => isEmpty(low, high, true)),
  ];
  return found.map(([low, high]) => {
    const message = l10nText("No value fits both {low} and {high}. Change one of them.", {
      low,
      high,
    });
    return { pointer: `${at}/${low}`, message };
  });
}

type Limits = Pick<
  SchemaRules,
  (typeof limitPairs)[number][0 | 1] | (typeof exclusivePairs)[number][0 | 1]
>;

/**
 * Reports required names that no property has: those that resemble a property, and the others if only the properties
 * describe the object.
 */
function undescribedNames(rules: SchemaRules, at: string): readonly SchemaMistake[] {
  const { required = [], properties, patternProperties } = rules;
  if (properties === undefined || patternProperties !== undefined) return [];
  const optional = [...properties.keys()].filter((name) => !required.includes(name));
  const isDescribedHere = describesAlone(rules, at);
  return required.slice(0, maxListed).flatMap((name, index) => {
    if (properties.has(name)) return [];
    const pointer = `${at}/required/${index}`;
    const shown = oneLine(name, 60);
    const near = similarName(name, optional);
    if (near !== undefined) {
      const message = l10nText(
        "“{name}” is required, but no property has this name. Use “{near}”?",
        { name: shown, near: oneLine(near, 60) },
      );
      return [{ pointer, message, fix: { pointer, value: near, isGuess: true } as const }];
    }
    if (!isDescribedHere) return [];
    const message = l10nText(
      "“{name}” is required, but no property has this name. Describe it, or remove it here.",
      { name: shown },
    );
    return [{ pointer, message }];
  });
}

const combinators = keywordsWith({ sort: "applicator", to: "here" });
/** A place whose schema may apply to the same object as another one. */
const sharedPlace =
  /\/(?:allOf|anyOf|oneOf|not|if|then|else|dependentSchemas|\$defs|definitions)(?:\/|$)/;

/** Returns whether no other schema can describe properties of the same object. */
function describesAlone(rules: SchemaRules, at: string): boolean {
  const { reference, additionalProperties, unevaluatedProperties } = rules;
  const others = [additionalProperties, unevaluatedProperties];
  return (
    reference === undefined &&
    combinators.every((name) => rules[name] === undefined) &&
    others.every((other) => other === undefined || other.never === true) &&
    !sharedPlace.test(at)
  );
}

function repeated({ enum: values = [] }: SchemaRules, at: string): readonly SchemaMistake[] {
  const compared = values.slice(0, maxListed);
  return compared.flatMap((value, index) =>
    compared.slice(0, index).some((other) => jsonEqual(other, value))
      ? [
          {
            pointer: `${at}/enum/${index}`,
            message: l10nText("This value is listed twice. Remove it."),
          },
        ]
      : [],
  );
}

/** Keywords of any dialect and of OpenAPI, as schemas spell them. */
const knownKeywords: readonly string[] = [
  ...keywordNames.filter((name) => name !== "types"),
  ...["type", "items", "additionalItems", "definitions", "dependencies", "id"],
  ...["nullable", "discriminator", "externalDocs", "xml"],
];
/** Keywords that may have been intended. Most of the shorter ones resemble too many other words. */
const proposedKeywords = [
  ...new Set(knownKeywords.filter((name) => name.length > 4 || ["type", "enum"].includes(name))),
];

function misspelledKeywords({ source }: SchemaRules, at: string): readonly SchemaMistake[] {
  if (!isJsonObject(source)) return [];
  const unknown = Object.keys(source).filter(
    (name) => !knownKeywords.includes(name) && !/^(\$|x-)/.test(name),
  );
  return unknown.slice(0, maxListed).flatMap((name) => {
    const near = similarName(name, proposedKeywords);
    if (near === undefined) return [];
    const message = l10nText("“{name}” is not a keyword of schemas. Use “{near}”?", {
      name: oneLine(name, 60),
      near,
    });
    const pointer = `${at}${pointerOf([name])}`;
    const better = Object.hasOwn(source, near) ? {} : { betterName: near };
    return [{ pointer, message, ...better }];
  });
}

/** Reports values of a schema that the same schema rejects. Another check reports the examples at its root. */
function rejectedValues(
  rules: SchemaRules,
  at: string,
  rejects: (rules: SchemaRules, value: JsonValue) => boolean,
): readonly SchemaMistake[] {
  const { id, pointer, resource, source, spelling, pattern } = rules;
  const { default: preset, const: only, example, enum: listed = [] } = rules;
  const examples = pointer === "" ? [] : (rules.examples ?? []).slice(0, maxListed);
  const values: readonly (readonly [name: string, value: JsonValue | undefined])[] = [
    ["default", preset],
    ["const", only],
    ["example", example],
    ...listed.slice(0, maxListed).map((value, index) => [`enum/${index}`, value] as const),
    ...examples.map((value, index) => [`examples/${index}`, value] as const),
  ];
  const samples = [...examples, ...(example === undefined ? [] : [example])];
  const onlyPattern = { id, pointer, resource, source, spelling, ...(pattern && { pattern }) };
  const isPatternWrong =
    samples.length > 0 && samples.every((sample) => rejects(onlyPattern, sample));
  const message = isPatternWrong
    ? l10nText("This pattern matches none of the examples. Change the pattern or the examples.")
    : l10nText("Its own schema rejects this value. Change the value or the schema.");
  const names = isPatternWrong
    ? ["pattern"]
    : values.flatMap(([name, value]) =>
        value !== undefined && rejects(rules, value) ? [name] : [],
      );
  return names.map((name) => ({
    pointer: `${at}/${name}`,
    message,
  }));
}
