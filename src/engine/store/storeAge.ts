import { readFileSync, writeFileSync } from "node:fs";
import type { DatabaseSync } from "node:sqlite";

/** The name of the stored value that counts all started invocations. */
export const startsName = "starts";

/** The name of the stored value with the time when spending was lost with a damaged file. */
export const lostName = "spendingLostAt";

/** Notes that today's spending is not complete. */
export function noteLoss(database: DatabaseSync): void {
  database
    .prepare("INSERT OR REPLACE INTO value (name, text) VALUES (?, ?)")
    .run(lostName, String(Date.now()));
}

/**
 * Returns whether the store has fewer starts than the file beside it says. Then the store was deleted, or replaced by
 * an earlier copy. In that case, sets its count to the noted number, so that the loss is reported only once.
 */
export function isOlder(database: DatabaseSync, path: string): boolean {
  const noted = notedStarts(path);
  if (noted <= startsIn(database)) return false;
  database
    .prepare("INSERT OR REPLACE INTO value (name, text) VALUES (?, ?)")
    .run(startsName, String(noted));
  return true;
}

/** Notes the number of starts in a file beside the store. Ignores a disk error. */
export function noteAge(database: DatabaseSync, path: string): void {
  try {
    writeFileSync(agePath(path), String(startsIn(database)), { mode: 0o600 });
  } catch {
    // The previous note remains. With it, only an even older copy is noticed.
  }
}

function startsIn(database: DatabaseSync): number {
  const row = database.prepare("SELECT text FROM value WHERE name = ?").get(startsName);
  return Number(row?.["text"] ?? 0);
}

/** Reads the noted number of starts. Returns 0 if it is missing or truncated. */
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
