import { type InvocationStatus, invocationStatuses, isOver } from "../outcome";
import type { InvocationFilter } from "./invocationList";
import {
  type CallerKind,
  type InvocationKind,
  type InvocationRecord,
  type InvocationTexts,
  kindOf,
} from "./invocationRecord";
import { textsContain } from "./textsPreview";

/** Conditions on the invocations of the record. A missing one restricts nothing. Newest first. */
export interface RecordQuery {
  /** Only the records with these IDs. */
  readonly ids?: readonly string[];
  /** All records except those with these IDs. */
  readonly without?: readonly string[];
  readonly registry?: string;
  readonly skills?: readonly string[];
  readonly statuses?: readonly InvocationStatus[];
  readonly kinds?: readonly InvocationKind[];
  readonly callers?: readonly CallerKind[];
  readonly projects?: readonly string[];
  readonly profiles?: readonly string[];
  /** In milliseconds since 1970; `until` is not included. */
  readonly since?: number;
  readonly until?: number;
  /** Only those with one of these invocation IDs of the registry. */
  readonly invocationIds?: readonly string[];
  readonly isPinned?: boolean;
  /**
   * Searched in skill, version, registry, status, code, message and invocation ID, and in stored payload and output,
   * ignoring case.
   */
  readonly text?: string;
  /** Only those whose ID or invocation ID starts with this. */
  readonly idStart?: string;
  /** Only those that sort before this ID, the last one of the previous page. */
  readonly before?: string;
  /** The maximum number of records. With a text, the maximum number to search. */
  readonly limit?: number;
}

/** Returns the query for a filter. */
export function queryOf({ text, ...lists }: InvocationFilter): RecordQuery {
  const named = Object.entries(lists).filter(([, values]) => values.length > 0);
  const wanted = text.trim();
  return { ...Object.fromEntries(named), ...(wanted !== "" && { text: wanted }) };
}

/** Restricts a query to records that may be deleted together: none that is pinned or still running. */
export function deletableOf(query: RecordQuery): RecordQuery {
  const { statuses = invocationStatuses } = query;
  const over = statuses.filter((status) => isOver({ status }));
  return { ...query, statuses: over, isPinned: false };
}

/**
 * Returns whether a record matches a query. The store first selects by its columns; this function checks all
 * conditions.
 */
export function matchesQuery(
  record: InvocationRecord,
  query: RecordQuery,
  textsOf: (id: string) => InvocationTexts | undefined,
): boolean {
  const { id, startedAt, skillSlug, status, caller, projectSlug = "", invocationId = "" } = record;
  const { idStart = "", before = "~", since = 0, until = Number.POSITIVE_INFINITY } = query;
  const { registry = record.registry, isPinned = record.pinned === true } = query;
  const listed: readonly (readonly [readonly string[] | undefined, string])[] = [
    [query.ids, id],
    [query.skills, skillSlug],
    [query.statuses, status],
    [query.kinds, kindOf(record)],
    [query.callers, caller.kind],
    [query.projects, projectSlug],
    [query.profiles, record.profile],
    [query.invocationIds, invocationId],
  ];
  return (
    registry === record.registry &&
    isPinned === (record.pinned === true) &&
    query.without?.includes(id) !== true &&
    listed.every(([allowed, value]) => allowed?.includes(value) ?? true) &&
    [id, invocationId].some((name) => name.startsWith(idStart)) &&
    id < before &&
    startedAt >= since &&
    startedAt < until &&
    (query.text === undefined || contains(record, query.text, textsOf))
  );
}

function contains(
  { id, skillSlug, version, registry, status, code, message, invocationId }: InvocationRecord,
  text: string,
  textsOf: (id: string) => InvocationTexts | undefined,
): boolean {
  const facts = [`${skillSlug}@${version}`, registry, status, code, message, invocationId];
  const isInFacts = facts.join("\n").toLowerCase().includes(text.toLowerCase());
  return isInFacts || textsContain(textsOf(id) ?? {}, text);
}
