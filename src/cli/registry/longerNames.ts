import { loadPages, startList } from "../../core/skillList/skillList";
import type { RegistryClient } from "../../registry/registryClient";

/** Names with the same beginning that are each looked up at the registry before its list is read. */
const maxLookedUp = 20;

/**
 * Finds out which names of files cannot be a skill's slug: of thousands of files such as `acme.case-1`,
 * `acme.case-2`, each would be looked up, though all that follows the slug `acme` are labels. The few first ones are;
 * of further ones the registry's list says it, where it is complete and has `acme`. Resolves to true where the
 * registry has no skill of the name, to false where only a request shows that.
 */
export function unlistedNames(
  client: Pick<RegistryClient, "search">,
): (name: string, signal: AbortSignal) => Promise<boolean> {
  const asked = new Map<string, Set<string>>();
  const lists = new Map<string, ReturnType<typeof slugsWith>>();
  return async (name, signal) => {
    const dot = name.indexOf(".");
    if (dot < 0) return false;
    const beginning = name.slice(0, dot);
    const names = asked.get(beginning) ?? new Set();
    asked.set(beginning, names);
    if (names.size < maxLookedUp) names.add(name);
    if (names.has(name)) return false;
    const list = lists.get(beginning) ?? slugsWith(client, beginning, signal);
    lists.set(beginning, list);
    const slugs = await list;
    return slugs?.has(beginning) === true && !slugs.has(name);
  };
}

/** The slugs of all skills that a search for a text lists; undefined where that is not known to be all. */
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
