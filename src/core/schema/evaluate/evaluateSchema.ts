import {
  isJsonObject,
  isOfType,
  type JsonObject,
  type JsonValue,
  jsonEqual,
} from "../../json/jsonValue";
import type { KeywordWith } from "../keywords";
import type { SchemaReference, SchemaRules } from "../schemaRules";
import { evaluateNumber, evaluateString } from "./evaluateScalar";
import { evaluateArray, evaluateCombining, evaluateObject } from "./evaluateSubschemas";
import {
  childContext,
  Evaluated,
  type Evaluation,
  type EvaluationContext,
  EvaluationStopped,
  type Findings,
  fail,
  failValue,
  newFindings,
  type OtherVerdict,
  type PatternTest,
  stopIfLossy,
} from "./evaluation";

/** The maximum number of counted failures. Beyond it, the evaluation stops. */
const maxCounted = 100_000;

/** A schema that is ready to be applied, with the tests of its patterns. */
export interface EvaluableSchema {
  root: SchemaRules;
  all: readonly SchemaRules[];
  testOf(pattern: string): PatternTest;
  /** The traits of its rules, if already known. */
  traits?: SchemaTraits;
}

/** The things that an evaluation must track, derived from all rules of a schema. */
export interface SchemaTraits {
  readonly isDynamic: boolean;
  readonly tracksEvaluated: boolean;
}

/** Returns the things that an evaluation of these rules must track. */
export function traitsOf(all: readonly SchemaRules[]): SchemaTraits {
  return {
    isDynamic: all.some(({ reference }) => reference?.overrides !== undefined),
    tracksEvaluated: all.some(
      ({ unevaluatedItems, unevaluatedProperties }) => unevaluatedItems ?? unevaluatedProperties,
    ),
  };
}

/** The result for a value: its validity and the findings, or why it is undecided. */
export type SchemaVerdict =
  | { kind: "decided"; fits: boolean; findings: Findings }
  | { kind: "undecided"; cause: "endless" | "steps" | "lossy" | "depth" };

/** Limits and helpers of one evaluation, all optional. */
export interface EvaluationOptions {
  /** The maximum number of listed failures. Others are only counted. */
  limit?: number;
  /** The remaining steps. Several evaluations may share one budget. */
  steps?: { remaining: number };
  otherVerdict?: OtherVerdict;
  /** Numbers of the value that lost digits when they were parsed (see `Evaluation`). */
  lossyValues?: ReadonlyMap<number, boolean>;
}

/** Applies a schema to a value and lists its failures, at most 200 by default. */
export function evaluateSchema(
  schema: EvaluableSchema,
  value: unknown,
  options: EvaluationOptions = {},
): SchemaVerdict {
  const findings = newFindings(options.limit ?? 200, maxCounted);
  return decided(findings, () => {
    const evaluation = newEvaluation(schema, options);
    return evaluateRules(schema.root, value, { evaluation, path: undefined, findings });
  });
}

/** Returns whether a value is valid. Stops at the first failure. Undefined if that is undecided. */
export function fitsSchema(
  schema: EvaluableSchema,
  value: unknown,
  options: EvaluationOptions = {},
): boolean | undefined {
  const verdict = decided(newFindings(0), () => {
    const evaluation = newEvaluation(schema, options);
    const findings = undefined;
    return evaluateRules(schema.root, value, { evaluation, path: undefined, findings });
  });
  return verdict.kind === "decided" ? verdict.fits : undefined;
}

function newEvaluation(schema: EvaluableSchema, options: EvaluationOptions): Evaluation {
  const { all, testOf } = schema;
  const { isDynamic, tracksEvaluated } = schema.traits ?? traitsOf(all);
  return {
    testOf,
    otherVerdict: options.otherVerdict,
    lossyValues: options.lossyValues,
    steps: options.steps ?? { remaining: Number.POSITIVE_INFINITY },
    nestedSchemas: 0,
    // A longer chain of schemas at one value is a cycle. Dynamic references may visit a schema a few times.
    maxNestedSchemas: all.length * (isDynamic ? 4 : 1) + 16,
    scope: isDynamic ? [] : undefined,
    tracksEvaluated,
  };
}

function decided(findings: Findings, evaluate: () => boolean): SchemaVerdict {
  try {
    return { kind: "decided", fits: evaluate(), findings };
  } catch (error) {
    if (error instanceof EvaluationStopped) {
      return error.why === "enough"
        ? { kind: "decided", fits: false, findings }
        : { kind: "undecided", cause: error.why };
    }
    // The engine throws a RangeError on stack overflow: schema and value are nested too deeply.
    if (error instanceof RangeError) return { kind: "undecided", cause: "depth" };
    throw error;
  }
}

/**
 * Applies rules to a value and returns whether it is valid. Adds failures and format warnings to the findings of the
 * context. For a valid value, also adds evaluated properties and items to `evaluated`. Throws `EvaluationStopped` if
 * the rules never end.
 */
export function evaluateRules(
  rules: SchemaRules,
  value: unknown,
  context: EvaluationContext,
  evaluated?: Evaluated,
): boolean {
  const { evaluation } = context;
  evaluation.steps.remaining -= 1;
  if (evaluation.steps.remaining < 0) throw new EvaluationStopped("steps");
  evaluation.nestedSchemas += 1;
  if (evaluation.nestedSchemas > evaluation.maxNestedSchemas)
    throw new EvaluationStopped("endless");
  const { scope } = evaluation;
  const entersResource = scope !== undefined && scope.at(-1) !== rules.resource;
  if (entersResource) scope.push(rules.resource);

  const own = evaluation.tracksEvaluated ? new Evaluated() : undefined;
  const accepts = keepsAll(rules, value, context, own);
  if (accepts && own !== undefined) evaluated?.add(own);

  if (entersResource) scope.pop();
  evaluation.nestedSchemas -= 1;
  return accepts;
}

/**
 * Applies rules to a property or an item. Skips the evaluation if the verdict of another engine suffices. Otherwise,
 * restarts the count of nested schemas, since that counts the schemas of one value.
 */
export function evaluateBelow(
  rules: SchemaRules,
  value: unknown,
  context: EvaluationContext,
): boolean {
  const { evaluation } = context;
  const verdict = evaluation.otherVerdict?.(rules, value);
  if (verdict === "clean") return true;
  if (verdict !== undefined && context.findings === undefined) return verdict === "fits";
  const { nestedSchemas } = evaluation;
  evaluation.nestedSchemas = 0;
  const accepts = evaluateRules(rules, value, context);
  evaluation.nestedSchemas = nestedSchemas;
  return accepts;
}

function keepsAll(
  rules: SchemaRules,
  value: unknown,
  context: EvaluationContext,
  own: Evaluated | undefined,
): boolean {
  if (rules.never) return failValue("never", rules, value, context);
  let accepts = true;
  if (rules.reference !== undefined) {
    accepts = evaluateRules(targetOf(rules.reference, context), value, context, own);
    if (!accepts && context.findings === undefined) return false;
  }
  // A value that is not listed, or of the wrong type, violates other keywords too. Report only that.
  if (!foremost.every((keeps) => keeps(rules, value, context))) return false;
  if (typeof value === "string") accepts = evaluateString(rules, value, context) && accepts;
  else if (typeof value === "number") accepts = evaluateNumber(rules, value, context) && accepts;
  else if (Array.isArray(value)) accepts = evaluateArray(rules, value, context, own) && accepts;
  else if (isJsonObject(value)) accepts = evaluateObject(rules, value, context, own) && accepts;
  if (!accepts && context.findings === undefined) return false;
  accepts = evaluateCombining(rules, value, context, own) && accepts;
  // It is unknown which members the branches of an invalid value evaluated, so `unevaluated…` is not applied to it.
  if (!accepts || own === undefined) return accepts;
  if (Array.isArray(value)) return evaluateUnevaluatedItems(rules, value, context, own);
  if (isJsonObject(value)) return evaluateUnevaluatedProperties(rules, value, context, own);
  return true;
}

function targetOf(
  { target, overrides }: SchemaReference,
  { evaluation }: EvaluationContext,
): SchemaRules {
  if (overrides === undefined) return target;
  for (const resource of evaluation.scope ?? []) {
    const override = overrides.get(resource);
    if (override !== undefined) return override;
  }
  return target;
}

const foremostRules: Record<
  KeywordWith<{ sort: "assertion"; of: "any" }>,
  (rules: SchemaRules, value: unknown, context: EvaluationContext) => boolean
> = {
  const: (rules, value, context) => {
    const isAllowed = rules.const === undefined || isSame(rules.const, value, context);
    return isAllowed || failValue("const", rules, value, context);
  },
  enum: (rules, value, context) => {
    const isAllowed = rules.enum?.some((allowed) => isSame(allowed, value, context)) ?? true;
    return isAllowed || failValue("enum", rules, value, context);
  },
  types: (rules, value, context) => {
    const { types } = rules;
    if (typeof value === "number" && types?.includes("integer") && !types.includes("number")) {
      // The lost digits may include a fraction.
      if (context.evaluation.lossyValues?.get(value) === false) stopIfLossy(value, context);
    }
    const isAllowed = types === undefined || types.some((type) => isOfType(value, type));
    return isAllowed || failValue("types", rules, value, context);
  },
};

const foremost = Object.values(foremostRules);

function isSame(allowed: JsonValue, value: unknown, context: EvaluationContext): boolean {
  const isEqual = jsonEqual(allowed, value);
  if (isEqual) stopIfLossy(value, context);
  return isEqual;
}

/** Applies `unevaluatedProperties` to the properties that no other keyword evaluated. */
function evaluateUnevaluatedProperties(
  rules: SchemaRules,
  value: JsonObject,
  context: EvaluationContext,
  evaluated: Evaluated,
): boolean {
  const rest = rules.unevaluatedProperties;
  if (rest === undefined) return true;
  let accepts = true;
  for (const name of Object.keys(value)) {
    if (evaluated.hasProperty(name)) continue;
    const keeps = rest.never
      ? fail(context, () => ({
          keyword: "unevaluatedProperties",
          rules,
          path: context.path,
          value,
          at: "key",
          name,
        }))
      : evaluateBelow(rest, value[name], childContext(context, name));
    if (keeps) continue;
    if (context.findings === undefined) return false;
    accepts = false;
  }
  evaluated.allProperties = true;
  return accepts;
}

/** Applies `unevaluatedItems` to the items that no other keyword evaluated. */
function evaluateUnevaluatedItems(
  rules: SchemaRules,
  value: readonly unknown[],
  context: EvaluationContext,
  evaluated: Evaluated,
): boolean {
  const rest = rules.unevaluatedItems;
  if (rest === undefined) return true;
  let accepts = true;
  for (const [index, item] of value.entries()) {
    if (evaluated.hasItem(index)) continue;
    const below = childContext(context, index);
    const keeps = rest.never
      ? failValue("unevaluatedItems", rules, item, below)
      : evaluateBelow(rest, item, below);
    if (keeps) continue;
    if (context.findings === undefined) return false;
    accepts = false;
  }
  evaluated.allItems = true;
  return accepts;
}
