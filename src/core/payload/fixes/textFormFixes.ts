import { codePointsIn } from "../../jsonSchema/evaluation/evaluateScalar";
import { fitsFormat } from "../../jsonSchema/evaluation/fitsFormat";
import { linearRegExp } from "../../linearRegExp/linearRegExp";
import type { JsonObject } from "../../text/json";
import type { PayloadProblem } from "../payloadCheck";
import { schemaAtRule } from "../schemaAtRule";
import { changeTo, choice, type FixInput, type PayloadFix } from "./payloadFix";

const maxOffered = 3;
/** A longer text is no typing mistake in its ends or letters. */
const maxText = 1000;

/**
 * Offers texts of the form a schema asks for: the text without spaces around it, in small or capital
 * letters, where that is all it lacks; else the schema's own default and examples.
 */
export function textFormFixes(
  { text, schema }: FixInput,
  { start, end, schemaPointer }: PayloadProblem,
): PayloadFix[] {
  const given: unknown = JSON.parse(text.slice(start, end));
  if (typeof given !== "string" || given.length > maxText) return [];
  const { layers } = schemaAtRule(schema, schemaPointer);
  const trimmed = given.trim();
  const near = [trimmed, trimmed.toLowerCase(), trimmed.toUpperCase()];
  const own = layers.flatMap((layer) => [layer["default"], ...listOf(layer["examples"])]);
  const others = [...near, ...own.filter((value) => typeof value === "string")];
  const fitting = [...new Set(others)].filter((one) => one !== given && fits(one, layers));
  return fitting.slice(0, maxOffered).map((one) => {
    const isNear = near.includes(one) && one !== "";
    const value = JSON.stringify(one);
    return { ...choice(changeTo(value), { start, end, text: value }), isPreferred: isNear };
  });
}

function fits(text: string, layers: readonly JsonObject[]): boolean {
  const length = codePointsIn(text);
  return layers.every(({ minLength, maxLength, pattern, format }) => {
    if (typeof minLength === "number" && length < minLength) return false;
    if (typeof maxLength === "number" && length > maxLength) return false;
    if (typeof format === "string" && !fitsFormat(format, text)) return false;
    return typeof pattern !== "string" || isFound(pattern, text);
  });
}

/** Patterns that only a backtracking engine can search are not tried outside the checking thread. */
function isFound(pattern: string, text: string): boolean {
  const read = linearRegExp(pattern);
  return read.kind === "linear" && read.test(text);
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}
