import { type BoundKeyword, boundsOf, keepsBound } from "../bounds";
import type { KeywordWith } from "../keywords";
import type { SchemaRules } from "../schemaRules";
import { type EvaluationContext, failValue, stopIfLossy } from "./evaluation";

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

/**
 * Returns whether a text matches a JSON Schema `format`. Every check takes time that grows with the text's
 * length alone; an unknown format always matches.
 */
export function fitsFormat(format: string, text: string): boolean {
  return checks.get(format)?.(text) ?? true;
}

const label = /^(?!-)[a-z0-9-]{1,63}(?<!-)$/i;
const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;
const notInUri = /[^a-z0-9\-._~:/?#[\]@!$&'()*+,;=%]|%(?![0-9a-f]{2})/i;
const notInIri = /[\p{Cc} "<>\\^`{|}]|%(?![0-9a-f]{2})/iu;
const scheme = /^[a-z][a-z0-9+.-]*:/i;
const durationDate = "(?:\\d+Y(?:\\d+M(?:\\d+D)?)?|\\d+M(?:\\d+D)?|\\d+D)";
const durationTime = "T(?:\\d+H(?:\\d+M(?:\\d+S)?)?|\\d+M(?:\\d+S)?|\\d+S)";
const duration = new RegExp(`^P(?:\\d+W|${durationDate}(?:${durationTime})?|${durationTime})$`);
const emailLocal = /^[\p{L}\p{N}!#$%&'*+/=?^_`{|}~.-]{1,64}$/u;

const checks: ReadonlyMap<string, (text: string) => boolean> = new Map([
  ["date", isDate],
  ["time", isTime],
  ["date-time", isDateTime],
  ["duration", (text) => duration.test(text)],
  ["email", isEmail],
  ["idn-email", isEmail],
  ["hostname", isHostname],
  ["ipv4", isIpv4],
  ["ipv6", isIpv6],
  ["uri", (text) => scheme.test(text) && isUriReference(text, notInUri)],
  ["uri-reference", (text) => isUriReference(text, notInUri)],
  ["iri", (text) => scheme.test(text) && isUriReference(text, notInIri)],
  ["iri-reference", (text) => isUriReference(text, notInIri)],
  ["uri-template", isUriTemplate],
  ["uuid", (text) => uuid.test(text)],
  ["json-pointer", isJsonPointer],
  ["relative-json-pointer", isRelativeJsonPointer],
  ["regex", isRegex],
]);

function isDate(text: string): boolean {
  const match = /^(\d{4})-(\d\d)-(\d\d)$/.exec(text);
  if (match === null) return false;
  const [year = 0, month = 0, day = 0] = match.slice(1).map(Number);
  const isLeap = year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);
  const days = [31, isLeap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31][month - 1];
  return days !== undefined && day >= 1 && day <= days;
}

function isTime(text: string): boolean {
  const match = /^(\d\d):(\d\d):(\d\d)(?:\.\d+)?(?:z|([+-])(\d\d):(\d\d))$/i.exec(text);
  if (match === null) return false;
  const [hour, minute, second] = match.slice(1, 4).map(Number);
  const offsetHour = Number(match[5] ?? 0);
  const offsetMinute = Number(match[6] ?? 0);
  if (hour === undefined || minute === undefined || second === undefined) return false;
  if (hour > 23 || minute > 59 || offsetHour > 23 || offsetMinute > 59) return false;
  if (second < 60) return true;
  // A leap second ends the day in UTC.
  const offset = (match[4] === "-" ? -1 : 1) * (offsetHour * 60 + offsetMinute);
  return second === 60 && (((hour * 60 + minute - offset) % 1440) + 1440) % 1440 === 1439;
}

function isDateTime(text: string): boolean {
  const [date = "", time = "", ...more] = text.split(/t/i);
  return more.length === 0 && isDate(date) && isTime(time);
}

function isEmail(text: string): boolean {
  const at = text.lastIndexOf("@");
  const local = text.slice(0, at);
  const domain = text.slice(at + 1);
  if (at < 1) return false;
  const isQuoted = local.length > 2 && local.startsWith('"') && local.endsWith('"');
  const isDotted = !/^\.|\.\.|\.$/.test(local) && emailLocal.test(local);
  if (!isQuoted && !isDotted) return false;
  if (domain.startsWith("[") && domain.endsWith("]")) {
    const address = domain.slice(1, -1).replace(/^IPv6:/i, "");
    return isIpv4(address) || isIpv6(address);
  }
  return isHostname(domain) || /[^\p{ASCII}]/u.test(domain);
}

/** A colon in the host, outside brackets, is allowed only before the port. */
function isUriReference(text: string, forbidden: RegExp): boolean {
  if (forbidden.test(text)) return false;
  const [, authority = ""] = /^(?:[a-z][a-z0-9+.-]*:)?\/\/([^/?#]*)/i.exec(text) ?? [];
  const host = authority.slice(authority.lastIndexOf("@") + 1);
  return /^(?:\[[^[\]]*\]|[^:[\]]*)(?::\d*)?$/.test(host);
}

function isHostname(text: string): boolean {
  return text.length <= 253 && text.split(".").every((part) => label.test(part));
}

function isIpv4(text: string): boolean {
  const parts = text.length > 15 ? [] : text.split(".");
  return (
    parts.length === 4 && parts.every((part) => /^(0|[1-9]\d{0,2})$/.test(part) && +part < 256)
  );
}

function isIpv6(text: string): boolean {
  if (text.length > 45) return false;
  const lastColon = text.lastIndexOf(":");
  const tail = text.slice(lastColon + 1);
  // An IPv4 address at the end stands for the last two groups.
  if (tail.includes(".")) return isIpv4(tail) && isIpv6(`${text.slice(0, lastColon + 1)}0:0`);
  const halves = text.split("::");
  if (halves.length > 2) return false;
  const groups = halves.flatMap((half) => (half === "" ? [] : half.split(":")));
  if (!groups.every((group) => /^[0-9a-f]{1,4}$/i.test(group))) return false;
  return halves.length === 2 ? groups.length < 8 : groups.length === 8;
}

function isUriTemplate(text: string): boolean {
  return !notInIri.test(text.replaceAll(/\{[^{}\s]+\}/g, ""));
}

function isJsonPointer(text: string): boolean {
  return (text === "" || text.startsWith("/")) && !/~(?![01])/.test(text);
}

function isRelativeJsonPointer(text: string): boolean {
  const [start] = /^(?:0|[1-9]\d*)/.exec(text) ?? [];
  if (start === undefined) return false;
  const rest = text.slice(start.length);
  return rest === "#" || isJsonPointer(rest);
}

function isRegex(text: string): boolean {
  try {
    new RegExp(text, "u");
    return true;
  } catch {
    return false;
  }
}
