import type { SkillPage } from "./skillQuery";

/**
 * The pages of a registry's list loaded so far, as one list without duplicates. It names no next page
 * where the registry leads in a circle.
 */
export interface SkillList extends Omit<SkillPage, "isCutOff"> {
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
    ...(page.isJoined === true ? { isJoined: true } : {}),
    ...(sorting === undefined ? {} : { sorting }),
    ...(brokenEnd === undefined ? {} : { brokenEnd }),
  };
}
