import type { JsonValue } from "../../json/jsonValue";

/** Writes a stop of an editor snippet that holds a value; `""` stands for one that holds nothing. */
export function filledStop(number: number, value: JsonValue): string {
  if (value === "") return `\${${number}}`;
  const [quote, text] = unquoted(value);
  return `${quote}\${${number}:${escapedText(text)}}${quote}`;
}

/** Escapes a text so that an editor snippet writes it as it is. */
export function escapedText(text: string): string {
  return text.replaceAll(/[\\$}]/g, "\\$&");
}

/** The quotes of a text stand outside, so that typing over what a stop holds keeps them. */
function unquoted(value: JsonValue): [quote: string, text: string] {
  const text = JSON.stringify(value);
  return typeof value === "string" ? ['"', text.slice(1, -1)] : ["", text];
}
