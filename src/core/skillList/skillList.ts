import type { SkillSummary } from "../skill/skill";
import type { SkillFacets, SkillFilterName, SkillPage, SortVerdict } from "./skillQuery";

/** The pages of a registry's list loaded so far, as one list without duplicates. */
export interface SkillList {
  readonly skills: readonly SkillSummary[];
  /** Where the next page starts; undefined where there is none, or the registry leads in a circle. */
  readonly nextCursor?: string;
  readonly total?: number;
  readonly facets?: SkillFacets;
  readonly ignoredFilters: readonly SkillFilterName[];
  /** The registry ignored the search text, so that it was applied here. */
  readonly ignoredText?: boolean;
  /** Undefined where the registry followed the order it was asked for, as far as its first page tells. */
  readonly sorting?: SortVerdict;
  /**
   * Why the list ends before all is listed: the registry names no further page though it has more,
   * or its pages lead in a circle. Undefined for a list that goes on or is complete.
   */
  readonly brokenEnd?: "cutOff" | "circle";
  /** Every cursor followed, so that none is followed twice. */
  readonly followedCursors: readonly string[];
}

/** Starts a list with its first page. */
export function startList(page: SkillPage): SkillList {
  return extendList({ skills: [], ignoredFilters: [], followedCursors: [] }, page);
}

/** Adds the page that `list.nextCursor` led to. Skills that are there already are left out. */
export function extendList(list: SkillList, page: SkillPage): SkillList {
  const known = new Set(list.skills.map((skill) => skill.slug));
  const fresh = page.skills.filter((skill) => !known.has(skill.slug) && known.add(skill.slug));
  const { nextCursor: followed, ...rest } = list;
  const followedCursors =
    followed === undefined ? list.followedCursors : [...list.followedCursors, followed];
  const circular = page.nextCursor !== undefined && followedCursors.includes(page.nextCursor);
  const facets = page.facets ?? list.facets;
  const total = page.total ?? list.total;
  const sorting = list.sorting ?? page.sorting;
  const brokenEnd = circular ? "circle" : page.isCutOff === true ? "cutOff" : undefined;
  const ignored = new Set([...list.ignoredFilters, ...page.ignoredFilters]);
  return {
    ...rest,
    skills: [...list.skills, ...fresh],
    followedCursors,
    ignoredFilters: [...ignored],
    ...(page.nextCursor === undefined || circular ? {} : { nextCursor: page.nextCursor }),
    ...(total === undefined ? {} : { total }),
    ...(facets === undefined ? {} : { facets }),
    ...(page.ignoredText === true ? { ignoredText: true } : {}),
    ...(sorting === undefined ? {} : { sorting }),
    ...(brokenEnd === undefined ? {} : { brokenEnd }),
  };
}
