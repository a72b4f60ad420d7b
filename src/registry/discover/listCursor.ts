/** Where the next page of a list starts. */
export interface ListCursor {
  /** The registry's cursor for each part of the query, in their order; null for a part that has ended. */
  readonly cursors: readonly (string | null)[];
  /** The registry refused several values of a filter one by one, so that they are applied here. */
  readonly isRefused: boolean;
  /** The registry ignored the search text, so that it is applied here. */
  readonly isTextIgnored: boolean;
}

/** Writes a cursor as the opaque text that callers hand back. Undefined where every part has ended. */
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
