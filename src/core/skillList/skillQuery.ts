import type { SkillSummary } from "../skill/skill";

/** What the Skills view asks a registry for. An empty text or list means no restriction. */
export interface SkillQuery {
  readonly text: string;
  readonly filters: SkillFilters;
  readonly sort?: SkillSort;
}

/** The filters of a registry's list, in the order they are shown. Of `publisher` the values are names or slugs. */
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
 * What a list is filtered by; each filter holds the values of which one must match, `tags` those which all
 * must match. No registry filters by publisher: that one is applied here.
 */
export type SkillFilters = { readonly [name in SkillFilterName]?: readonly string[] };

/** The orders a registry can list skills in. */
export type SkillSort = "recommended" | "adoption" | "success" | "low_risk" | "recent";

/** How an order fared: the registry did not follow it, or its rows do not say what it goes by. */
export type SortVerdict = "ignored" | "unchecked";

/** One page of a registry's list. */
export interface SkillListPage {
  readonly skills: readonly SkillSummary[];
  /** Where the next page starts; undefined on the last page. */
  readonly nextCursor?: string;
  /** How many skills match in all, where the registry says. */
  readonly total?: number;
  /** How many skills stand behind each value of each filter, where the registry says. */
  readonly facets?: SkillFacets;
  /** Filters the registry ignored, so that they were applied here. */
  readonly ignoredFilters: readonly SkillFilterName[];
  /** True where the registry ignored the search text, so that it was applied here. */
  readonly ignoredText?: boolean;
  /** True where several requests were joined, whose rows no registry put in order. */
  readonly isJoined?: boolean;
  /** Undefined where the rows stand in the order that was asked for; set for first pages alone. */
  readonly sorting?: SortVerdict;
  /** True where the registry filled the page to its limit and named no way to the next. */
  readonly isCutOff?: boolean;
}

/** Filter name → values with the number of skills behind each. */
export type SkillFacets = Partial<
  Readonly<Record<SkillFilterName, readonly { readonly value: string; readonly count: number }[]>>
>;
