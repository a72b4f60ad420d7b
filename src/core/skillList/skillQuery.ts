import type { SkillSummary } from "../skill/skill";

/** The request of the Skills view to a registry. An empty text or list means no restriction. */
export interface SkillQuery {
  readonly text: string;
  readonly filters: SkillFilters;
  readonly sort?: SkillSort;
}

/** The filters of a registry's list, in the order they are shown. The values of `publisher` are names or slugs. */
export const skillFilterNames = [
  "task",
  "runtime",
  "verification",
  "permissionProfile",
  "billingModel",
  "publisher",
  "tags",
] as const;

/** The name of a filter. */
export type SkillFilterName = (typeof skillFilterNames)[number];

/**
 * The filters of a list. A skill must match one of a filter's values, but all of `tags`. No registry filters by
 * publisher, so that filter is applied locally.
 */
export type SkillFilters = { readonly [name in SkillFilterName]?: readonly string[] };

/** The orders a registry can list skills in. */
export type SkillSort = "recommended" | "adoption" | "success" | "low_risk" | "recent";

/** One page of a registry's list. */
export interface SkillListPage {
  readonly skills: readonly SkillSummary[];
  /** The cursor of the next page; undefined on the last page. */
  readonly nextCursor?: string;
  /** The total number of matching skills, if the registry provides it. */
  readonly total?: number;
  /** The number of skills for each value of each filter, if the registry provides it. */
  readonly facets?: SkillFacets;
  /** Filters that the registry ignored, so they were applied locally. */
  readonly ignoredFilters: readonly SkillFilterName[];
  /** True if the registry ignored the search text, so that it was applied locally. */
  readonly ignoredText?: boolean;
  /** True if several requests were joined, so that no registry ordered the rows. */
  readonly isJoined?: boolean;
  /** True if the registry ignored the order, so that rows are sorted locally; set for first pages only. */
  readonly ignoredSort?: boolean;
  /** True if the registry filled the page to its limit and returned no cursor for the next. */
  readonly isCutOff?: boolean;
}

/** Filter name → values with the number of skills for each. */
export type SkillFacets = Partial<
  Readonly<Record<SkillFilterName, readonly { readonly value: string; readonly count: number }[]>>
>;
