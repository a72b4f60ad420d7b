import { isJsonObject } from "../core/json/jsonValue";
import { type LocalizableText, l10nText } from "../core/text/language";

/**
 * The maximum size of a compiled schema, in levels of JSON, values, and characters of names and texts. It is generous
 * for a schema that a person wrote, and small enough to walk and send within a few milliseconds.
 */
const [maxDepth, maxValues, maxCharacters] = [256, 120_000, 2_000_000];

/**
 * Returns why a schema is too large to be compiled, or undefined. Walks without recursion and stops at the first limit,
 * so that no schema can make it slow.
 */
export function whySchemaIsTooLarge(schema: unknown): LocalizableText | undefined {
  // Goes level by level; each value counts as soon as it is found.
  let level: unknown[] = [schema];
  let values = 1;
  let characters = 0;
  for (let depth = 0; level.length > 0; depth += 1) {
    const below: unknown[] = [];
    for (const value of level) {
      if (typeof value === "string") characters += value.length;
      else if (Array.isArray(value) || isJsonObject(value)) {
        if (depth >= maxDepth) return tooDeep;
        const inner: unknown[] = Array.isArray(value) ? value : Object.values(value);
        values += inner.length;
        if (values > maxValues) return tooManyValues;
        for (const item of inner) below.push(item);
        if (!Array.isArray(value)) for (const key in value) characters += key.length;
      }
      if (characters > maxCharacters) return tooManyCharacters;
    }
    level = below;
  }
  return undefined;
}

const tooDeep = l10nText(
  "The skill's schema is nested more than {count} levels deep, too deep to check against.",
  { count: maxDepth },
);
const tooManyValues = l10nText(
  "The skill's schema has more than {count} parts, too many to check against.",
  { count: maxValues },
);
const tooManyCharacters = l10nText(
  "The skill's schema has more than {count} characters, too many to check against.",
  { count: maxCharacters },
);
