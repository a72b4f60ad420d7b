import { levelOf } from "./manifest";
import type { Skill } from "./skill";

/** A filter of the search route: its names in the query, and the values a skill has for it. */
export interface SearchFilter {
  /** The name facets carry. */
  readonly name: string;
  readonly parameters: readonly string[];
  /** Whether a skill must have all asked values, or one of them. */
  readonly match: "all" | "any";
  readonly valuesOf: (skill: Skill) => readonly string[];
}

/** The filters of the search route. */
export const searchFilters: readonly SearchFilter[] = [
  oneOf("task", ["task", "category"], ({ category }) => category),
  oneOf("runtime", ["runtime", "runtimeType"], ({ releases }) => releases[0].runtime.type),
  oneOf(
    "verification",
    ["verification", "verificationStatus"],
    (skill) => skill.verificationStatus,
  ),
  oneOf("permissionProfile", ["permissionProfile", "permissionLevel"], ({ releases }) =>
    levelOf(releases[0]),
  ),
  oneOf("billingModel", ["billingModel"], ({ price }) => price.billingModel),
  { name: "tags", parameters: ["tags"], match: "all", valuesOf: ({ tags }) => tags },
];

/** What a search asks for: filter name → asked values. A filter without values is left out. */
export type AskedFilters = ReadonlyMap<string, readonly string[]>;

/** Reads the filters from a query: comma lists, repeated names and both names of a filter add up. */
export function readFilters(query: URLSearchParams): AskedFilters {
  const asked = new Map<string, readonly string[]>();
  for (const { name, parameters } of searchFilters) {
    const values = parameters
      .flatMap((parameter) => query.getAll(parameter))
      .flatMap((list) => list.split(","))
      .map((value) => value.trim())
      .filter((value) => value !== "");
    if (values.length > 0) asked.set(name, [...new Set(values)]);
  }
  return asked;
}

/** Tells whether a skill passes the asked filters. A value no skill has matches nothing. */
export function passesFilters(skill: Skill, asked: AskedFilters): boolean {
  return searchFilters.every(({ name, match, valuesOf }) => {
    const wanted = asked.get(name);
    if (wanted === undefined) return true;
    const has = (value: string) => valuesOf(skill).includes(value);
    return match === "all" ? wanted.every(has) : wanted.some(has);
  });
}

/** Tells whether every word of the text is in the slug, name, description or tags, in any case. */
export function matchesText(skill: Skill, text: string): boolean {
  const haystack = [skill.slug, skill.displayName, skill.description, ...skill.tags]
    .join("\n")
    .toLowerCase();
  const words = text.toLowerCase().split(/\s+/);
  return words.every((word) => haystack.includes(word));
}

function oneOf(
  name: string,
  parameters: readonly string[],
  pick: (skill: Skill) => string,
): SearchFilter {
  return { name, parameters, match: "any", valuesOf: (skill) => [pick(skill)] };
}
