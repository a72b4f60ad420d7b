/** Where a page starts: the registry's cursor, and what its first page showed the registry to ignore. */
export interface PageStart {
  readonly cursor: string | undefined;
  readonly ignored: IgnoredParts;
}

/** Parts of a query that a registry does not understand. */
export interface IgnoredParts {
  /** Filters with several values, which are therefore left out. */
  readonly lists: boolean;
  /** The search text, which is therefore applied here. */
  readonly text: boolean;
}

/** Writes a page's start as the opaque cursor that callers hand back. */
export function writePageStart(cursor: string, { lists, text }: IgnoredParts): string {
  return `${lists ? "l" : "-"}${text ? "t" : "-"}${cursor}`;
}

/** Reads it again; undefined is the first page. */
export function readPageStart(written: string | undefined): PageStart {
  if (written === undefined) return { cursor: undefined, ignored: { lists: false, text: false } };
  const ignored = { lists: written.startsWith("l"), text: written.startsWith("t", 1) };
  return { cursor: written.slice(2), ignored };
}
