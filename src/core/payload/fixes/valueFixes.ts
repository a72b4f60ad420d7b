import {
  canonicalText,
  isOfType,
  type JsonType,
  type JsonValue,
  parsedJson,
} from "../../json/jsonValue";
import { lowerBound, upperBound } from "../../schema/bounds";
import { type LocalizableText, l10nText } from "../../text/language";
import type { PayloadProblem, PayloadProblemData } from "../payloadCheck";
import {
  changeTo,
  type FixInput,
  maxOfferedValues,
  offeredFix,
  type PayloadFix,
  type SchemaAtRule,
} from "./payloadFix";
import {
  insertMembers,
  type MemberText,
  memberWriter,
  readContainer,
  type TextEdit,
} from "./textEdit";

/** The maximum length of an offered value. A longer one may have been truncated when the problem was reported. */
const maxWholeValue = 900;

/** Replaces a value by one that the schema lists, the likeliest first. */
export function allowedValueFixes(
  { text }: FixInput,
  { start, end, guess }: PayloadProblem,
  { values, total, nearest, isSure }: Extract<PayloadProblemData, { kind: "allowedValues" }>,
): PayloadFix[] {
  const whole = values.filter((value) => value.length < maxWholeValue);
  const likely = nearest ?? sameInOtherType(text.slice(start, end), whole);
  const first = likely !== undefined && whole.includes(likely) ? [likely] : [];
  const ordered = [...new Set([...first, ...whole])].slice(0, maxOfferedValues);
  return ordered.map((value) => {
    const fix = offeredFix(changeTo(value), { start, end, text: value });
    const isLikely = value === likely;
    const isOnly =
      (total === 1 && guess === undefined) ||
      (isLikely && (nearest === undefined || isSure === true));
    return { ...fix, isPreferred: isLikely || isOnly, isUnambiguous: isOnly };
  });
}

/** Returns the allowed value that has the same text but another type: `"5"` for 5, or 5 for `"5"`. */
function sameInOtherType(literal: string, values: readonly string[]): string | undefined {
  const quoted = JSON.stringify(literal);
  return values.find((value) => value === quoted || JSON.stringify(value) === literal);
}

/**
 * Changes a value so that it meets a limit: shortens texts and lists, adds items, moves numbers to the nearest allowed
 * one.
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
          ? l10nText("Shorten to 1 character")
          : l10nText("Shorten to {limit} characters", { limit });
      return [offeredFix(title, replaced(JSON.stringify(cut)))];
    }
    case "maxItems": {
      const cut = truncateArray(text, start, limit);
      return cut === undefined
        ? []
        : [offeredFix(l10nText("Keep the first {limit} only", { limit }), cut)];
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
      const at = input.schemaAt(problem.schemaPointer);
      const [value, steps] = [Number(literal), stepsOf(at)];
      // An exclusive bound has no nearest number, except among integers.
      const nearest =
        nearestNumber(value, steps, at) ??
        (Number.isInteger(value) ? nearestNumber(value, [...steps, 1], at) : undefined);
      if (nearest === undefined) return [];
      return [
        { ...offeredFix(changeTo(String(nearest)), replaced(String(nearest))), isPreferred: true },
      ];
    }
    default:
      return [];
  }
}

function truncateArray(text: string, open: number, limit: number): TextEdit | undefined {
  const list = readContainer(text, open);
  const last = list?.members.at(-1);
  if (list?.close === undefined || last === undefined) return undefined;
  if (list.members.length <= limit) return undefined;
  const lastMember = list.members[limit - 1];
  if (lastMember === undefined) return { start: open + 1, end: list.close, text: "" };
  return { start: lastMember.end, end: last.end, text: "" };
}

/** The maximum number of fixes that offer a text. */
const maxOffered = 3;

/** The maximum length of a text that is corrected. A longer one is hardly a typing mistake. */
const maxText = 1000;

/**
 * Offers texts in the form that a schema requires: trimmed, in lower or upper case, and the schema's default and
 * examples.
 */
export function textFormFixes(
  { text, schemaAt }: FixInput,
  { start, end, schemaPointer }: PayloadProblem,
): PayloadFix[] {
  const current: unknown = JSON.parse(text.slice(start, end));
  if (typeof current !== "string" || current.length > maxText) return [];
  const at = schemaAt(schemaPointer);
  const trimmed = current.trim();
  const variants = [trimmed, trimmed.toLowerCase(), trimmed.toUpperCase()];
  const suggested = at.layers.flatMap((layer) => [layer.default, ...(layer.examples ?? [])]);
  const others = [...variants, ...suggested.filter((value) => typeof value === "string")];
  const fitting = [...new Set(others)].filter(
    (candidate) => candidate !== current && at.fits(candidate),
  );
  return fitting.slice(0, maxOffered).map((candidate) => {
    const isVariant = variants.includes(candidate) && candidate !== "";
    const value = JSON.stringify(candidate);
    return { ...offeredFix(changeTo(value), { start, end, text: value }), isPreferred: isVariant };
  });
}

/** Lists the numbers of which a value must be a multiple. An integer must be a multiple of 1. */
function stepsOf({ layers }: SchemaAtRule): number[] {
  return layers.flatMap(({ types, multipleOf }) => [
    ...(types?.length === 1 && types[0] === "integer" ? [1] : []),
    ...(multipleOf === undefined ? [] : [multipleOf]),
  ]);
}

/**
 * Finds the allowed number that is nearest to a value. Undefined if there is none, for example above an exclusive
 * minimum.
 */
function nearestNumber(
  value: number,
  steps: readonly number[],
  { layers, fits }: SchemaAtRule,
): number | undefined {
  const inside = Math.min(
    Math.max(value, lowerBound("number", layers)),
    upperBound("number", layers),
  );
  if (!Number.isFinite(inside)) return undefined;
  const candidates = steps.length === 0 ? [inside] : multiplesAround(inside, Math.max(...steps));
  const byDistance = (left: number, right: number) =>
    Math.abs(left - value) - Math.abs(right - value);
  return candidates.filter(fits).sort(byDistance)[0];
}

function multiplesAround(value: number, step: number): number[] {
  const count = Math.floor(value / step);
  // Multiplying decimal fractions produces extra digits.
  return [-1, 0, 1, 2].map((more) => Number(((count + more) * step).toPrecision(15)));
}

/** The maximum number of items that a quick fix adds. */
const maxAdded = 50;
/** The maximum comparison work, which takes some milliseconds while the menu opens. */
const maxCompared = 20_000;

/** Adds the missing items of a list, each created from its schema. */
function missingItemFixes(
  { text, readable, style, schemaAt }: FixInput,
  { start, schemaPointer }: PayloadProblem,
  limit: number,
): PayloadFix[] {
  const list = readContainer(text, start);
  if (list?.close === undefined || list.close - start > maxCompared) return [];
  const { members } = list;
  const count = limit - members.length;
  if (count < 1 || count > maxAdded) return [];
  const { itemsAt, layers } = schemaAt(schemaPointer);
  const areDifferent = layers.some(({ uniqueItems }) => uniqueItems === true);
  const usedTexts = new Set(valuesOf(readable, members).map(canonicalText));
  const added: JsonValue[] = [];
  for (let index = members.length; index < limit; index += 1) {
    const next = itemsAt(index).find(
      (value) => !areDifferent || !usedTexts.has(canonicalText(value)),
    );
    if (next === undefined) return [];
    usedTexts.add(canonicalText(next));
    added.push(next);
  }
  const title = count === 1 ? l10nText("Add 1 item") : l10nText("Add {count} items", { count });
  const writers = added.map((value) => memberWriter(undefined, value, style));
  const edit = insertMembers(text, list, members.length - 1, writers, style);
  return [{ ...offeredFix(title, edit), isPreferred: true }];
}

/** Removes every item that equals an earlier one. */
export function repeatedItemFixes(
  { text, readable }: FixInput,
  { start, end }: PayloadProblem,
): PayloadFix[] {
  if (end - start > maxCompared) return [];
  const list = readContainer(text, start);
  if (list?.close === undefined) return [];
  const { members } = list;
  const seen = new Set<string>();
  const edits = valuesOf(readable, members).flatMap((value, index) => {
    const valueText = canonicalText(value);
    const isRepeated = seen.has(valueText);
    seen.add(valueText);
    const [before, member] = [members[index - 1], members[index]];
    if (!isRepeated || before === undefined || member === undefined) return [];
    return [{ start: before.end, end: member.end, text: "" }];
  });
  const title =
    edits.length === 1
      ? l10nText("Remove duplicate item")
      : l10nText("Remove {count} duplicate items", { count: edits.length });
  return [{ ...offeredFix(title, ...edits), isPreferred: true }];
}

function valuesOf(readable: string, members: readonly MemberText[]): unknown[] {
  return members.map(({ start, end }) => JSON.parse(readable.slice(start, end)));
}

interface Conversion {
  readonly title: LocalizableText;
  readonly text: string;
  /** Whether the value keeps its meaning and only changes its type. */
  readonly keepsMeaning: boolean;
}

/**
 * Converts a value of the wrong type to an expected type: `"5"` to `5` and back, a single value to a list of one and
 * back, JSON inside a string to JSON. Only a value that fits the schema is unambiguous.
 */
export function conversionFixes(
  { readable }: FixInput,
  { start, end }: PayloadProblem,
  expected: readonly string[],
  { itemTypes, fits }: SchemaAtRule,
): PayloadFix[] {
  const literal = readable.slice(start, end);
  const value = parsedJson(literal);
  if (value === undefined) return [];
  const found = new Map<string, Conversion>();
  for (const type of expected) {
    for (const conversion of conversions(type, literal, value, itemTypes)) {
      if (!found.has(conversion.text)) found.set(conversion.text, conversion);
    }
  }
  const all = [...found.values()];
  const [only] = all.filter(({ keepsMeaning }) => keepsMeaning);
  const isOnly = all.filter(({ keepsMeaning }) => keepsMeaning).length === 1;
  return all.map((candidate) => ({
    ...offeredFix(candidate.title, { start, end, text: candidate.text }),
    isPreferred: candidate === only,
    isUnambiguous: isOnly && candidate === only && fits(JSON.parse(candidate.text) as JsonValue),
  }));
}

function conversions(
  type: string,
  literal: string,
  value: unknown,
  itemTypes: readonly string[],
): Conversion[] {
  const inside = typeof value === "string" ? value.trim() : undefined;
  const become = (text: string, keepsMeaning = true) => [
    { title: changeTo(text), text, keepsMeaning },
  ];
  if (inside !== undefined) {
    const read = parsedJson(inside);
    if (read !== undefined && isOfType(read, type as JsonType)) return become(inside);
  }
  const [single] = singleItem(literal, value, type);
  if (single !== undefined) return [single];
  switch (type) {
    case "integer":
      if (typeof value === "number") {
        const rounded = String(Math.round(value));
        return [
          {
            title: l10nText("Round to {value}", { value: rounded }),
            text: rounded,
            keepsMeaning: false,
          },
        ];
      }
      return typeof value === "boolean" ? become(value ? "1" : "0", false) : [];
    case "string":
      if (typeof value === "number" || typeof value === "boolean") {
        return become(JSON.stringify(literal));
      }
      return value === null ? become('""', false) : [];
    case "boolean":
      if (inside !== undefined && /^(true|false)$/i.test(inside)) {
        return become(inside.toLowerCase());
      }
      if (inside !== undefined && /^(yes|no|on|off)$/i.test(inside)) {
        return become(/^(yes|on)$/i.test(inside) ? "true" : "false");
      }
      return value === 0 || value === 1 ? become(value === 1 ? "true" : "false", false) : [];
    case "null":
      return inside === "" ? become("null", false) : [];
    case "array":
      return value === null ? [] : [inArray(literal, value, itemTypes)];
    default:
      return [];
  }
}

function inArray(literal: string, value: unknown, itemTypes: readonly string[]): Conversion {
  const fits = itemTypes.some((type) => isOfType(value, type as JsonType));
  return { title: l10nText("Wrap in an array"), text: `[${literal}]`, keepsMeaning: fits };
}

/** Returns the single item of a list if it has the required type. */
function singleItem(literal: string, value: unknown, type: string): Conversion[] {
  if (!Array.isArray(value) || value.length !== 1) return [];
  const [item] = readContainer(literal, 0)?.members ?? [];
  if (item === undefined || !isOfType(value[0], type as JsonType)) return [];
  const text = literal.slice(item.start, item.end);
  return [{ title: l10nText("Unwrap the array"), text, keepsMeaning: false }];
}
