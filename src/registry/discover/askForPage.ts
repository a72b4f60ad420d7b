import type { Result } from "../../core/registry/registryFailure";
import { looksUnsearched } from "../../core/skillList/filter/searchText";
import {
  type SkillFilterName,
  type SkillQuery,
  skillFilterNames,
} from "../../core/skillList/skillQuery";
import { readSkillPage, type WirePage } from "../decode/readSkillPage";
import type { IgnoredParts, PageStart } from "./pageStart";
import type { PublicReader } from "./publicReader";
import { searchRoute } from "./searchRoute";

/** A page as the registry gave it, and what of the query it did not understand. */
export interface AskedPage {
  readonly page: Result<WirePage>;
  readonly ignored: IgnoredParts;
}

/**
 * Asks for a page, and with a first page finds out what the registry does not understand.
 *
 * Several values of one filter go out as a comma list. A registry that does not know such lists may
 * ignore the filter (and is told on later), or find nothing, or refuse: then the page is asked for
 * without that filter. Where an answer looks as if the search text was ignored, the list is asked
 * for without it, and is the same where it was.
 */
export async function askForPage(
  reader: PublicReader,
  query: SkillQuery,
  { cursor, ignored }: PageStart,
  signal: AbortSignal,
): Promise<AskedPage> {
  const lists = filtersWithLists(query);
  const page = await readPage(reader, query, cursor, ignored.lists ? lists : [], signal);
  if (cursor !== undefined) return { page, ignored };
  const again =
    lists.length > 0 && wasNotUnderstood(page)
      ? await readPage(reader, query, undefined, lists, signal)
      : undefined;
  const left = again?.ok ? lists : [];
  const got = again?.ok ? again : page;
  const text = got.ok && (await isTextIgnored(reader, got.value, query, left, signal));
  return { page: got, ignored: { lists: left.length > 0, text } };
}

async function isTextIgnored(
  reader: PublicReader,
  { skills }: WirePage,
  query: SkillQuery,
  without: readonly SkillFilterName[],
  signal: AbortSignal,
): Promise<boolean> {
  if (!looksUnsearched(skills, query.text)) return false;
  const all = await readPage(reader, { ...query, text: "" }, undefined, without, signal);
  const slugs = (page: Pick<WirePage, "skills">) => page.skills.map(({ slug }) => slug).join("\n");
  return all.ok && slugs(all.value) === slugs({ skills });
}

async function readPage(
  reader: PublicReader,
  query: SkillQuery,
  cursor: string | undefined,
  without: readonly SkillFilterName[],
  signal: AbortSignal,
): Promise<Result<WirePage>> {
  const answer = await reader.read(searchRoute(query, cursor, without), signal);
  return answer.ok ? readSkillPage(answer.value, "/v1/skills/search") : answer;
}

/** Lists the filters that go out as a comma list. */
export function filtersWithLists(query: SkillQuery): readonly SkillFilterName[] {
  // All tags must match, which every registry reads from a list; publishers are not asked for.
  return skillFilterNames.filter(
    (name) => name !== "tags" && name !== "publisher" && (query.filters[name]?.length ?? 0) > 1,
  );
}

function wasNotUnderstood(page: Result<WirePage>): boolean {
  if (page.ok) return page.value.skills.length === 0;
  const { failure } = page;
  return failure.kind === "errorAnswer" && (failure.status === 400 || failure.status === 422);
}
