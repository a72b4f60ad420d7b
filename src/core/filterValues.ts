import type { SkillFacets, SkillFilterName, SkillFilters } from "./skillQuery";

/** The values registries are known to use (wire contract, section 1). */
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
};

/** A value of a filter, with the number of skills behind it where the registry counts. */
export interface FilterValue {
  readonly value: string;
  readonly count?: number;
  readonly active: boolean;
}

/**
 * Lists the values a filter can take: those the registry counts, or else the known ones; active
 * values are always among them.
 */
export function filterValues(
  name: SkillFilterName,
  facets: SkillFacets | undefined,
  active: SkillFilters,
): readonly FilterValue[] {
  const chosen = active[name] ?? [];
  const counts = new Map(facets?.[name]?.map(({ value, count }) => [value, count]));
  const offered = counts.size > 0 ? [...counts.keys()] : knownValues[name];
  return [...new Set([...offered, ...chosen])].map((value) => {
    const count = counts.get(value);
    return { value, active: chosen.includes(value), ...(count === undefined ? {} : { count }) };
  });
}
