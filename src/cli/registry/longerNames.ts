import { loadPages, startList } from "../../core/skillList/skillList";
import type { RegistryClient } from "../../registry/registryClient";

/** After this many look-ups of names with the same beginning, the registry's list is read instead. */
const maxLookedUp = 20;

/**
 * Detects file names that cannot be a skill's slug. Thousands of files such as `acme.case-1` would each need a look-up,
 * although the part after the slug `acme` is only a label. After the first look-ups, the registry's list decides if it
 * is complete and has `acme`. Resolves to true if the registry has no skill of the name, to false if only a request can
 * tell.
 */
export function unlistedNames(
  client: Pick<RegistryClient, "search">,
): (name: string, signal: AbortSignal) => Promise<boolean> {
  const lookedUp = new Map<string, Set<string>>();
  const lists = new Map<string, ReturnType<typeof slugsWith>>();
  return async (name, signal) => {
    const dot = name.indexOf(".");
    if (dot < 0) return false;
    const beginning = name.slice(0, dot);
    const names = lookedUp.get(beginning) ?? new Set();
    lookedUp.set(beginning, names);
    if (names.size < maxLookedUp) names.add(name);
    if (names.has(name)) return false;
    const list = lists.get(beginning) ?? slugsWith(client, beginning, signal);
    lists.set(beginning, list);
    const slugs = await list;
    return slugs?.has(beginning) === true && !slugs.has(name);
  };
}

/** Returns the slugs of all skills that a search finds; undefined if the list may be incomplete. */
async function slugsWith(
  client: Pick<RegistryClient, "search">,
  text: string,
  signal: AbortSignal,
): Promise<ReadonlySet<string> | undefined> {
  const page = (cursor?: string) => client.search({ text, filters: {} }, cursor, signal);
  const first = await page();
  if (!first.ok) return undefined;
  const { list, failure } = await loadPages(startList(first.value), Infinity, page, signal);
  const isWhole = failure === undefined && (list.nextCursor ?? list.brokenEnd) === undefined;
  return isWhole ? new Set(list.skills.map(({ slug }) => slug)) : undefined;
}
