import {
  type AskedFilters,
  passesFilters,
  type SearchFilter,
  searchFilters,
} from "./searchFilters";
import type { Skill } from "./skill";

/** A value of a filter and how many skills choosing it would leave. */
export interface FacetValue {
  readonly value: string;
  readonly count: number;
}

/**
 * Counts, for each filter, the skills behind each value, most first; values without skills are
 * left out. `skills` match the text already.
 */
export function countFacets(
  skills: readonly Skill[],
  asked: AskedFilters,
): Record<string, FacetValue[]> {
  return Object.fromEntries(
    searchFilters.map((filter) => [filter.name, countValues(filter, skills, asked)]),
  );
}

function countValues(
  filter: SearchFilter,
  skills: readonly Skill[],
  asked: AskedFilters,
): FacetValue[] {
  // Of an "any" filter another value would add skills, so its own values do not bind the count;
  // of an "all" filter it would narrow further, so they do.
  const others = new Map(asked);
  if (filter.match === "any") others.delete(filter.name);
  const counts = new Map<string, number>();
  for (const skill of skills) {
    if (!passesFilters(skill, others)) continue;
    for (const value of filter.valuesOf(skill)) counts.set(value, (counts.get(value) ?? 0) + 1);
  }
  return [...counts]
    .map(([value, count]) => ({ value, count }))
    .sort((a, b) => b.count - a.count || (a.value < b.value ? -1 : 1));
}
