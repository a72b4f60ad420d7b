/** Where a page starts: the registry's cursor, and whether filters with several values are left out. */
export interface PageStart {
  readonly cursor: string | undefined;
  readonly withoutLists: boolean;
}

const withLists = "=";
const withoutLists = "~";

/** Writes a page's start as the opaque cursor that callers hand back. */
export function writePageStart(cursor: string, leavesOutLists: boolean): string {
  return (leavesOutLists ? withoutLists : withLists) + cursor;
}

/** Reads it again; undefined is the first page. */
export function readPageStart(written: string | undefined): PageStart {
  if (written === undefined) return { cursor: undefined, withoutLists: false };
  return { cursor: written.slice(1), withoutLists: written.startsWith(withoutLists) };
}
