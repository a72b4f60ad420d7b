import type { TextRange } from "../../json/token";
import { escapedText } from "../../schema/complete/valueSnippets";
import type { ValueSteps } from "../../schema/sample/unfilledValue";
import { rangesOf } from "./editJson";
import type { TextEdit } from "./textEdit";

/** A part of a text, and the same part in the editor's snippet syntax. */
export interface TextSnippet extends TextRange {
  readonly snippet: string;
}

/** The maximum number of tab stops. Nobody steps through more. */
const maxStops = 100;

/**
 * Finds the parts of a JSON text that a person has to fill in: the inside of an empty text, and a whole number or truth
 * value.
 */
export function unfilledStops(text: string, empty: readonly ValueSteps[]): TextRange[] {
  return rangesOf(text, empty.slice(0, maxStops)).flatMap((range) => {
    if (range === undefined) return [];
    const { start, end } = range;
    const written = text.slice(start, end);
    if (written === '""') return [{ start: start + 1, end: end - 1 }];
    return /^["[{]/.test(written) ? [] : [range];
  });
}

/** Returns the snippet of an edit's text, whose tab stops are numbered from `first`. */
export function editSnippet({ text, stops = [] }: TextEdit, first: number): string {
  let from = 0;
  const parts = stops.map(({ start, end }, index) => {
    const before = escapedText(text.slice(from, start));
    const number = first + index;
    from = end;
    const stop =
      start === end ? `$${number}` : `\${${number}:${escapedText(text.slice(start, end))}}`;
    return before + stop;
  });
  return [...parts, escapedText(text.slice(from))].join("");
}

/**
 * Returns the part of a payload from the first to the last value that a person has to fill in, with a tab stop in each.
 * Undefined if the payload has none of them.
 */
export function unfilledSnippet(
  text: string,
  empty: readonly ValueSteps[],
): TextSnippet | undefined {
  const stops = unfilledStops(text, empty);
  const [{ start } = { start: 0 }, { end } = { end: 0 }] = [stops[0], stops.at(-1)];
  if (stops.length === 0) return undefined;
  const moved = stops.map((stop) => ({ start: stop.start - start, end: stop.end - start }));
  const part = { start, end, text: text.slice(start, end), stops: moved };
  return { start, end, snippet: editSnippet(part, 1) };
}
