import type { LongText } from "../skill/description/skillDescription";
import type { JsonValue } from "./json";

/** Prints a JSON value indented for reading, cut after `maxLength` characters. */
export function longText(value: JsonValue, maxLength = 200_000): LongText {
  const text = print(value);
  if (text.length <= maxLength) return { text, whole: true };
  return { text: text.slice(0, maxLength), whole: false };
}

function print(value: JsonValue): string {
  try {
    return JSON.stringify(value, null, 2);
  } catch {
    // Nested so deep that the printer's own stack gives in; there is nothing in it for a reader.
    return "…";
  }
}
