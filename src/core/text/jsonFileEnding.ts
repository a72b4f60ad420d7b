import { isJsonObject, parsedJson } from "../json/jsonValue";
import { dialectOf } from "../schema/schemaRules";

/**
 * Chooses the extension for JSON from elsewhere: `json`, or `jsonl` if its root names a non-standard `$schema`. The
 * editor's JSON support would fetch that URL; for `jsonl` it only highlights.
 */
export function jsonFileEnding(value: unknown): "json" | "jsonl" {
  if (!isJsonObject(value) || !Object.hasOwn(value, "$schema")) return "json";
  return dialectOf(value.$schema) === undefined ? "jsonl" : "json";
}

/**
 * The maximum length of a text to parse. A longer one would block the extension host for more than a few milliseconds.
 */
const longestParsed = 200_000;

/**
 * Chooses the extension for a text that may be invalid JSON: `jsonl` if its root names any `$schema`, since the editor
 * may read another one of two than we do. Above 200,000 characters, `jsonl` if the text might name one.
 */
export function jsonFileEndingOf(text: string): "json" | "jsonl" {
  // Few texts contain such a name, literal or escaped.
  if (!text.includes("schema") && !text.includes("\\u00")) return "json";
  if (text.length > longestParsed) return "jsonl";
  const value = parsedJson(text);
  // A text that is invalid further on may still name a `$schema` at its root.
  if (value === undefined) return "jsonl";
  return isJsonObject(value) && Object.hasOwn(value, "$schema") ? "jsonl" : "json";
}
