import type { TextRange } from "../json/token";
import type { InvocationRecord } from "./record/invocationRecord";

/** The minimum number of characters to recognize an ID. */
export const minIdLength = 8;

/** Returns the displayed ID of an invocation: the registry's, else its record's. */
export function shownId({
  invocationId,
  id,
}: Pick<InvocationRecord, "invocationId" | "id">): string {
  return invocationId ?? id;
}

/** Removes the ellipsis that a table appends to a truncated ID. */
export function startOfId(id: string): string {
  return id.replace(/…$/, "");
}

/** Finds the records with an ID; if there are none, those whose shown ID starts with it. */
export function recordsWithId(
  records: readonly InvocationRecord[],
  id: string,
): readonly InvocationRecord[] {
  const named = records.find((record) => record.id === id || record.invocationId === id);
  if (named !== undefined) return [named];
  const start = startOfId(id);
  return start.length < minIdLength
    ? []
    : records.filter((record) => shownId(record).startsWith(start));
}

/** The maximum number of IDs found in one line. A line of our output has no more. */
const maxIds = 5;

/** Finds possible invocation IDs in a line of a terminal: the word after “invocation ID”, a UUID, or a record's ID. */
export function idsInLine(line: string): readonly (TextRange & { readonly id: string })[] {
  const pattern =
    /(?<=\binvocation ID:? )[^\s"'<>|]{4,120}(?<![.,;:)])|\b[0-9a-f]{8}-[0-9a-f-]{3,27}(?:\b|…)|\b[0-9]{14}-[0-9a-z-]{2,40}(?:\b|…)/gi;
  return [...line.matchAll(pattern)]
    .slice(0, maxIds)
    .map(({ 0: id, index }) => ({ id, start: index, end: index + id.length }));
}
