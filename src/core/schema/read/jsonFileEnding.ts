import { isJsonObject, parsedJson } from "../../json/jsonValue";
import { dialectOf } from "../schemaRules";

/**
 * Chooses the file extension for a JSON value that somebody else wrote: `json`, or `jsonl` if its root names a
 * non-standard `$schema`. The editor's JSON support would fetch that URL for a `json` file, but only highlights a
 * `jsonl` file.
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
 * Chooses the file extension for a text that may be invalid JSON: `jsonl` if its root names a `$schema`. A standard one
 * counts too, since a text may name two and the editor may use the other one. A text above 200,000 characters is not
 * parsed: it gets `jsonl` if it might name a `$schema`.
 */
export function jsonFileEndingOf(text: string): "json" | "jsonl" {
  // Fast path: most texts do not contain the name, neither literally nor with escapes.
  if (!text.includes("schema") && !text.includes("\\u00")) return "json";
  if (text.length > longestParsed) return "jsonl";
  const value = parsedJson(text);
  // The text may name a `$schema` at its root before its first syntax error.
  if (value === undefined) return "jsonl";
  return isJsonObject(value) && Object.hasOwn(value, "$schema") ? "jsonl" : "json";
}
