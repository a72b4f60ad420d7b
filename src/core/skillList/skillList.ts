import type { RegistryFailure, Result } from "../registry/registryFailure";
import type { SkillListPage } from "./skillQuery";

/**
 * The pages of a registry's list loaded so far, as one list without duplicates. It names no next page
 * where the registry leads in a circle.
 */
export interface SkillList extends Omit<SkillListPage, "isCutOff"> {
  /**
   * Why the list ends before all is listed: the registry names no further page though it has more,
   * or its pages lead in a circle. Undefined for a list that goes on or is complete.
   */
  readonly brokenEnd?: "cutOff" | "circle";
  /** Every cursor followed, so that none is followed twice. */
  readonly followedCursors: readonly string[];
}

/** Starts a list with its first page. */
export function startList(page: SkillListPage): SkillList {
  return extendList({ skills: [], ignoredFilters: [], followedCursors: [] }, page);
}

/** Adds the page that `list.nextCursor` led to. Skills that are there already are left out. */
export function extendList(list: SkillList, page: SkillListPage): SkillList {
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

/** Asks a registry for the page that starts at a cursor. */
export type AskForPage = (cursor: string) => Promise<Result<SkillListPage>>;

/** A list with the pages that were added, and why no more were, where one failed. */
export interface LoadedPages {
  readonly list: SkillList;
  readonly failure?: RegistryFailure;
}

/** Pages followed by one act of the user's, whatever a registry's pages hold. */
export const maxPagesAtOnce = 10;

/** A page of a joined list takes a request for each of up to sixteen values. */
const maxJoinedPages = 3;

/**
 * Follows pages until there are `wanted` skills more, the list ends, a page fails, ten pages are
 * read (three of a joined list) or the signal fires.
 */
export async function loadPages(
  list: SkillList,
  wanted: number,
  ask: AskForPage,
  signal: AbortSignal,
): Promise<LoadedPages> {
  const maxPages = list.isJoined === true ? maxJoinedPages : maxPagesAtOnce;
  const goal = list.skills.length + wanted;
  let loaded = list;
  for (let pages = 0; pages < maxPages && loaded.skills.length < goal; pages += 1) {
    if (loaded.nextCursor === undefined || signal.aborted) break;
    const page = await ask(loaded.nextCursor);
    if (!page.ok) return { list: loaded, failure: page.failure };
    loaded = extendList(loaded, page.value);
  }
  return { list: loaded };
}

/**
 * Picks how many skills “Load more” adds: as many as there are, so that long lists take few steps,
 * and no more than stay in sight (`topRows` folds what is above).
 */
export function moreWanted({ skills }: SkillList): number {
  return Math.max(1, Math.min(skills.length, 500));
}

/** The start of a list, and when it was loaded (milliseconds since 1970). */
export interface DatedList {
  readonly list: SkillList;
  readonly loadedAt: number;
}

/** Longer lists are not kept: memory grows with what is shown. */
const maxSkills = 1000;

/**
 * Keeps the lists that were loaded last, each by what it answers, so that a registry that fails
 * leaves them in sight. The oldest goes first.
 */
export class LastLists {
  readonly #lists = new Map<string, DatedList>();
  readonly #maxLists: number;

  constructor(maxLists = 5) {
    this.#maxLists = maxLists;
  }

  keep(question: string, dated: DatedList): void {
    this.#lists.delete(question);
    if (dated.list.skills.length > maxSkills) return;
    this.#lists.set(question, dated);
    const [oldest] = this.#lists.keys();
    if (this.#lists.size > this.#maxLists && oldest !== undefined) this.#lists.delete(oldest);
  }

  find(question: string): DatedList | undefined {
    return this.#lists.get(question);
  }
}
