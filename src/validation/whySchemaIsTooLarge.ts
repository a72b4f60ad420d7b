import { type LocalizableText, l10nText } from "../core/text/localizableText";

/** The largest schema that is compiled: nesting in JSON levels, values, and characters of text. */
export interface SchemaLimits {
  depth: number;
  nodes: number;
  characters: number;
}

/** Generous for a schema a person wrote, small enough to walk and send within a few milliseconds. */
export const schemaLimits: SchemaLimits = { depth: 256, nodes: 120_000, characters: 2_000_000 };

/**
 * Says why a schema is too large to be compiled, or nothing when it is within the limits. Walks
 * without recursion and stops at the first limit, so that no schema can make it slow.
 */
export function whySchemaIsTooLarge(
  schema: unknown,
  limits = schemaLimits,
): LocalizableText | undefined {
  const open: { value: unknown; depth: number }[] = [{ value: schema, depth: 0 }];
  let nodes = 0;
  let characters = 0;
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const { value, depth } = next;
    nodes += 1;
    if (typeof value === "string") characters += value.length;
    if (nodes > limits.nodes) return tooManyParts(limits.nodes);
    if (characters > limits.characters) {
      return l10nText(
        "The skill's schema has more than {count} characters, too many to check against.",
        { count: limits.characters },
      );
    }
    if (typeof value !== "object" || value === null) continue;
    if (depth >= limits.depth) {
      return l10nText(
        "The skill's schema is nested more than {count} levels deep, too deep to check against.",
        { count: limits.depth },
      );
    }
    const keys = Array.isArray(value) ? [] : Object.keys(value);
    const inner = Array.isArray(value) ? value.length : keys.length;
    if (nodes + inner > limits.nodes) return tooManyParts(limits.nodes);
    if (Array.isArray(value))
      for (const item of value) open.push({ value: item, depth: depth + 1 });
    for (const key of keys) {
      characters += key.length;
      open.push({ value: Reflect.get(value, key), depth: depth + 1 });
    }
  }
  return undefined;
}

function tooManyParts(count: number): LocalizableText {
  return l10nText("The skill's schema has more than {count} parts, too many to check against.", {
    count,
  });
}
