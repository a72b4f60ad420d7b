import {
  type SkillFilterName,
  type SkillFilters,
  type SkillQuery,
  skillFilterNames,
} from "../../core/skillList/skillQuery";

/** A registry returns at most this many rows, and the public gateway has no further pages. */
export const pageSize = 100;

/** Every spelling of each filter: the gateway's own and the specification's. None filters by publisher. */
const parameterNames: Readonly<Record<SkillFilterName, readonly string[]>> = {
  task: ["category", "task"],
  runtime: ["runtimeType", "runtime"],
  verification: ["verificationStatus", "verification"],
  permissionProfile: ["permissionLevel", "permissionProfile"],
  billingModel: ["billingModel"],
  publisher: [],
  tags: ["tags"],
};

/**
 * Writes the route of a search. Tags are a comma-separated list of which all must match; of other filters the
 * first value counts.
 */
export function searchRoute(query: SkillQuery, cursor?: string): string {
  const parameters = new URLSearchParams();
  if (query.text.trim() !== "") parameters.set("q", query.text.trim());
  for (const name of skillFilterNames) {
    const values = query.filters[name] ?? [];
    const value = name === "tags" ? values.join(",") : values[0];
    if (value === undefined || value === "") continue;
    for (const parameter of parameterNames[name]) parameters.set(parameter, value);
  }
  if (query.sort !== undefined) parameters.set("sort", query.sort);
  parameters.set("limit", String(pageSize));
  if (cursor !== undefined) parameters.set("cursor", cursor);
  return `/v1/skills/search?${parameters}`;
}

/** A query split into the requests that together answer it. */
export interface QuerySplit {
  /** Queries with one value for each filter, 1 to 16. */
  readonly parts: readonly SkillQuery[];
  /** Filters whose values differ between the parts. */
  readonly splitBy: readonly SkillFilterName[];
  /** Filters that no request contains, so that they are applied locally. */
  readonly leftOut: readonly SkillFilterName[];
}

/** Upper limit of requests for one page of a list: registries limit the rate of requests. */
const maxParts = 16;

/**
 * Splits a query into one request for each value: the public gateway supports no comma-separated list. The
 * values of several filters multiply; beyond 16 requests, the filters with the most values are left out.
 * `isRefused` leaves out all that have several values.
 */
export function splitQuery(query: SkillQuery, isRefused = false): QuerySplit {
  const leftOut: SkillFilterName[] = [];
  const splitBy: SkillFilterName[] = [];
  let parts: readonly SkillFilters[] = [query.filters];
  for (const [name, values] of severalValues(query.filters)) {
    const isLeftOut = isRefused || parts.length * values.length > maxParts;
    (isLeftOut ? leftOut : splitBy).push(name);
    const asked = isLeftOut ? [[]] : values.map((value) => [value]);
    parts = parts.flatMap((filters) => asked.map((value) => ({ ...filters, [name]: value })));
  }
  return { parts: parts.map((filters) => ({ ...query, filters })), splitBy, leftOut };
}

/** All tags must match, which registries read from a list; publishers are never requested. */
function severalValues(
  filters: SkillFilters,
): readonly (readonly [SkillFilterName, readonly string[]])[] {
  return skillFilterNames
    .filter((name) => name !== "tags" && name !== "publisher")
    .map((name) => [name, [...new Set(filters[name] ?? [])]] as const)
    .filter(([, values]) => values.length > 1)
    .sort(([, one], [, other]) => one.length - other.length);
}

/** The start of the next page of a list. */
export interface ListCursor {
  /** The registry's cursor for each part of the query, in their order; null for a part that has ended. */
  readonly cursors: readonly (string | null)[];
  /** The registry rejected several values of a filter one by one, so that they are applied locally. */
  readonly isRefused: boolean;
  /** The registry ignored the search text, so that it is applied locally. */
  readonly isTextIgnored: boolean;
}

/** Writes a cursor as opaque text for callers. Undefined where every part has ended. */
export function writeListCursor({
  cursors,
  isRefused,
  isTextIgnored,
}: ListCursor): string | undefined {
  if (cursors.every((cursor) => cursor === null)) return undefined;
  return `${isRefused ? "r" : "-"}${isTextIgnored ? "t" : "-"}${JSON.stringify(cursors)}`;
}

/** Reads it again. Undefined for anything `writeListCursor` did not write. */
export function readListCursor(written: string): ListCursor | undefined {
  try {
    const cursors = JSON.parse(written.slice(2)) as (string | null)[];
    return { cursors, isRefused: written.startsWith("r"), isTextIgnored: written[1] === "t" };
  } catch {
    return undefined;
  }
}
