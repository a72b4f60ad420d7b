import { publisherOf } from "../../core/registry/mergeSkill";
import type { Result } from "../../core/registry/registryFailure";
import type { Publisher, SkillSummary } from "../../core/skill/skill";
import { holdsText } from "../../core/skillList/filter/searchText";
import { ignoredFilters, skillMatches } from "../../core/skillList/filter/skillMatches";
import { checkSort } from "../../core/skillList/order/checkSort";
import { type SkillPage, type SkillQuery, skillFilterNames } from "../../core/skillList/skillQuery";
import { given } from "../decode/field";
import { maxRows, type WirePage } from "../decode/readSkillPage";
import { askForPage, filtersWithLists } from "./askForPage";
import { type IgnoredParts, readPageStart, writePageStart } from "./pageStart";
import type { PublicReader } from "./publicReader";
import type { PublisherList } from "./publisherList";
import { pageSize } from "./searchRoute";

/** A list must not wait long for the names beside its rows. */
const publisherSeconds = 2;

/** Where search gets its answers from. */
export interface SearchSources {
  readonly reader: PublicReader;
  readonly publishers: PublisherList;
}

/** Gets a page of the list, filtered here once more where the rows say enough. */
export async function searchSkills(
  sources: SearchSources,
  query: SkillQuery,
  cursor: string | undefined,
  signal: AbortSignal,
): Promise<Result<SkillPage>> {
  const start = readPageStart(cursor);
  const got = await askForPage(sources.reader, query, start, signal);
  if (!got.page.ok) return got.page;
  const page = got.page.value;
  const { skills } = page;
  const publishers = skills.every((skill) => skill.publisher !== undefined)
    ? undefined
    : await sources.publishers.get(signal, publisherSeconds);
  const named = { ...page, skills: skills.map(withPublisher(publishers ?? [])) };
  return { ok: true, value: filtered(named, query, got.ignored, start.cursor) };
}

/** Totals and counts of a list that was not filtered as asked would mislead, so they are dropped. */
function filtered(
  page: WirePage,
  query: SkillQuery,
  { lists, text }: IgnoredParts,
  cursor: string | undefined,
): SkillPage {
  const ignored = new Set([
    ...(lists ? filtersWithLists(query) : []),
    ...ignoredFilters(page.skills, query.filters),
  ]);
  if ((query.filters.publisher?.length ?? 0) > 0) ignored.add("publisher");
  const isAsAsked = ignored.size === 0 && !text;
  const next = page.nextCursor === cursor ? undefined : page.nextCursor;
  const passes = (skill: SkillSummary) =>
    skillMatches(skill, query.filters) && (!text || holdsText(skill, query.text));
  return {
    skills: page.skills.filter(passes),
    ignoredFilters: skillFilterNames.filter((name) => ignored.has(name)),
    ...given("ignoredText", text ? true : undefined),
    ...given("nextCursor", next && writePageStart(next, { lists, text })),
    ...given("total", isAsAsked ? page.total : undefined),
    ...given("facets", isAsAsked ? page.facets : undefined),
    ...given("sorting", cursor === undefined ? checkSort(page.skills, query.sort) : undefined),
    ...given("isCutOff", cursor === undefined && isCutOff(page) ? true : undefined),
  };
}

/**
 * A registry without pages fills the one it gives exactly, or names a total beyond it. One that gives
 * more rows than were asked for gives all it has.
 */
function isCutOff({ givenRows, nextCursor, total }: WirePage): boolean {
  if (nextCursor !== undefined) return false;
  if (givenRows > maxRows) return true;
  return total === undefined ? givenRows === pageSize : givenRows < total;
}

function withPublisher(publishers: readonly Publisher[]): (skill: SkillSummary) => SkillSummary {
  return (skill) => ({
    ...skill,
    ...given("publisher", skill.publisher ?? publisherOf(skill.slug, publishers)),
  });
}
