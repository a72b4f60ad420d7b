import { readFileSync, writeFileSync } from "node:fs";
import type { DatabaseSync } from "node:sqlite";

/** Names the value that counts the invocations that were ever started. */
export const startsName = "starts";

/**
 * Returns whether a store is older than it was when a program last started an invocation: an earlier copy was put in its
 * place, or it was removed. It goes on from where it was, so that this is found once.
 */
export function isOlder(database: DatabaseSync, path: string): boolean {
  const noted = notedStarts(path);
  if (noted <= startsIn(database)) return false;
  database
    .prepare("INSERT OR REPLACE INTO value (name, text) VALUES (?, ?)")
    .run(startsName, String(noted));
  return true;
}

/** Notes beside a store how old it is. Where the disk refuses that, an earlier note stays. */
export function noteAge(database: DatabaseSync, path: string): void {
  try {
    writeFileSync(agePath(path), String(startsIn(database)), { mode: 0o600 });
  } catch {
    // Only what is put back later is then not noticed.
  }
}

function startsIn(database: DatabaseSync): number {
  const row = database.prepare("SELECT text FROM value WHERE name = ?").get(startsName);
  return Number(row?.["text"] ?? 0);
}

/** 0 where there is none, or it was cut off. */
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
