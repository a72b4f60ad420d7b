import { isJsonObject, type JsonObject } from "../../json/jsonValue";
import type { ResolveReference } from "../outline/schemaReferences";
import { objectSnippets, type ValueSnippet } from "./objectSnippets";
import { plainNumber } from "./plainNumber";

/**
 * Lists what can be written for a schema beside the values it names: objects with all they require,
 * lists of these, an empty text, list or object, a number where 0 is not allowed.
 */
export function valueSnippets(schema: JsonObject, resolve: ResolveReference): ValueSnippet[] {
  const objects = objectSnippets(schema, resolve);
  if (objects.length > 0) return objects;
  const isKnown = ["enum", "const", "default", "examples"].some((keyword) =>
    Object.hasOwn(schema, keyword),
  );
  const { type, items } = schema;
  if (isKnown || schema["anyOf"] !== undefined || schema["oneOf"] !== undefined) return [];
  switch (Array.isArray(type) ? type[0] : type) {
    case "string":
      return [{ label: '""', snippet: '"$1"' }];
    case "array": {
      const item = isJsonObject(items) ? objectSnippets(items, resolve) : [];
      return [...item.map(inList), { label: "[]", snippet: "[$1]" }];
    }
    case "object":
      return [{ label: "{}", snippet: "{$1}" }];
    case "integer":
    case "number": {
      const number = plainNumber([schema]);
      return number === 0 ? [] : [{ label: String(number), snippet: `\${1:${number}}` }];
    }
    default:
      return [];
  }
}

function inList({ label, snippet }: ValueSnippet): ValueSnippet {
  return { label: `[${label}]`, snippet: `[\n\t${snippet.replaceAll("\n", "\n\t")}\n]` };
}
