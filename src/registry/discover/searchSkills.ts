import { publisherOf } from "../../core/mergeSkill";
import type { Result } from "../../core/registryFailure";
import type { Publisher, SkillSummary } from "../../core/skill";
import { ignoredFilters, skillMatches } from "../../core/skillMatches";
import {
  type SkillFilterName,
  type SkillPage,
  type SkillQuery,
  skillFilterNames,
} from "../../core/skillQuery";
import { given } from "../decode/field";
import { readSkillPage, type WirePage } from "../decode/readSkillPage";
import { readPageStart, writePageStart } from "./pageStart";
import type { PublicReader } from "./publicReader";
import type { PublisherList } from "./publisherList";
import { searchRoute } from "./searchRoute";

/** A list must not wait long for the names beside its rows. */
const publisherSeconds = 2;

/** Where search gets its answers from. */
export interface SearchSources {
  readonly reader: PublicReader;
  readonly publishers: PublisherList;
}

/**
 * Gets a page of the list, filtered here once more where the rows say enough.
 *
 * Several values of one filter go out as a comma list. A registry that does not know such lists may
 * ignore the filter (and is told on), or find nothing, or refuse: then the page is asked for without
 * that filter, and so are the pages that follow.
 */
export async function searchSkills(
  sources: SearchSources,
  query: SkillQuery,
  cursor: string | undefined,
  signal: AbortSignal,
): Promise<Result<SkillPage>> {
  const start = readPageStart(cursor);
  const lists = start.withoutLists ? filtersWithLists(query) : [];
  const asked = await readPage(sources.reader, query, start.cursor, lists, signal);
  const retried = cursor === undefined ? filtersWithLists(query) : [];
  const again =
    retried.length > 0 && wasNotUnderstood(asked)
      ? await readPage(sources.reader, query, undefined, retried, signal)
      : undefined;
  const got = again?.ok ? again : asked;
  if (!got.ok) return got;
  const page = filtered(got.value, query, again?.ok ? retried : lists, start.cursor);
  const publishers = page.skills.every((skill) => skill.publisher !== undefined)
    ? undefined
    : await sources.publishers.get(signal, publisherSeconds);
  return { ok: true, value: { ...page, skills: page.skills.map(withPublisher(publishers ?? [])) } };
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

function filtersWithLists(query: SkillQuery): readonly SkillFilterName[] {
  return skillFilterNames.filter((name) => (query.filters[name]?.length ?? 0) > 1);
}

function wasNotUnderstood(page: Result<WirePage>): boolean {
  if (page.ok) return page.value.skills.length === 0;
  const { failure } = page;
  return failure.kind === "errorAnswer" && (failure.status === 400 || failure.status === 422);
}

/** Totals and counts of a list that was not filtered as asked would mislead, so they are dropped. */
function filtered(
  page: WirePage,
  query: SkillQuery,
  without: readonly SkillFilterName[],
  cursor: string | undefined,
): SkillPage {
  const ignored = new Set([...without, ...ignoredFilters(page.skills, query.filters)]);
  const isAsAsked = ignored.size === 0;
  const next = page.nextCursor === cursor ? undefined : page.nextCursor;
  return {
    skills: page.skills.filter((skill) => skillMatches(skill, query.filters)),
    ignoredFilters: skillFilterNames.filter((name) => ignored.has(name)),
    ...given("nextCursor", next && writePageStart(next, without.length > 0)),
    ...given("total", isAsAsked ? page.total : undefined),
    ...given("facets", isAsAsked ? page.facets : undefined),
  };
}

function withPublisher(publishers: readonly Publisher[]): (skill: SkillSummary) => SkillSummary {
  return (skill) => ({
    ...skill,
    ...given("publisher", skill.publisher ?? publisherOf(skill.slug, publishers)),
  });
}
