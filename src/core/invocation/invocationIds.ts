import type { TextRange } from "../json/token";
import type { InvocationRecord } from "./record/invocationRecord";

/** Fewer characters of an ID may be anything. */
const leastOfId = 8;

/** The ID by which people name an invocation: the registry's, else that of its record. */
export function shownId({
  invocationId,
  id,
}: Pick<InvocationRecord, "invocationId" | "id">): string {
  return invocationId ?? id;
}

/** Removes what a table writes at the end of an ID that it cuts. */
export function startOfId(id: string): string {
  return id.replace(/…$/, "");
}

/** Finds the records that an ID names, or where there is none, those whose shown ID begins with it. */
export function recordsNamed(
  records: readonly InvocationRecord[],
  id: string,
): readonly InvocationRecord[] {
  const named = records.find((one) => one.id === id || one.invocationId === id);
  if (named !== undefined) return [named];
  const start = startOfId(id);
  return start.length < leastOfId ? [] : records.filter((one) => shownId(one).startsWith(start));
}

/** More in one line is no output of ours. */
const maxIds = 5;

/** Finds what may be the ID of an invocation in a line of a terminal: after these words, a UUID, or a record's name. */
export function idsInLine(line: string): readonly (TextRange & { readonly id: string })[] {
  const pattern =
    /(?<=\binvocation ID:? )[^\s"'<>|]{4,120}(?<![.,;:)])|\b[0-9a-f]{8}-[0-9a-f-]{3,27}(?:\b|…)|\b[0-9]{14}-[0-9a-z-]{2,40}(?:\b|…)/gi;
  return [...line.matchAll(pattern)]
    .slice(0, maxIds)
    .map(({ 0: id, index }) => ({ id, start: index, end: index + id.length }));
}
