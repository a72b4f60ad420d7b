import type { TextRange } from "../json/token";
import { escapedText } from "../schema/complete/valueSnippets";
import type { ValueSteps } from "../schema/sample/emptyTexts";
import { rangesOf } from "./payloadText";

/** A part of a text, and the same part in the editor's snippet syntax. */
export interface TextSnippet extends TextRange {
  readonly snippet: string;
}

/** The maximum number of tab stops. Nobody steps through more. */
const maxStops = 100;

/**
 * Returns a part of a payload with a tab stop inside each of the empty texts, of which the first comes first.
 * Undefined if the payload has none of them.
 */
export function unfilledSnippet(
  text: string,
  empty: readonly ValueSteps[],
): TextSnippet | undefined {
  const ranges = rangesOf(text, empty.slice(0, maxStops))
    .filter((range) => range !== undefined)
    .filter(({ start, end }) => text.slice(start, end) === '""');
  const [first, last] = [ranges[0], ranges.at(-1)];
  if (first === undefined || last === undefined) return undefined;
  const parts = ranges.map((range, index) => {
    const { start: next = range.end } = ranges[index + 1] ?? {};
    return `"$${index + 1}"${escapedText(text.slice(range.end, next))}`;
  });
  return { start: first.start, end: last.end, snippet: parts.join("") };
}
