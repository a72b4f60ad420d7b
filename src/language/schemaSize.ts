import { isJsonObject } from "../core/json/jsonValue";
import { type LocalizableText, l10nText } from "../core/text/language";

/** The largest schema that is compiled: nesting in JSON levels, values, and characters of text. */
interface SchemaLimits {
  depth: number;
  nodes: number;
  characters: number;
}

/** Generous for a schema a person wrote, small enough to walk and send within a few milliseconds. */
const schemaLimits: SchemaLimits = { depth: 256, nodes: 120_000, characters: 2_000_000 };

/**
 * Returns why a schema is too large to be compiled, or nothing when it is within the limits. Walks
 * without recursion and stops at the first limit, so that no schema can make it slow.
 */
export function whySchemaIsTooLarge(
  schema: unknown,
  limits = schemaLimits,
): LocalizableText | undefined {
  // The values of one level after the other; what a level holds counts as soon as it is found.
  let level: unknown[] = [schema];
  let nodes = 1;
  let characters = 0;
  for (let depth = 0; level.length > 0; depth += 1) {
    const below: unknown[] = [];
    for (const value of level) {
      if (typeof value === "string") characters += value.length;
      else if (Array.isArray(value) || isJsonObject(value)) {
        if (depth >= limits.depth) {
          return l10nText(
            "The skill's schema is nested more than {count} levels deep, too deep to check against.",
            { count: limits.depth },
          );
        }
        const inner: unknown[] = Array.isArray(value) ? value : Object.values(value);
        nodes += inner.length;
        if (nodes > limits.nodes) return tooManyParts(limits.nodes);
        for (const item of inner) below.push(item);
        if (!Array.isArray(value)) for (const key in value) characters += key.length;
      }
      if (characters > limits.characters) {
        return l10nText(
          "The skill's schema has more than {count} characters, too many to check against.",
          { count: limits.characters },
        );
      }
    }
    level = below;
  }
  return undefined;
}

function tooManyParts(count: number): LocalizableText {
  return l10nText("The skill's schema has more than {count} parts, too many to check against.", {
    count,
  });
}
