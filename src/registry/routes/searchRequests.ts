import { parsedJson } from "../../core/json/jsonValue";
import {
  type SkillFilterName,
  type SkillFilters,
  type SkillQuery,
  skillFilterNames,
} from "../../core/skillList/skillQuery";

/** A registry returns at most this many rows, and the public gateway has no further pages. */
export const pageSize = 100;

/** Every spelling of each filter: the gateway's and the specification's. The registry cannot filter by publisher. */
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
 * Creates the route of a search. Tags are comma-separated and must all match; of any other filter, only the first value
 * is sent.
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

/** A query split into requests that together cover it. */
export interface QuerySplit {
  /** Queries with one value for each filter, 1 to 16. */
  readonly parts: readonly SkillQuery[];
  /** Filters whose values differ between the parts. */
  readonly splitBy: readonly SkillFilterName[];
  /** Filters that no request contains; they are applied locally. */
  readonly leftOut: readonly SkillFilterName[];
}

/** The maximum number of requests for one page of a list, since registries limit the request rate. */
const maxParts = 16;

/**
 * Splits a query into one request per value, because the public gateway supports no comma-separated lists. The values
 * of several filters multiply. Beyond 16 requests, omits the filters with the most values. If `isRefused`, the registry
 * rejected one of the values: omits every filter with several values.
 */
export function splitQuery(query: SkillQuery, isRefused = false): QuerySplit {
  const leftOut: SkillFilterName[] = [];
  const splitBy: SkillFilterName[] = [];
  let parts: readonly SkillFilters[] = [query.filters];
  for (const [name, values] of severalValues(query.filters)) {
    const isLeftOut = isRefused || parts.length * values.length > maxParts;
    (isLeftOut ? leftOut : splitBy).push(name);
    const alternatives = isLeftOut ? [[]] : values.map((value) => [value]);
    parts = parts.flatMap((filters) =>
      alternatives.map((value) => ({ ...filters, [name]: value })),
    );
  }
  return { parts: parts.map((filters) => ({ ...query, filters })), splitBy, leftOut };
}

/**
 * Returns the filters with several values, fewest values first. Omits tags, which registries accept as a list, and
 * publishers, which are never sent.
 */
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
  /** The registry's cursor for each part of the query, in order; null for a part without further pages. */
  readonly cursors: readonly (string | null)[];
  /** Whether the registry rejected a value of a filter with several values, so these filters are applied locally. */
  readonly isRefused: boolean;
  /** Whether the registry ignored the search text, so that it is applied locally. */
  readonly isTextIgnored: boolean;
}

/** Encodes a cursor as opaque text. Undefined if no part has further pages. */
export function writeListCursor({
  cursors,
  isRefused,
  isTextIgnored,
}: ListCursor): string | undefined {
  if (cursors.every((cursor) => cursor === null)) return undefined;
  return `${isRefused ? "r" : "-"}${isTextIgnored ? "t" : "-"}${JSON.stringify(cursors)}`;
}

/** Decodes a cursor of `writeListCursor`. Undefined for anything else. */
export function readListCursor(written: string): ListCursor | undefined {
  const cursors = parsedJson(written.slice(2)) as (string | null)[] | undefined;
  return (
    cursors && { cursors, isRefused: written.startsWith("r"), isTextIgnored: written[1] === "t" }
  );
}
