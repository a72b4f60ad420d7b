import { jsonEqual } from "../../json/canonicalJson";
import { isJsonObject, isOfType, type JsonObject } from "../../json/jsonValue";
import type { SchemaReference, SchemaRules } from "../schemaRules";
import { evaluateArray } from "./evaluateArray";
import { evaluateCombining } from "./evaluateCombining";
import { evaluateObject } from "./evaluateObject";
import { evaluateNumber, evaluateString } from "./evaluateScalar";
import {
  childContext,
  Evaluated,
  type EvaluationContext,
  EvaluationStopped,
  fail,
  stopIfLossy,
} from "./evaluation";

/**
 * Applies rules to a value and tells whether it keeps them. Failures and format warnings go to the
 * context's findings, what was looked at goes to `evaluated` when the value keeps the rules. Throws
 * `EvaluationStopped` where the rules lead to no end.
 */
export function evaluateRules(
  rules: SchemaRules,
  value: unknown,
  context: EvaluationContext,
  evaluated?: Evaluated,
): boolean {
  const { evaluation } = context;
  evaluation.steps.left -= 1;
  if (evaluation.steps.left < 0) throw new EvaluationStopped("steps");
  evaluation.inPlace += 1;
  if (evaluation.inPlace > evaluation.inPlaceLimit) throw new EvaluationStopped("endless");
  const { scope } = evaluation;
  const entersResource = scope !== undefined && scope.at(-1) !== rules.resource;
  if (entersResource) scope.push(rules.resource);

  const own = evaluation.tracksEvaluated ? new Evaluated() : undefined;
  const accepts = keepsAll(rules, value, context, own);
  if (accepts && own !== undefined) evaluated?.add(own);

  if (entersResource) scope.pop();
  evaluation.inPlace -= 1;
  return accepts;
}

/**
 * Applies rules to a property or an item, where the count of schemas at one value starts again. What another
 * engine finds clean is not looked at.
 */
export function evaluateBelow(
  rules: SchemaRules,
  value: unknown,
  context: EvaluationContext,
): boolean {
  const { evaluation } = context;
  const known = evaluation.otherVerdict?.(rules, value);
  if (known === "clean") return true;
  if (known !== undefined && context.findings === undefined) return known === "fits";
  const { inPlace } = evaluation;
  evaluation.inPlace = 0;
  const accepts = evaluateRules(rules, value, context);
  evaluation.inPlace = inPlace;
  return accepts;
}

function keepsAll(
  rules: SchemaRules,
  value: unknown,
  context: EvaluationContext,
  own: Evaluated | undefined,
): boolean {
  if (rules.never) {
    return fail(context, () => ({
      keyword: "never",
      rules,
      path: context.path,
      value,
      at: "value",
    }));
  }
  let accepts = true;
  if (rules.reference !== undefined) {
    accepts = evaluateRules(targetOf(rules.reference, context), value, context, own);
    if (!accepts && context.findings === undefined) return false;
  }
  // A value of the wrong kind breaks other rules too; the kind is the one cause worth telling.
  if (!keepsType(rules, value, context) || !keepsAllowed(rules, value, context)) return false;
  if (typeof value === "string") accepts = evaluateString(rules, value, context) && accepts;
  else if (typeof value === "number") accepts = evaluateNumber(rules, value, context) && accepts;
  else if (Array.isArray(value)) accepts = evaluateArray(rules, value, context, own) && accepts;
  else if (isJsonObject(value)) accepts = evaluateObject(rules, value, context, own) && accepts;
  if (!accepts && context.findings === undefined) return false;
  accepts = evaluateCombining(rules, value, context, own) && accepts;
  // For a value that fails already it is unknown what its branches would have evaluated.
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

function keepsType(rules: SchemaRules, value: unknown, context: EvaluationContext): boolean {
  const { types } = rules;
  if (typeof value === "number" && types?.includes("integer") && !types.includes("number")) {
    // A fraction may have been among the digits that were lost.
    if (context.evaluation.lossyValues?.get(value) === false) stopIfLossy(value, context);
  }
  if (rules.types === undefined || rules.types.some((type) => isOfType(value, type))) return true;
  return fail(context, () => ({
    keyword: "types",
    rules,
    path: context.path,
    value,
    at: "value",
  }));
}

function keepsAllowed(rules: SchemaRules, value: unknown, context: EvaluationContext): boolean {
  const isSame = (allowed: unknown) => {
    const isEqual = jsonEqual(allowed, value);
    if (isEqual) stopIfLossy(value, context);
    return isEqual;
  };
  if (rules.hasConst && !isSame(rules.const)) {
    return fail(context, () => ({
      keyword: "const",
      rules,
      path: context.path,
      value,
      at: "value",
    }));
  }
  if (rules.enum === undefined || rules.enum.some(isSame)) {
    return true;
  }
  return fail(context, () => ({
    keyword: "enum",
    rules,
    path: context.path,
    value,
    at: "value",
  }));
}

/** Applies `unevaluatedProperties` to the properties that no other keyword has accepted. */
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

/** Applies `unevaluatedItems` to the items that no other keyword has accepted. */
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
      ? fail(below, () => ({
          keyword: "unevaluatedItems",
          rules,
          path: below.path,
          value: item,
          at: "value",
        }))
      : evaluateBelow(rest, item, below);
    if (keeps) continue;
    if (context.findings === undefined) return false;
    accepts = false;
  }
  evaluated.allItems = true;
  return accepts;
}
