import { isJsonObject } from "../json/jsonValue";
import { dialectOf } from "../schema/schemaRules";

/**
 * Chooses the extension of a document that shows JSON from elsewhere: `json`, or `jsonl` where its root names
 * a `$schema` other than the standard's own. The editor's JSON support would fetch that URL; for `jsonl` it
 * only highlights.
 */
export function jsonFileEnding(value: unknown): "json" | "jsonl" {
  if (!isJsonObject(value) || !Object.hasOwn(value, "$schema")) return "json";
  return dialectOf(value.$schema) === undefined ? "jsonl" : "json";
}

/** Parsing a longer text would hold an extension host for longer than a few milliseconds. */
const longestParsed = 200_000;

/**
 * Chooses the extension for a text that may not be JSON: `jsonl` wherever its root names any `$schema`, since
 * of two, the editor may use another one than we do. In a text of more than 200,000 characters, wherever it
 * might.
 */
export function jsonFileEndingOf(text: string): "json" | "jsonl" {
  // Few texts contain such a name, literal or escaped.
  if (!text.includes("schema") && !text.includes("\\u00")) return "json";
  if (text.length > longestParsed) return "jsonl";
  try {
    const value: unknown = JSON.parse(text);
    return isJsonObject(value) && Object.hasOwn(value, "$schema") ? "jsonl" : "json";
  } catch {
    // A text that is invalid further on may still name one at its root.
    return "jsonl";
  }
}
