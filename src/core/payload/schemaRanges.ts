import { pointerSteps } from "../json/jsonPointer";
import type { JsonValue } from "../json/jsonValue";
import { RequestedRange, scanJson, type TextRange } from "../json/scanJson";
import type { PayloadProblem } from "./payloadCheck";
import { lineStartsOf, positionIn } from "./textPosition";

/**
 * Finds where JSON pointers lead in a text that is valid JSON: the key's start (the value's, for an
 * item) to the value's end. A pointer that leads nowhere has no entry.
 */
export function jsonRanges(text: string, pointers: Iterable<string>): Map<string, TextRange> {
  const root = new RequestedRange();
  const value: unknown = JSON.parse(text);
  const requested = [...new Set(pointers)].map((pointer) => ({
    pointer,
    range: requestedRange(pointer, value, root),
  }));
  scanJson(text, root, 0);
  const found = new Map<string, TextRange>();
  for (const { pointer, range } of requested) {
    if (range.value === undefined) continue;
    found.set(pointer, { start: range.key?.start ?? range.value.start, end: range.value.end });
  }
  return found;
}

function requestedRange(pointer: string, value: unknown, root: RequestedRange): RequestedRange {
  let range = root;
  let at = value;
  for (const step of pointerSteps(pointer)) {
    const key = Array.isArray(at) ? Number(step) : step;
    range = range.below(key);
    at = typeof at === "object" && at !== null ? Reflect.get(at, key) : undefined;
  }
  return range;
}

/** In a longer schema no ranges are looked for; its beginning is pointed at. */
const maxLocatedText = 500_000;

/** Writes a schema as the document that shows it to people. */
export function schemaText(schema: JsonValue): string {
  return `${JSON.stringify(schema, undefined, 2)}\n`;
}

/** Adds to problems where the rules that failed stand in the `schemaText` of a schema. */
export type AddRuleRanges = (problems: readonly PayloadProblem[]) => PayloadProblem[];

/** Prepares a schema for that. The text is made and read with the first problem that has a rule. */
export function ruleRanges(schema: JsonValue): AddRuleRanges {
  let text: string | undefined;
  let starts: readonly number[] = [];
  const known = new Map<string, PayloadProblem["rule"]>();
  const find = (pointers: readonly string[]) => {
    text ??= schemaText(schema);
    if (text.length > maxLocatedText) return;
    if (starts.length === 0) starts = lineStartsOf(text);
    const ranges = jsonRanges(text, pointers);
    for (const pointer of pointers) {
      const range = ranges.get(pointer);
      const rule = range && {
        start: positionIn(starts, range.start),
        end: positionIn(starts, range.end),
      };
      known.set(pointer, rule);
    }
  };
  return (problems) => {
    const pointers = problems.flatMap(({ schemaPointer }) => schemaPointer ?? []);
    const unknown = pointers.filter((pointer) => !known.has(pointer));
    if (unknown.length > 0) find(unknown);
    return problems.map((problem) => {
      const rule = known.get(problem.schemaPointer ?? "");
      return problem.schemaPointer === undefined || rule === undefined
        ? problem
        : { ...problem, rule };
    });
  };
}
