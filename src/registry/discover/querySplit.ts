import {
  type SkillFilterName,
  type SkillFilters,
  type SkillQuery,
  skillFilterNames,
} from "../../core/skillList/skillQuery";

/** A query as the requests that together answer it. */
export interface QuerySplit {
  /** Queries with one value for each filter, 1 to 16. */
  readonly parts: readonly SkillQuery[];
  /** Filters in whose values the parts differ. */
  readonly splitBy: readonly SkillFilterName[];
  /** Filters that no request carries, so that they are applied here. */
  readonly leftOut: readonly SkillFilterName[];
}

/** One page of a list asks this often at most: registries limit how often they are asked. */
const maxParts = 16;

/**
 * Splits a query into one request for each value: the public gateway reads no comma list. The values of
 * several filters multiply; where that leads beyond 16 requests, the filters with the most values are
 * left out. `isRefused` leaves out all that have several values.
 */
export function splitQuery(query: SkillQuery, isRefused = false): QuerySplit {
  const leftOut: SkillFilterName[] = [];
  const splitBy: SkillFilterName[] = [];
  let parts: readonly SkillFilters[] = [query.filters];
  for (const [name, values] of severalValues(query.filters)) {
    const isLeftOut = isRefused || parts.length * values.length > maxParts;
    (isLeftOut ? leftOut : splitBy).push(name);
    const asked = isLeftOut ? [[]] : values.map((value) => [value]);
    parts = parts.flatMap((filters) => asked.map((value) => ({ ...filters, [name]: value })));
  }
  return { parts: parts.map((filters) => ({ ...query, filters })), splitBy, leftOut };
}

/** All tags must match, which registries read from a list; publishers are not asked for. */
function severalValues(
  filters: SkillFilters,
): readonly (readonly [SkillFilterName, readonly string[]])[] {
  return skillFilterNames
    .filter((name) => name !== "tags" && name !== "publisher")
    .map((name) => [name, [...new Set(filters[name] ?? [])]] as const)
    .filter(([, values]) => values.length > 1)
    .sort(([, one], [, other]) => one.length - other.length);
}
