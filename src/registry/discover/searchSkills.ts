import { publisherOf } from "../../core/registry/mergeSkill";
import type { Result } from "../../core/registry/registryFailure";
import type { Publisher, SkillSummary } from "../../core/skill/skill";
import { ignoredFilters, skillMatches } from "../../core/skillList/skillMatches";
import {
  type SkillFilterName,
  type SkillPage,
  type SkillQuery,
  skillFilterNames,
} from "../../core/skillList/skillQuery";
import { given } from "../decode/field";
import { readSkillPage, type WirePage } from "../decode/readSkillPage";
import { readPageStart, writePageStart } from "./pageStart";
import type { PublicReader } from "./publicReader";
import type { PublisherList } from "./publisherList";
import { pageSize, searchRoute } from "./searchRoute";

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
  const { skills } = got.value;
  const publishers = skills.every((skill) => skill.publisher !== undefined)
    ? undefined
    : await sources.publishers.get(signal, publisherSeconds);
  const named = { ...got.value, skills: skills.map(withPublisher(publishers ?? [])) };
  return { ok: true, value: filtered(named, query, again?.ok ? retried : lists, start.cursor) };
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

/** Totals and counts of a list that was not filtered as asked would mislead, so they are dropped. */
function filtered(
  page: WirePage,
  query: SkillQuery,
  without: readonly SkillFilterName[],
  cursor: string | undefined,
): SkillPage {
  const ignored = new Set([...without, ...ignoredFilters(page.skills, query.filters)]);
  if ((query.filters.publisher?.length ?? 0) > 0) ignored.add("publisher");
  const isAsAsked = ignored.size === 0;
  const next = page.nextCursor === cursor ? undefined : page.nextCursor;
  return {
    skills: page.skills.filter((skill) => skillMatches(skill, query.filters)),
    ignoredFilters: skillFilterNames.filter((name) => ignored.has(name)),
    ...given("nextCursor", next && writePageStart(next, without.length > 0)),
    ...given("total", isAsAsked ? page.total : undefined),
    ...given("facets", isAsAsked ? page.facets : undefined),
    ...given("isCutOff", cursor === undefined && isCutOff(page) ? true : undefined),
  };
}

/** A registry without pages fills the one it gives, or names a total beyond it. */
function isCutOff({ skills, nextCursor, total }: WirePage): boolean {
  if (nextCursor !== undefined) return false;
  return total === undefined ? skills.length >= pageSize : skills.length < total;
}

function withPublisher(publishers: readonly Publisher[]): (skill: SkillSummary) => SkillSummary {
  return (skill) => ({
    ...skill,
    ...given("publisher", skill.publisher ?? publisherOf(skill.slug, publishers)),
  });
}
