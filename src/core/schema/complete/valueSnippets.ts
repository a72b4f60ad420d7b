import type { SampleBudget } from "../sample/sampleBudget";
import { isDescribed } from "../schemaLayers";
import type { SchemaRules } from "../schemaRules";
import { objectSnippets, type ValueSnippet } from "./objectSnippets";
import { plainSample } from "./requiredSnippet";

/**
 * Lists what can be written for a schema beside the values it names: objects with all they require,
 * lists of these, an empty text, list or object, a number where 0 is not allowed.
 */
export function valueSnippets(schema: SchemaRules, budget: SampleBudget): ValueSnippet[] {
  const objects = objectSnippets(schema, budget);
  if (objects.length > 0) return objects;
  const { types = [], items, anyOf, oneOf } = schema;
  const isKnown = schema.hasConst || schema.hasDefault || (schema.enum ?? schema.examples);
  if (isKnown || (anyOf ?? oneOf)) return [];
  switch (types[0]) {
    case "string":
      return [{ label: '""', snippet: '"$1"' }];
    case "array": {
      const item = items !== undefined && isDescribed(items) ? objectSnippets(items, budget) : [];
      return [...item.map(inList), { label: "[]", snippet: "[$1]" }];
    }
    case "object":
      return [{ label: "{}", snippet: "{$1}" }];
    case "integer":
    case "number": {
      const number = plainSample([schema], budget);
      if (typeof number !== "number" || number === 0) return [];
      return [{ label: String(number), snippet: `\${1:${number}}` }];
    }
    default:
      return [];
  }
}

function inList({ label, snippet }: ValueSnippet): ValueSnippet {
  return { label: `[${label}]`, snippet: `[\n\t${snippet.replaceAll("\n", "\n\t")}\n]` };
}
