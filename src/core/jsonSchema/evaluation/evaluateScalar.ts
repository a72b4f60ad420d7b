import type { SchemaFailure } from "../failures/schemaFailure";
import type { SchemaRules } from "../reading/schemaRules";
import { fail, type Spot, stopIfLossy } from "./evaluation";
import { fitsFormat } from "./fitsFormat";
import { isMultipleOf } from "./isMultipleOf";

/** Applies the rules for numbers. */
export function evaluateNumber(rules: SchemaRules, value: number, spot: Spot): boolean {
  const { minimum, maximum, exclusiveMinimum, exclusiveMaximum, multipleOf } = rules;
  // Rounding keeps the order: only at a limit itself may the digits that were lost decide.
  const limits = [minimum, maximum, exclusiveMinimum, exclusiveMaximum];
  if (multipleOf !== undefined || limits.includes(value)) stopIfLossy(value, spot);
  return (
    keeps(minimum === undefined || value >= minimum, "minimum", rules, value, spot) &&
    keeps(maximum === undefined || value <= maximum, "maximum", rules, value, spot) &&
    keeps(
      exclusiveMinimum === undefined || value > exclusiveMinimum,
      "exclusiveMinimum",
      rules,
      value,
      spot,
    ) &&
    keeps(
      exclusiveMaximum === undefined || value < exclusiveMaximum,
      "exclusiveMaximum",
      rules,
      value,
      spot,
    ) &&
    keeps(
      multipleOf === undefined || isMultipleOf(value, multipleOf),
      "multipleOf",
      rules,
      value,
      spot,
    )
  );
}

/** Applies the rules for texts. A `format` that does not hold is a warning and changes no verdict. */
export function evaluateString(rules: SchemaRules, value: string, spot: Spot): boolean {
  const { minLength, maxLength, pattern, format } = rules;
  let accepts = true;
  if (minLength !== undefined || maxLength !== undefined) {
    const length = codePointsIn(value);
    accepts =
      keeps(minLength === undefined || length >= minLength, "minLength", rules, value, spot) &&
      keeps(maxLength === undefined || length <= maxLength, "maxLength", rules, value, spot);
  }
  if (pattern !== undefined && (accepts || spot.findings !== undefined)) {
    const isFound = spot.evaluation.testOf(pattern)(value);
    accepts = keeps(isFound, "pattern", rules, value, spot) && accepts;
  }
  if (format !== undefined && spot.findings !== undefined && !fitsFormat(format, value)) {
    spot.findings.warnings.push(failure("format", rules, value, spot));
  }
  return accepts;
}

/** Counts the characters of a text as JSON Schema does: by code point. */
export function codePointsIn(text: string): number {
  let count = 0;
  for (let index = 0; index < text.length; index += 1) {
    const unit = text.charCodeAt(index);
    count += 1;
    const isPair = unit >= 0xd800 && unit <= 0xdbff && isLowSurrogate(text.charCodeAt(index + 1));
    if (isPair) index += 1;
  }
  return count;
}

function isLowSurrogate(unit: number): boolean {
  return unit >= 0xdc00 && unit <= 0xdfff;
}

function keeps(
  holds: boolean,
  keyword: SchemaFailure["keyword"],
  rules: SchemaRules,
  value: unknown,
  spot: Spot,
): boolean {
  return holds || fail(spot, () => failure(keyword, rules, value, spot));
}

function failure(
  keyword: SchemaFailure["keyword"],
  rules: SchemaRules,
  value: unknown,
  spot: Spot,
): SchemaFailure {
  return { keyword, rules, place: spot.place, value, at: "value" };
}
