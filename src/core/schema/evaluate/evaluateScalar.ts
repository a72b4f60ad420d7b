import type { SchemaFailure } from "../explain/schemaFailure";
import type { SchemaRules } from "../schemaRules";
import { type EvaluationContext, fail, stopIfLossy } from "./evaluation";
import { fitsFormat } from "./fitsFormat";

/** Applies the rules for numbers. */
export function evaluateNumber(
  rules: SchemaRules,
  value: number,
  context: EvaluationContext,
): boolean {
  const { minimum, maximum, exclusiveMinimum, exclusiveMaximum, multipleOf } = rules;
  // Rounding keeps the order: only at a limit itself may the digits that were lost decide.
  const limits = [minimum, maximum, exclusiveMinimum, exclusiveMaximum];
  if (multipleOf !== undefined || limits.includes(value)) stopIfLossy(value, context);
  stopIfLossy(multipleOf, context);
  return (
    keeps(minimum === undefined || value >= minimum, "minimum", rules, value, context) &&
    keeps(maximum === undefined || value <= maximum, "maximum", rules, value, context) &&
    keeps(
      exclusiveMinimum === undefined || value > exclusiveMinimum,
      "exclusiveMinimum",
      rules,
      value,
      context,
    ) &&
    keeps(
      exclusiveMaximum === undefined || value < exclusiveMaximum,
      "exclusiveMaximum",
      rules,
      value,
      context,
    ) &&
    keeps(
      multipleOf === undefined || isMultipleOf(value, multipleOf),
      "multipleOf",
      rules,
      value,
      context,
    )
  );
}

/** Applies the rules for texts. A `format` that does not hold is a warning and changes no verdict. */
export function evaluateString(
  rules: SchemaRules,
  value: string,
  context: EvaluationContext,
): boolean {
  const { minLength, maxLength, pattern, format } = rules;
  let accepts = true;
  if (minLength !== undefined || maxLength !== undefined) {
    const length = codePointsIn(value);
    accepts =
      keeps(minLength === undefined || length >= minLength, "minLength", rules, value, context) &&
      keeps(maxLength === undefined || length <= maxLength, "maxLength", rules, value, context);
  }
  if (pattern !== undefined && (accepts || context.findings !== undefined)) {
    const isFound = context.evaluation.testOf(pattern)(value);
    accepts = keeps(isFound, "pattern", rules, value, context) && accepts;
  }
  if (format !== undefined && context.findings !== undefined && !fitsFormat(format, value)) {
    context.findings.warnings.push(failure("format", rules, value, context));
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
  context: EvaluationContext,
): boolean {
  return holds || fail(context, () => failure(keyword, rules, value, context));
}

function failure(
  keyword: SchemaFailure["keyword"],
  rules: SchemaRules,
  value: unknown,
  context: EvaluationContext,
): SchemaFailure {
  return { keyword, rules, path: context.path, value, at: "value" };
}

/**
 * Tells whether a number is a whole multiple of another, by their decimal digits: 0.0075 is one of
 * 0.0001, whatever binary division says. Infinity (a literal too large to read) counts as one.
 */
export function isMultipleOf(value: number, divisor: number): boolean {
  if (!Number.isFinite(value)) return true;
  if (Number.isSafeInteger(value) && Number.isSafeInteger(divisor)) return value % divisor === 0;
  const left = decimalOf(value);
  const right = decimalOf(divisor);
  const exponent = Math.min(left.exponent, right.exponent);
  return scaled(left, exponent) % scaled(right, exponent) === 0n;
}

interface Decimal {
  digits: bigint;
  exponent: number;
}

function decimalOf(value: number): Decimal {
  const [mantissa = "0", exponent = "0"] = value.toExponential().split("e");
  const [whole = "0", fraction = ""] = mantissa.split(".");
  return { digits: BigInt(whole + fraction), exponent: Number(exponent) - fraction.length };
}

function scaled({ digits, exponent }: Decimal, to: number): bigint {
  return digits * 10n ** BigInt(exponent - to);
}
