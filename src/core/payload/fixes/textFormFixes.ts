import { codePointsIn } from "../../schema/evaluate/evaluateScalar";
import { fitsFormat } from "../../schema/evaluate/fitsFormat";
import type { PayloadProblem } from "../payloadCheck";
import type { SchemaAtRule } from "../schemaAtRule";
import { changeTo, choice, type FixInput, type PayloadFix } from "./payloadFix";

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
