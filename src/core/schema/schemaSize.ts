import { isJsonObject } from "../json/jsonValue";
import { type LocalizableText, l10nText } from "../text/language";

/**
 * The maximum size of a schema: levels of JSON, number of values, characters of names and texts, and characters of the
 * names on the path to a value.
 */
export interface SizeLimits {
  readonly depth: number;
  readonly values: number;
  readonly characters: number;
  readonly path: number;
}

/**
 * The limits for compiling a schema: generous for a schema that a person wrote, small enough to traverse and send
 * within a few milliseconds.
 */
export const compilableSize: SizeLimits = {
  depth: 256,
  values: 120_000,
  characters: 2_000_000,
  path: Number.POSITIVE_INFINITY,
};

/** Returns why a schema is too large to be compiled. Undefined if it is within the limits. */
export function whySchemaIsTooLarge(schema: unknown): LocalizableText | undefined {
  const limit = exceededLimit(schema, compilableSize);
  return limit && tooLarge[limit];
}

const tooLarge: Readonly<Record<keyof SizeLimits, LocalizableText | undefined>> = {
  depth: l10nText(
    "The skill's schema is nested more than {count} levels deep, too deep to check against.",
    { count: compilableSize.depth },
  ),
  values: l10nText("The skill's schema has more than {count} parts, too many to check against.", {
    count: compilableSize.values,
  }),
  characters: l10nText(
    "The skill's schema has more than {count} characters, too many to check against.",
    { count: compilableSize.characters },
  ),
  path: undefined,
};

/**
 * Returns a limit that a schema exceeds, or undefined. Traverses without recursion and stops at the first limit, so
 * that no schema can make it slow.
 */
export function exceededLimit(schema: unknown, limits: SizeLimits): keyof SizeLimits | undefined {
  const open = [{ value: schema, depth: 0, path: 0 }];
  let [values, characters] = [1, 0];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const { value, depth, path } = next;
    if (typeof value === "string") characters += value.length;
    else if (Array.isArray(value) || isJsonObject(value)) {
      if (depth >= limits.depth) return "depth";
      for (const name in value) {
        values += 1;
        if (values > limits.values) return "values";
        const below = path + name.length + 1;
        if (below > limits.path) return "path";
        if (!Array.isArray(value)) characters += name.length;
        open.push({ value: value[name as never], depth: depth + 1, path: below });
      }
    }
    if (characters > limits.characters) return "characters";
  }
  return undefined;
}
