import { type BoundKeyword, boundsOf, keepsBound } from "../bounds";
import type { KeywordWith } from "../keywords";
import type { SchemaRules } from "../schemaRules";
import { type EvaluationContext, failValue, stopIfLossy } from "./evaluation";
import { fitsFormat } from "./formats";

/** Applies a keyword to a value of one type. */
type Applied<Value> = (rules: SchemaRules, value: Value, context: EvaluationContext) => boolean;

/** The rules for numbers that are no bounds. */
const numberRules: Record<Rule<"number">, Applied<number>> = {
  multipleOf: (rules, value, context) => {
    const { multipleOf } = rules;
    if (multipleOf === undefined) return true;
    stopIfLossy(value, context);
    stopIfLossy(multipleOf, context);
    return isMultipleOf(value, multipleOf) || failValue("multipleOf", rules, value, context);
  },
};

/** The rules for texts that are no bounds. */
const textRules: Record<Rule<"string">, Applied<string>> = {
  pattern: (rules, value, context) => {
    const { pattern } = rules;
    const isFound = pattern === undefined || context.evaluation.testOf(pattern)(value);
    return isFound || failValue("pattern", rules, value, context);
  },
  // A warning, which changes no verdict.
  format: (rules, value, context) => {
    const { findings, path } = context;
    const { format } = rules;
    if (format !== undefined && findings !== undefined && !fitsFormat(format, value)) {
      findings.warnings.push({ keyword: "format", rules, path, value, at: "value" });
    }
    return true;
  },
};

/** Every keyword for values of a type, except bounds; a missing one does not compile. */
type Rule<Of extends "number" | "string"> = KeywordWith<{ of: Of }>;

const [numbers, texts] = [Object.values(numberRules), Object.values(textRules)];

/** Applies the rules for numbers. */
export function evaluateNumber(
  rules: SchemaRules,
  value: number,
  context: EvaluationContext,
): boolean {
  // Rounding keeps the order: only exactly at a limit may the lost digits decide.
  if (boundsOf.number.some((bound) => rules[bound] === value)) stopIfLossy(value, context);
  return (
    keepsBounds("number", rules, value, Number, context) &&
    numbers.every((keeps) => keeps(rules, value, context))
  );
}

/** Applies the rules for texts. */
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

/** Compares measures of a value with the bounds of its kind, and reports the first that is violated. */
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
    if (keepsBound(keyword, bound, measured)) continue;
    return failValue(keyword, rules, value, context, { count: measured });
  }
  return true;
}

/** Counts the characters of a text as JSON Schema does: by code point. */
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
 * Returns whether a number is a whole multiple of another, by their decimal digits: 0.0075 is one of
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
