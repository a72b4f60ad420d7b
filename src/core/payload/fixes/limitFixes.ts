import { codePointsIn, isMultipleOf } from "../../schema/evaluate/evaluateScalar";
import { fitsFormat } from "../../schema/evaluate/fitsFormat";
import type { SchemaRules } from "../../schema/schemaRules";
import { l10nText } from "../../text/localizableText";
import type { PayloadProblem } from "../payloadCheck";
import type { SchemaAtRule } from "../schemaAtRule";
import { readContainer } from "./containerText";
import { missingItemFixes } from "./itemFixes";
import { changeTo, choice, type FixInput, type PayloadFix } from "./payloadFix";
import type { TextEdit } from "./textEdit";

/**
 * Brings a value within the bound it oversteps: trims and fills texts and lists, moves numbers to the
 * nearest that is allowed.
 */
export function limitFixes(input: FixInput, problem: PayloadProblem, limit: number): PayloadFix[] {
  const { text } = input;
  const { start, end, code } = problem;
  const literal = text.slice(start, end);
  const replaced = (by: string): TextEdit => ({ start, end, text: by });
  switch (code) {
    case "maxLength": {
      const whole = JSON.parse(literal) as string;
      const cut = [...whole.slice(0, limit * 2)].slice(0, limit).join("");
      const title =
        limit === 1
          ? l10nText("Trim to 1 character")
          : l10nText("Trim to {limit} characters", { limit });
      return [choice(title, replaced(JSON.stringify(cut)))];
    }
    case "maxItems": {
      const cut = cutList(text, start, limit);
      return cut === undefined
        ? []
        : [choice(l10nText("Keep the first {limit} only", { limit }), cut)];
    }
    case "minItems":
      return missingItemFixes(input, problem, limit);
    case "minLength":
      return textFormFixes(input, problem);
    case "minimum":
    case "maximum":
    case "exclusiveMinimum":
    case "exclusiveMaximum":
    case "multipleOf": {
      const { layers } = input.schemaAt(problem.schemaPointer);
      const [value, rules] = [Number(literal), numberRules(layers)];
      // Beyond an open bound nothing is nearest; to a whole number the next whole one is.
      const whole = { ...rules, steps: [...rules.steps, 1] };
      const nearest =
        nearestNumber(value, rules) ??
        (Number.isInteger(value) ? nearestNumber(value, whole) : undefined);
      if (nearest === undefined) return [];
      return [
        { ...choice(changeTo(String(nearest)), replaced(String(nearest))), isPreferred: true },
      ];
    }
    default:
      return [];
  }
}

function cutList(text: string, open: number, limit: number): TextEdit | undefined {
  const list = readContainer(text, open);
  const last = list?.members.at(-1);
  if (list?.close === undefined || last === undefined) return undefined;
  if (list.members.length <= limit) return undefined;
  const kept = list.members[limit - 1];
  if (kept === undefined) return { start: open + 1, end: list.close, text: "" };
  return { start: kept.end, end: last.end, text: "" };
}

const maxOffered = 3;
/** A longer text is no typing mistake in its ends or letters. */
const maxText = 1000;

/**
 * Offers texts of the form a schema asks for: the text without spaces around it, in small or capital
 * letters, where that is all it lacks; else the schema's own default and examples.
 */
export function textFormFixes(
  { text, schemaAt }: FixInput,
  { start, end, schemaPointer }: PayloadProblem,
): PayloadFix[] {
  const given: unknown = JSON.parse(text.slice(start, end));
  if (typeof given !== "string" || given.length > maxText) return [];
  const at = schemaAt(schemaPointer);
  const trimmed = given.trim();
  const near = [trimmed, trimmed.toLowerCase(), trimmed.toUpperCase()];
  const own = at.layers.flatMap((layer) => [layer.default, ...(layer.examples ?? [])]);
  const others = [...near, ...own.filter((value) => typeof value === "string")];
  const fitting = [...new Set(others)].filter((one) => one !== given && fits(one, at));
  return fitting.slice(0, maxOffered).map((one) => {
    const isNear = near.includes(one) && one !== "";
    const value = JSON.stringify(one);
    return { ...choice(changeTo(value), { start, end, text: value }), isPreferred: isNear };
  });
}

function fits(text: string, { layers, isFound }: SchemaAtRule): boolean {
  const length = codePointsIn(text);
  return layers.every(({ minLength, maxLength, pattern, format }) => {
    if (minLength !== undefined && length < minLength) return false;
    if (maxLength !== undefined && length > maxLength) return false;
    if (format !== undefined && !fitsFormat(format, text)) return false;
    return pattern === undefined || isFound(pattern, text);
  });
}

/** What the rules for a number have in common: `steps` are what it must be a multiple of. */
interface NumberRules {
  readonly from: readonly NumberBound[];
  readonly to: readonly NumberBound[];
  readonly steps: readonly number[];
}

interface NumberBound {
  readonly limit: number;
  readonly isOpen: boolean;
}

/** Gathers the rules for a number from schemas that hold together. An integer is a multiple of 1. */
function numberRules(layers: readonly SchemaRules[]): NumberRules {
  const bounds = (keyword: "minimum" | "maximum" | "exclusiveMinimum" | "exclusiveMaximum") =>
    layers.flatMap((layer): NumberBound[] => {
      const limit = layer[keyword];
      return limit === undefined ? [] : [{ limit, isOpen: keyword.startsWith("exclusive") }];
    });
  return {
    from: [...bounds("minimum"), ...bounds("exclusiveMinimum")],
    to: [...bounds("maximum"), ...bounds("exclusiveMaximum")],
    steps: layers.flatMap(({ types, multipleOf }) => [
      ...(types?.length === 1 && types[0] === "integer" ? [1] : []),
      ...(multipleOf !== undefined && multipleOf > 0 ? [multipleOf] : []),
    ]),
  };
}

/**
 * Finds the number nearest to a value that keeps the rules. Undefined where there is none, or none
 * that is plainly the nearest, as above an open bound.
 */
function nearestNumber(value: number, rules: NumberRules): number | undefined {
  const low = Math.max(...rules.from.map(({ limit }) => limit));
  const high = Math.min(...rules.to.map(({ limit }) => limit));
  const inside = Math.min(Math.max(value, low), high);
  if (!Number.isFinite(inside)) return undefined;
  const step = Math.max(...rules.steps);
  const candidates = rules.steps.length === 0 ? [inside] : multiplesAround(inside, step);
  const byDistance = (left: number, right: number) =>
    Math.abs(left - value) - Math.abs(right - value);
  return candidates.filter((candidate) => keeps(candidate, rules)).sort(byDistance)[0];
}

function multiplesAround(value: number, step: number): number[] {
  const count = Math.floor(value / step);
  // Products of decimal fractions have digits too many.
  return [-1, 0, 1, 2].map((more) => Number(((count + more) * step).toPrecision(15)));
}

function keeps(value: number, { from, to, steps }: NumberRules): boolean {
  return (
    from.every(({ limit, isOpen }) => (isOpen ? value > limit : value >= limit)) &&
    to.every(({ limit, isOpen }) => (isOpen ? value < limit : value <= limit)) &&
    steps.every((step) => isMultipleOf(value, step))
  );
}
