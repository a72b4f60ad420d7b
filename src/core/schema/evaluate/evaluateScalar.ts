import { type BoundKeyword, boundsOf, satisfiesBound } from "../bounds";
import type { KeywordWith } from "../keywords";
import type { SchemaRules } from "../schemaRules";
import { type EvaluationContext, failValue, stopIfLossy } from "./evaluation";
import { fitsFormat } from "./formats";

/** Applies a keyword to a value of one type, and returns whether the value is valid. */
type ApplyKeyword<Value> = (
  rules: SchemaRules,
  value: Value,
  context: EvaluationContext,
) => boolean;

/** The number keywords except bounds. */
const numberRules: Record<Rule<"number">, ApplyKeyword<number>> = {
  multipleOf: (rules, value, context) => {
    const { multipleOf } = rules;
    if (multipleOf === undefined) return true;
    stopIfLossy(value, context);
    stopIfLossy(multipleOf, context);
    return isMultipleOf(value, multipleOf) || failValue("multipleOf", rules, value, context);
  },
};

/** The string keywords except bounds. */
const textRules: Record<Rule<"string">, ApplyKeyword<string>> = {
  pattern: (rules, value, context) => {
    const { pattern } = rules;
    const isFound = pattern === undefined || context.evaluation.testOf(pattern)(value);
    return isFound || failValue("pattern", rules, value, context);
  },
  // `format` only warns: it never makes a value invalid.
  format: (rules, value, context) => {
    const { findings, path } = context;
    const { format } = rules;
    if (format !== undefined && findings !== undefined && !fitsFormat(format, value)) {
      findings.warnings.push({ keyword: "format", rules, path, value, at: "value" });
    }
    return true;
  },
};

/** Every keyword for a type of value, except bounds. The compiler reports a missing one. */
type Rule<Of extends "number" | "string"> = Exclude<KeywordWith<{ of: Of }>, BoundKeyword>;

const [numbers, texts] = [Object.values(numberRules), Object.values(textRules)];

/** Applies the keywords for numbers. */
export function evaluateNumber(
  rules: SchemaRules,
  value: number,
  context: EvaluationContext,
): boolean {
  // Rounding keeps the order of numbers, so lost digits matter only if the rounded value equals the limit.
  if (boundsOf.number.some((bound) => rules[bound] === value)) stopIfLossy(value, context);
  return (
    keepsBounds("number", rules, value, Number, context) &&
    numbers.every((keeps) => keeps(rules, value, context))
  );
}

/** Applies the keywords for strings. */
export function evaluateString(
  rules: SchemaRules,
  value: string,
  context: EvaluationContext,
): boolean {
  let accepts = keepsBounds("length", rules, value, codePointsIn, context);
  for (const keeps of texts) {
    if (!accepts && context.findings === undefined) return false;
    accepts = keeps(rules, value, context) && accepts;
  }
  return accepts;
}

/**
 * Compares a measure of a value, such as its length, with all bounds of that measure. Reports the first violated bound.
 */
export function keepsBounds<Value>(
  measures: keyof typeof boundsOf,
  rules: SchemaRules,
  value: Value,
  measure: (value: Value) => number,
  context: EvaluationContext,
): boolean {
  let measured: number | undefined;
  for (const keyword of boundsOf[measures] as readonly BoundKeyword[]) {
    const bound = rules[keyword];
    if (bound === undefined) continue;
    measured ??= measure(value);
    if (satisfiesBound(keyword, bound, measured)) continue;
    return failValue(keyword, rules, value, context, { count: measured });
  }
  return true;
}

/** Counts the characters of a string by code point, as JSON Schema does. */
function codePointsIn(text: string): number {
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

/**
 * Returns whether a number is an integer multiple of another. Compares decimal digits: 0.0075 is a multiple of 0.0001,
 * although binary division disagrees. Infinity (a literal too large to read) counts as a multiple.
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
