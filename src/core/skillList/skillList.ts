import type { RegistryFailure, Result } from "../registry/registryFailure";
import { setNewest } from "../text/setNewest";
import type { SkillListPage } from "./skillQuery";

/**
 * The loaded pages of a registry's list, as one list without duplicates. There is no next page if the registry's
 * cursors form a cycle.
 */
export interface SkillList extends Omit<SkillListPage, "isCutOff"> {
  /**
   * Why the list ends early: the registry names no further page though it has more, or its cursors form a cycle.
   * Undefined for a list that continues or is complete.
   */
  readonly brokenEnd?: "cutOff" | "circle";
  /** Every followed cursor, so that none is followed twice. */
  readonly followedCursors: readonly string[];
}

/** Starts a list with its first page. */
export function startList(page: SkillListPage): SkillList {
  return extendList({ skills: [], ignoredFilters: [], followedCursors: [] }, page);
}

/** Adds the page that `list.nextCursor` led to. Omits skills that are in the list already. */
export function extendList(list: SkillList, page: SkillListPage): SkillList {
  const known = new Set(list.skills.map((skill) => skill.slug));
  const fresh = page.skills.filter((skill) => !known.has(skill.slug) && known.add(skill.slug));
  const { nextCursor: followed, ...rest } = list;
  const followedCursors =
    followed === undefined ? list.followedCursors : [...list.followedCursors, followed];
  const circular = page.nextCursor !== undefined && followedCursors.includes(page.nextCursor);
  const facets = page.facets ?? list.facets;
  const total = page.total ?? list.total;
  const ignoredSort = list.ignoredSort ?? page.ignoredSort;
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
    ...(ignoredSort === undefined ? {} : { ignoredSort }),
    ...(brokenEnd === undefined ? {} : { brokenEnd }),
  };
}

/** Loads the page of a registry's list that starts at a cursor. */
type LoadPage = (cursor: string) => Promise<Result<SkillListPage>>;

/** A list with the added pages, and the failure that ended loading, if any. */
interface LoadedPages {
  readonly list: SkillList;
  readonly failure?: RegistryFailure;
}

/** The maximum number of pages that one user action follows, however small a registry's pages are. */
export const maxPagesAtOnce = 10;

/** The maximum for a joined list. Each of its pages needs up to sixteen requests, one for each value of the filters. */
const maxJoinedPages = 3;

/**
 * Follows pages until `wanted` more skills are loaded. Stops earlier if the list ends, a page fails, the signal fires,
 * or ten pages were read (three of a joined list).
 */
export async function loadPages(
  list: SkillList,
  wanted: number,
  loadPage: LoadPage,
  signal: AbortSignal,
): Promise<LoadedPages> {
  const maxPages = list.isJoined === true ? maxJoinedPages : maxPagesAtOnce;
  const goal = list.skills.length + wanted;
  let loaded = list;
  for (let pages = 0; pages < maxPages && loaded.skills.length < goal; pages += 1) {
    if (loaded.nextCursor === undefined || signal.aborted) break;
    const page = await loadPage(loaded.nextCursor);
    if (!page.ok) return { list: loaded, failure: page.failure };
    loaded = extendList(loaded, page.value);
  }
  return { list: loaded };
}

/**
 * Returns how many skills “Load more” adds: as many as are loaded, so that a long list needs few clicks. At most as
 * many as stay visible, since `topRows` folds the rows above.
 */
export function loadMoreCount({ skills }: SkillList): number {
  return Math.max(1, Math.min(skills.length, 500));
}

/** The start of a list, and when it was loaded (milliseconds since 1970). */
interface DatedList {
  readonly list: SkillList;
  readonly loadedAt: number;
}

/** The maximum number of skills of a cached list, to limit memory. */
const maxSkills = 1000;
const maxLists = 5;

/**
 * Caches the lists that were loaded last, each by its query, so that they stay visible when a registry fails. Drops the
 * oldest first.
 */
export class LastLists {
  readonly #lists = new Map<string, DatedList>();

  keep(query: string, dated: DatedList): void {
    if (dated.list.skills.length > maxSkills) this.#lists.delete(query);
    else setNewest(this.#lists, query, dated, maxLists);
  }

  find(query: string): DatedList | undefined {
    return this.#lists.get(query);
  }
}
