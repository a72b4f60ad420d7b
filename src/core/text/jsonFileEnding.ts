import { isJsonObject } from "../json/jsonValue";
import { dialectOf } from "../schema/schemaRules";

/**
 * Chooses how the name of a document ends that shows JSON from elsewhere: `json`, or `jsonl` where its
 * root names a `$schema` other than the standard's own. The editor's JSON support would fetch what is
 * named there, from wherever it is; a name that ends in `jsonl` gets highlighting only.
 */
export function jsonFileEnding(value: unknown): "json" | "jsonl" {
  if (!isJsonObject(value) || !Object.hasOwn(value, "$schema")) return "json";
  return dialectOf(value.$schema) === undefined ? "jsonl" : "json";
}

/**
 * Chooses for a text, which may be no JSON: `jsonl` wherever its root names any `$schema`, since a text
 * can name two of which the editor takes another than we do.
 */
export function jsonFileEndingOf(text: string): "json" | "jsonl" {
  // Few texts have such a name, spelled out or in escapes, and long ones take long to read.
  if (!/schema|\\u00/.test(text)) return "json";
  try {
    const value: unknown = JSON.parse(text);
    return isJsonObject(value) && Object.hasOwn(value, "$schema") ? "jsonl" : "json";
  } catch {
    // What is broken further on may still name one at its root.
    return "jsonl";
  }
}
