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

/** Which invocations of the record are meant; what is left out is not asked for. Newest first. */
export interface RecordQuery {
  /** Only the records of these names, or all but these. */
  readonly ids?: readonly string[];
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
  /** Only those that a registry named so. */
  readonly invocationIds?: readonly string[];
  readonly isPinned?: boolean;
  /**
   * Looked for in skill, version, registry, status, code, message and invocation ID, and in payload and output where they
   * are kept, whatever the case.
   */
  readonly text?: string;
  /** Only the names or invocation IDs that begin with this. */
  readonly idStart?: string;
  /** Only those that sort before this name, as the last of a page did. */
  readonly before?: string;
  /** How many at most; of a text, in how many it is looked for. */
  readonly limit?: number;
}

/** Asks for what a filter shows. */
export function queryOf({ text, ...among }: InvocationFilter): RecordQuery {
  const named = Object.entries(among).filter(([, values]) => values.length > 0);
  const wanted = text.trim();
  return { ...Object.fromEntries(named), ...(wanted !== "" && { text: wanted }) };
}

/** Asks for those of a query that may be deleted together: none that is pinned or still running. */
export function deletableOf(query: RecordQuery): RecordQuery {
  const { statuses = invocationStatuses } = query;
  const over = statuses.filter((status) => isOver({ status }));
  return { ...query, statuses: over, isPinned: false };
}

/** Returns whether a record is asked for. The store selects by columns first; what it cannot tell is decided here. */
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
    listed.every(([asked, own]) => asked?.includes(own) ?? true) &&
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
