import { jsonEqual } from "../jsonEqual";
import { isJsonObject, isOfType } from "../jsonValue";
import type { SchemaReference, SchemaRules } from "../reading/schemaRules";
import { evaluateArray } from "./evaluateArray";
import { evaluateCombining } from "./evaluateCombining";
import { Evaluated } from "./evaluated";
import { evaluateObject } from "./evaluateObject";
import { evaluateNumber, evaluateString } from "./evaluateScalar";
import { evaluateUnevaluatedItems, evaluateUnevaluatedProperties } from "./evaluateUnevaluated";
import { EvaluationStopped, fail, type Spot, stopIfLossy } from "./evaluation";

/**
 * Applies rules to a value and tells whether it keeps them. Failures and format warnings go to the
 * spot's findings, what was looked at goes to `evaluated` when the value keeps the rules. Throws
 * `EvaluationStopped` where the rules lead to no end.
 */
export function evaluateRules(
  rules: SchemaRules,
  value: unknown,
  spot: Spot,
  evaluated?: Evaluated,
): boolean {
  const { evaluation } = spot;
  evaluation.steps.left -= 1;
  if (evaluation.steps.left < 0) throw new EvaluationStopped("steps");
  evaluation.inPlace += 1;
  if (evaluation.inPlace > evaluation.inPlaceLimit) throw new EvaluationStopped("endless");
  const { scope } = evaluation;
  const entersResource = scope !== undefined && scope.at(-1) !== rules.resource;
  if (entersResource) scope.push(rules.resource);

  const own = evaluation.tracksEvaluated ? new Evaluated() : undefined;
  const accepts = keepsAll(rules, value, spot, own);
  if (accepts && own !== undefined) evaluated?.add(own);

  if (entersResource) scope.pop();
  evaluation.inPlace -= 1;
  return accepts;
}

/**
 * Applies rules to a property or an item, where schemas in place start to count anew. What another
 * engine finds clean is not looked at.
 */
export function evaluateBelow(rules: SchemaRules, value: unknown, spot: Spot): boolean {
  const { evaluation } = spot;
  const known = evaluation.otherVerdict?.(rules, value);
  if (known === "clean") return true;
  if (known !== undefined && spot.findings === undefined) return known === "fits";
  const { inPlace } = evaluation;
  evaluation.inPlace = 0;
  const accepts = evaluateRules(rules, value, spot);
  evaluation.inPlace = inPlace;
  return accepts;
}

function keepsAll(
  rules: SchemaRules,
  value: unknown,
  spot: Spot,
  own: Evaluated | undefined,
): boolean {
  if (rules.never) {
    return fail(spot, () => ({ keyword: "never", rules, place: spot.place, value, at: "value" }));
  }
  let accepts = true;
  if (rules.reference !== undefined) {
    accepts = evaluateRules(targetOf(rules.reference, spot), value, spot, own);
    if (!accepts && spot.findings === undefined) return false;
  }
  // A value of the wrong kind breaks other rules too; the kind is the one cause worth telling.
  if (!keepsType(rules, value, spot) || !keepsAllowed(rules, value, spot)) return false;
  if (typeof value === "string") accepts = evaluateString(rules, value, spot) && accepts;
  else if (typeof value === "number") accepts = evaluateNumber(rules, value, spot) && accepts;
  else if (Array.isArray(value)) accepts = evaluateArray(rules, value, spot, own) && accepts;
  else if (isJsonObject(value)) accepts = evaluateObject(rules, value, spot, own) && accepts;
  if (!accepts && spot.findings === undefined) return false;
  accepts = evaluateCombining(rules, value, spot, own) && accepts;
  // Of a value that fails already, nobody can say what its branches would have evaluated.
  if (!accepts || own === undefined) return accepts;
  if (Array.isArray(value)) return evaluateUnevaluatedItems(rules, value, spot, own);
  if (isJsonObject(value)) return evaluateUnevaluatedProperties(rules, value, spot, own);
  return true;
}

function targetOf({ target, overrides }: SchemaReference, { evaluation }: Spot): SchemaRules {
  if (overrides === undefined) return target;
  for (const resource of evaluation.scope ?? []) {
    const override = overrides.get(resource);
    if (override !== undefined) return override;
  }
  return target;
}

function keepsType(rules: SchemaRules, value: unknown, spot: Spot): boolean {
  const { types } = rules;
  if (typeof value === "number" && types?.includes("integer") && !types.includes("number")) {
    // A fraction may have been among the digits that were lost.
    if (spot.evaluation.lossyValues?.get(value) === false) stopIfLossy(value, spot);
  }
  if (rules.types === undefined || rules.types.some((type) => isOfType(value, type))) return true;
  return fail(spot, () => ({ keyword: "types", rules, place: spot.place, value, at: "value" }));
}

function keepsAllowed(rules: SchemaRules, value: unknown, spot: Spot): boolean {
  const isSame = (allowed: unknown) => {
    const isEqual = jsonEqual(allowed, value);
    if (isEqual) stopIfLossy(value, spot);
    return isEqual;
  };
  if (rules.hasConst && !isSame(rules.const)) {
    return fail(spot, () => ({ keyword: "const", rules, place: spot.place, value, at: "value" }));
  }
  if (rules.enum === undefined || rules.enum.some(isSame)) {
    return true;
  }
  return fail(spot, () => ({ keyword: "enum", rules, place: spot.place, value, at: "value" }));
}
