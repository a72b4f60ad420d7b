import { createHash } from "node:crypto";

/** Writes where the next page starts: after the named skill of this very search. */
export function writeCursor(search: string, lastSlug: string): string {
  return Buffer.from(`${fingerprint(search)} ${lastSlug}`).toString("base64url");
}

/** Reads the slug a page starts after; undefined where the cursor is not of this search. */
export function readCursor(search: string, cursor: string): string | undefined {
  const [mark, slug] = Buffer.from(cursor, "base64url").toString("utf8").split(" ");
  return mark === fingerprint(search) ? slug : undefined;
}

function fingerprint(search: string): string {
  return createHash("sha256").update(search).digest("base64url").slice(0, 12);
}
