import { type SkillFilterName, type SkillFilters, skillFilterNames } from "../skillQuery";

/** As many and as long as a registry's own values come out of the client. */
const maxValues = 100;
const maxLength = 201;

/**
 * Reads filters that another extension or a key binding passed to a command: each a text or a list
 * of texts. Undefined where the value is anything else, so that the command asks instead.
 */
export function readSkillFilters(value: unknown): SkillFilters | undefined {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return undefined;
  const given = value as Readonly<Record<string, unknown>>;
  const filters: Partial<Record<SkillFilterName, readonly string[]>> = {};
  for (const name of skillFilterNames) {
    if (!Object.hasOwn(given, name)) continue;
    const values = readValues(given[name]);
    if (values === undefined) return undefined;
    if (values.length > 0) filters[name] = values;
  }
  return filters;
}

function readValues(value: unknown): readonly string[] | undefined {
  const values: unknown[] = Array.isArray(value) ? value : [value];
  const texts = values.filter(
    (text): text is string => typeof text === "string" && text.length <= maxLength,
  );
  if (texts.length !== values.length || texts.length > maxValues) return undefined;
  return texts.map((text) => text.trim()).filter((text) => text !== "");
}
