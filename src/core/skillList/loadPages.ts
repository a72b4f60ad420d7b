import type { RegistryFailure, Result } from "../registry/registryFailure";
import { extendList, type SkillList } from "./skillList";
import type { SkillPage } from "./skillQuery";

/** Asks a registry for the page that starts at a cursor. */
export type AskForPage = (cursor: string) => Promise<Result<SkillPage>>;

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
