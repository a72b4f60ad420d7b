import { optional } from "../../core/json/jsonValue";
import type { Result } from "../../core/registry/registryFailure";
import { withStatedLevel } from "../../core/skill/permissions";
import { publishersBySkill } from "../../core/skill/publisherText";
import type { Publisher, SkillSummary } from "../../core/skill/skill";
import {
  ignoredFilters,
  looksUnsearched,
  matchesText,
  skillMatches,
} from "../../core/skillList/skillFilters";
import { isSortIgnored, sortLocally } from "../../core/skillList/skillOrder";
import {
  type SkillFacets,
  type SkillFilterName,
  type SkillListPage,
  type SkillQuery,
  type SkillSort,
  skillFilterNames,
} from "../../core/skillList/skillQuery";
import { maxRows, readListPage, readPublishers, type WirePage } from "../decode/readSkillRows";
import { orAbort } from "../wait";
import { isAnswer, type PublicReader } from "./publicReader";
import {
  type ListCursor,
  pageSize,
  type QuerySplit,
  readListCursor,
  searchRoute,
  splitQuery,
  writeListCursor,
} from "./searchRequests";

/** Short, so that a list does not wait for publishers. */
const publisherSeconds = 2;

/** The maximum number of concurrent requests for the parts of a query. */
const maxAtOnce = 4;

interface SearchSources {
  readonly reader: PublicReader;
  readonly publishers: PublisherList;
  /** Whether prices and numbers are invented. */
  readonly isSample: boolean;
}

/** A part of a query, its cursor, and the loaded page. */
interface AnsweredPart {
  readonly index: number;
  readonly part: SkillQuery;
  readonly cursor: string | undefined;
  readonly page: WirePage;
}

/**
 * Loads a page of the list: the next page of each part of the query, merged. Filters again locally if the rows have the
 * data. Fails if any part fails.
 */
export async function searchSkills(
  sources: SearchSources,
  query: SkillQuery,
  cursor: string | undefined,
  signal: AbortSignal,
): Promise<Result<SkillListPage>> {
  const start = cursor === undefined ? undefined : readListCursor(cursor);
  const { reader } = sources;
  let split = splitQuery(query, start?.isRefused);
  let answered = await readParts(reader, split, start, signal);
  if (start === undefined && split.parts.length > 1 && isRefusal(answered)) {
    split = splitQuery(query, true);
    answered = await readParts(reader, split, undefined, signal);
  }
  if (!answered.ok) return answered;
  const isTextIgnored = start?.isTextIgnored ?? (await ignoresText(reader, answered.value, signal));
  const pages = answered.value.map(({ page }) => page);
  const joined = joinPages(pages, query.sort, split.splitBy);
  const { skills } = joined;
  const publishers = skills.every((skill) => skill.publisher !== undefined)
    ? undefined
    : await sources.publishers.get(signal, publisherSeconds);
  const named = { ...joined, skills: skills.map(withPublisher(publishers, sources.isSample)) };
  return { ok: true, value: pageOf(named, query, split, answered.value, isTextIgnored) };
}

async function readParts(
  reader: PublicReader,
  { parts }: QuerySplit,
  start: ListCursor | undefined,
  signal: AbortSignal,
): Promise<Result<readonly AnsweredPart[]>> {
  const requests = parts.flatMap((part, index) => {
    const cursor = start?.cursors[index];
    return cursor === null ? [] : [{ index, part, cursor }];
  });
  const answered: AnsweredPart[] = [];
  for (let next = 0; next < requests.length; next += maxAtOnce) {
    const batch = requests.slice(next, next + maxAtOnce);
    const pages = await Promise.all(
      batch.map(({ part, cursor }) => readPage(reader, part, cursor, signal)),
    );
    for (const [index, page] of pages.entries()) {
      const request = batch[index];
      if (!page.ok) return page;
      if (request !== undefined) answered.push({ ...request, page: page.value });
    }
  }
  return { ok: true, value: answered };
}

async function readPage(
  reader: PublicReader,
  query: SkillQuery,
  cursor: string | undefined,
  signal: AbortSignal,
): Promise<Result<WirePage>> {
  const answer = await reader.read(searchRoute(query, cursor), signal);
  return answer.ok ? readListPage(answer.value) : answer;
}

/**
 * Returns whether the registry rejected the request, possibly because of a filter value. Then the caller repeats it
 * without the filters that have several values, and applies these filters locally.
 */
function isRefusal(answered: Result<unknown>): boolean {
  if (answered.ok || answered.failure.kind !== "errorAnswer") return false;
  return answered.failure.status === 400 || answered.failure.status === 422;
}

/**
 * Detects whether the registry ignores the search text. If the part with the most skills seems unfiltered, requests it
 * again without the text and compares the results.
 */
async function ignoresText(
  reader: PublicReader,
  answered: readonly AnsweredPart[],
  signal: AbortSignal,
): Promise<boolean> {
  const [longest] = answered.toSorted(
    (one, other) => other.page.skills.length - one.page.skills.length,
  );
  if (longest === undefined) return false;
  const { part, page } = longest;
  if (!looksUnsearched(page.skills, part.text)) return false;
  const all = await readPage(reader, { ...part, text: "" }, undefined, signal);
  const slugs = ({ skills }: WirePage) => skills.map(({ slug }) => slug).join("\n");
  return all.ok && slugs(all.value) === slugs(page);
}

/** Drops totals and counts if the registry did not filter as requested: they would mislead. */
function pageOf(
  joined: Pick<WirePage, "skills" | "total" | "facets">,
  query: SkillQuery,
  { parts, leftOut }: QuerySplit,
  answered: readonly AnsweredPart[],
  isTextIgnored: boolean,
): SkillListPage {
  const ignored = new Set([
    ...leftOut,
    ...answered.flatMap(({ part, page }) => ignoredFilters(page.skills, part.filters)),
    ...ignoredFilters(joined.skills, query.filters),
  ]);
  if ((query.filters.publisher?.length ?? 0) > 0) ignored.add("publisher");
  const isFilteredAsRequested = ignored.size === 0 && !isTextIgnored;
  const cursors = parts.map((_, index) => {
    const response = answered.find((candidate) => candidate.index === index);
    const next = response?.page.nextCursor;
    return next === undefined || next === response?.cursor ? null : next;
  });
  const isRefused = parts.length === 1 && leftOut.length > 0;
  const starts = answered.filter(({ cursor }) => cursor === undefined).map(({ page }) => page);
  const ignoredSort = starts.some(({ skills }) =>
    isSortIgnored(skills.map(withStatedLevel), query.sort),
  );
  const passes = (skill: SkillSummary) =>
    skillMatches(skill, query.filters) && (!isTextIgnored || matchesText(skill, query.text));
  return {
    skills: joined.skills.filter(passes),
    ignoredFilters: skillFilterNames.filter((name) => ignored.has(name)),
    ...optional("ignoredText", isTextIgnored ? true : undefined),
    ...optional("nextCursor", writeListCursor({ cursors, isRefused, isTextIgnored })),
    ...optional("total", isFilteredAsRequested ? joined.total : undefined),
    ...optional("facets", isFilteredAsRequested ? joined.facets : undefined),
    ...optional("isJoined", parts.length > 1 ? true : undefined),
    ...optional("ignoredSort", ignoredSort || undefined),
    ...optional("isCutOff", starts.some(isCutOff) ? true : undefined),
  };
}

/**
 * Returns whether a registry without pages has more rows: its page is exactly full, or its total is larger. A registry
 * that returns more rows than requested returns all of them.
 */
function isCutOff({ returnedRows, nextCursor, total }: WirePage): boolean {
  if (nextCursor !== undefined) return false;
  if (returnedRows > maxRows) return true;
  return total === undefined ? returnedRows === pageSize : returnedRows < total;
}

function withPublisher(
  publishers: ReadonlyMap<string, Publisher> | undefined,
  isSample: boolean,
): (skill: SkillSummary) => SkillSummary {
  return (skill) => ({
    ...skill,
    ...optional("publisher", skill.publisher ?? publishers?.get(skill.slug)),
    ...(isSample && { isSample }),
  });
}

/** The merged data of all parts of a query. */
type JoinedPage = Pick<WirePage, "skills" | "total" | "facets">;

/**
 * Merges the results of all parts without duplicates: in the requested order if the rows have the value to sort by,
 * else alternating between the parts. Totals are added unless the parts overlap.
 */
function joinPages(
  pages: readonly WirePage[],
  sort: SkillSort | undefined,
  split: readonly SkillFilterName[],
): JoinedPage {
  const [first] = pages;
  if (first !== undefined && pages.length === 1) return first;
  const skills = interleaved(pages.map((page) => page.skills));
  const rows = pages.reduce((sum, page) => sum + page.skills.length, 0);
  const totals = pages.flatMap(({ total }) => total ?? []);
  const isWhole = totals.length === pages.length && skills.length === rows;
  return {
    skills: sort === undefined ? skills : sortLocally(skills, sort),
    ...optional("total", isWhole ? totals.reduce((sum, total) => sum + total, 0) : undefined),
    ...optional("facets", isWhole ? joinFacets(pages, split) : undefined),
  };
}

function interleaved(lists: readonly (readonly SkillSummary[])[]): readonly SkillSummary[] {
  const bySlug = new Map<string, SkillSummary>();
  const longest = Math.max(...lists.map(({ length }) => length));
  for (let rank = 0; rank < longest; rank += 1) {
    for (const { [rank]: skill } of lists) {
      if (skill !== undefined && !bySlug.has(skill.slug)) bySlug.set(skill.slug, skill);
    }
  }
  return [...bySlug.values()];
}

/**
 * Adds up the facets of all parts. For a filter that the query was split by, each part may contain the counts of all
 * values, so their maximum is used.
 */
function joinFacets(
  pages: readonly WirePage[],
  split: readonly SkillFilterName[],
): SkillFacets | undefined {
  const facets: { [name in SkillFilterName]?: { value: string; count: number }[] } = {};
  for (const name of skillFilterNames) {
    const counts = new Map<string, number>();
    for (const { value, count } of pages.flatMap((page) => page.facets?.[name] ?? [])) {
      const known = counts.get(value) ?? 0;
      counts.set(value, split.includes(name) ? Math.max(known, count) : known + count);
    }
    if (counts.size > 0) facets[name] = [...counts].map(([value, count]) => ({ value, count }));
  }
  return Object.keys(facets).length === 0 ? undefined : facets;
}

const lifetimeMs = 5 * 60_000;
const failureLifetimeMs = 30_000;

/** Without `limit`, a registry returns about twenty. */
const publishersRoute = "/v1/publishers?limit=100";

/**
 * Caches the registry's publishers for five minutes, or a failure for half a minute. Concurrent callers share one
 * request.
 */
export class PublisherList {
  readonly #reader: PublicReader;
  readonly #stop = new AbortController();
  #request: Promise<ReadonlyMap<string, Publisher> | undefined> | undefined;
  #expiresAt = 0;

  constructor(reader: PublicReader) {
    this.#reader = reader;
  }

  /**
   * Returns the publishers by the skills that they list; empty if the registry has none. Undefined if the request
   * failed, took longer than `seconds` (default: the request timeout), or the signal fired.
   */
  async get(
    signal: AbortSignal,
    seconds?: number,
  ): Promise<ReadonlyMap<string, Publisher> | undefined> {
    if (this.#request === undefined || performance.now() > this.#expiresAt)
      this.#request = this.#load();
    const request = this.#request;
    const timeout = seconds === undefined ? [] : [AbortSignal.timeout(seconds * 1000)];
    return orAbort(request, AbortSignal.any([signal, ...timeout]));
  }

  /** Empties the cache, so that the next caller sends a request. */
  forget(): void {
    this.#request = undefined;
  }

  /** Aborts a running request. */
  close(): void {
    this.#stop.abort();
  }

  /** Has no caller's signal, because several callers share the request. */
  async #load(): Promise<ReadonlyMap<string, Publisher> | undefined> {
    this.#expiresAt = Number.POSITIVE_INFINITY;
    const answer = await this.#reader.read(publishersRoute, this.#stop.signal);
    const none = answer.ok || isAnswer(answer.failure) ? [] : undefined;
    const list = (answer.ok ? readPublishers(answer.value) : undefined) ?? none;
    const publishers = list && publishersBySkill(list);
    const lifetime = publishers === undefined ? failureLifetimeMs : lifetimeMs;
    this.#expiresAt = performance.now() + lifetime;
    return publishers;
  }
}
