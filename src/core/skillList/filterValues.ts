import type { SkillSummary } from "../skill/skill";
import { filterAttributes } from "./skillFilters";
import type { SkillFacets, SkillFilterName, SkillFilters } from "./skillQuery";

/** The values registries are known to use; the others are each registry's own. */
const knownValues: Readonly<Record<SkillFilterName, readonly string[]>> = {
  task: [
    "automation",
    "content",
    "data",
    "dev",
    "ecommerce",
    "education",
    "finance",
    "hr",
    "legal",
    "marketing",
    "ops",
    "research",
    "sales",
    "security",
    "seo",
    "ui",
  ],
  runtime: ["http", "mcp", "local"],
  verification: ["verified", "submitted", "deprecated"],
  permissionProfile: ["low", "medium", "high"],
  billingModel: ["free", "per_call", "subscription"],
  publisher: [],
  tags: [],
};

/** More tags and publishers than that are found by typing them as a search. */
const maxValues = 100;

/** A value of a filter, with the number of skills behind it where that is known. */
interface FilterValue {
  readonly value: string;
  readonly count?: number;
  readonly active: boolean;
}

/** The values a filter can take. `countedOver` is the number of skills counted here; undefined where the registry counted. */
export interface FilterValues {
  readonly values: readonly FilterValue[];
  readonly countedOver?: number;
}

/** What is known of the skills that a filter chooses from. */
export interface CountedList {
  readonly skills: readonly SkillSummary[];
  readonly facets?: SkillFacets;
  /** All of a registry's skills are loaded: a value that none of them has finds nothing. */
  readonly isWhole?: boolean;
}

/**
 * Lists the values a filter can take: those the registry counts, or else those of the skills that
 * are loaded, the most frequent first, and the other known ones. Active values are always among them.
 */
export function filterValues(
  name: SkillFilterName,
  list: CountedList | undefined,
  active: SkillFilters,
): FilterValues {
  const chosen = active[name] ?? [];
  const counted = list?.facets?.[name];
  const byRegistry = counted !== undefined && counted.length > 0;
  const counts = byRegistry
    ? new Map(counted.map(({ value, count }) => [value, count]))
    : countLoaded(name, list?.skills ?? []);
  const others = list?.isWhole === true ? [] : knownValues[name];
  const offered = byRegistry ? counts.keys() : [...mostFirst(counts), ...others];
  const values = [...new Set([...[...offered].slice(0, maxValues), ...chosen])];
  return {
    values: values.map((value) => ({ value, active: chosen.includes(value), ...countOf(value) })),
    ...(byRegistry || counts.size === 0 ? {} : { countedOver: list?.skills.length ?? 0 }),
  };

  function countOf(value: string): { count?: number } {
    const count = counts.get(value);
    return count === undefined ? {} : { count };
  }
}

function countLoaded(name: SkillFilterName, skills: readonly SkillSummary[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const skill of skills) {
    const values = filterAttributes(skill, name) ?? [];
    // A publisher answers to its name and its slug, and is offered by its name.
    for (const value of name === "publisher" ? values.slice(0, 1) : new Set(values)) {
      counts.set(value, (counts.get(value) ?? 0) + 1);
    }
  }
  return counts;
}

function mostFirst(counts: ReadonlyMap<string, number>): readonly string[] {
  return [...counts]
    .sort(([one, some], [other, more]) => more - some || (one < other ? -1 : 1))
    .map(([value]) => value);
}
