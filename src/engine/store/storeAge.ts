import { readFileSync, writeFileSync } from "node:fs";
import type { DatabaseSync } from "node:sqlite";

/** The name of the value that counts all started invocations. */
export const startsName = "starts";

/**
 * Returns whether a store is older than at the last start of an invocation: an earlier copy replaced it, or it was
 * deleted. Then continues from its current state, so that this is reported once.
 */
export function isOlder(database: DatabaseSync, path: string): boolean {
  const noted = notedStarts(path);
  if (noted <= startsIn(database)) return false;
  database
    .prepare("INSERT OR REPLACE INTO value (name, text) VALUES (?, ?)")
    .run(startsName, String(noted));
  return true;
}

/** Records the age of a store beside it. Where the disk refuses, an earlier record stays. */
export function noteAge(database: DatabaseSync, path: string): void {
  try {
    writeFileSync(agePath(path), String(startsIn(database)), { mode: 0o600 });
  } catch {
    // Without this record, only an older copy from before it goes unnoticed.
  }
}

function startsIn(database: DatabaseSync): number {
  const row = database.prepare("SELECT text FROM value WHERE name = ?").get(startsName);
  return Number(row?.["text"] ?? 0);
}

/** Reads the recorded age. Returns 0 if it is missing or truncated. */
function notedStarts(path: string): number {
  try {
    const noted = Number(readFileSync(agePath(path), "utf8"));
    return Number.isSafeInteger(noted) ? noted : 0;
  } catch {
    return 0;
  }
}

function agePath(path: string): string {
  return `${path}.starts`;
}
