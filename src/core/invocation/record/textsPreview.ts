import { exactLiteral, parseExactly } from "../../json/exactJson";
import { isJsonObject, type JsonValue } from "../../json/jsonValue";
import { oneLine } from "../../text/plainText";
import type { InvocationTexts } from "./invocationRecord";

/** The maximum length of a text that is parsed for its first words. */
const maxParsed = 20_000;
/** The number of characters that a preview reads: enough to recognize a key in its words, however it is escaped. */
export const previewedLength = 100_000;
/** The number of characters that fit in a row of the view. */
const maxWords = 40;

/**
 * Summarizes payload and output, such as `Good morning → words 2, lines 1`. Empty if neither is stored. `redact` runs
 * before the words are truncated, since it would not find half a key.
 */
export function textsPreview(
  { inputText, outputText }: InvocationTexts,
  redact: (text: string) => string,
): string {
  const words = (text: string) => oneLine(wordsOf(text, redact), maxWords);
  const input = inputText === undefined ? "" : words(inputText);
  if (outputText === undefined) return input;
  return `${input} → ${words(outputText)}`.trim();
}

/** Returns whether the texts of an invocation contain a text, ignoring case. */
export function textsContain({ inputText, outputText }: InvocationTexts, text: string): boolean {
  const wanted = text.toLowerCase();
  return [inputText, outputText].some((stored) => stored?.toLowerCase().includes(wanted));
}

function wordsOf(text: string, redact: (text: string) => string): string {
  const clean = redact(text.slice(0, previewedLength));
  if (text.length > maxParsed) return clean.slice(0, 2 * maxWords);
  try {
    return valueWords(parseExactly(clean), maxWords);
  } catch {
    return clean;
  }
}

/** Lists the values of an object with their names. A single value needs no name. */
function valueWords(value: JsonValue, budget: number): string {
  if (typeof value === "string") return value;
  if (Array.isArray(value))
    return joined(
      value.map((item) => [undefined, item]),
      budget,
    );
  const exact = exactLiteral(value);
  if (exact !== undefined) return exact;
  if (!isJsonObject(value)) return String(value);
  const members = Object.entries(value);
  const [only] = members;
  if (members.length === 1 && only !== undefined) return valueWords(only[1], budget);
  return joined(members, budget);
}

function joined(
  members: readonly (readonly [name: string | undefined, value: JsonValue])[],
  budget: number,
): string {
  let words = "";
  for (const [name, value] of members) {
    if (words.length >= budget) break;
    const written = valueWords(value, budget - words.length);
    words += `${words === "" ? "" : ", "}${name === undefined ? "" : `${name} `}${written}`;
  }
  return words;
}
