import { mayExpire } from "../../../core/invocation/deletion";
import { readWrittenRecord } from "../../../core/invocation/record/invocationRecord";
import { dayMs } from "../../../core/text/dates";
import type { RetentionSettings } from "../store";
import type { Statements } from "./statements";

/** How many are removed at once, so that no other program waits for long. */
export const removedAtOnce = 100;

/** Lines of batches are counted apart: a run of many leaves a person's record as it is. */
const maxBatchLines = 100_000;

/** An old invocation must still be too old after this time, so that a clock that jumped ahead purges nothing. */
const settleMs = 2 * dayMs;
const expiringName = "expiring";

/** What may be removed at all: neither pinned, nor without a known end. */
const removable = "isPinned = 0 AND status NOT IN ('running', 'outcome unknown')";

/**
 * Names some of the records beyond the retention, the oldest first. Not what is pinned, what has no known end, and what
 * keeps an agent from sending the same again; what is too old, only where it was too old two days ago as well.
 */
export function expired(
  sql: Statements,
  { maxEntries, maxDays }: RetentionSettings,
  now: number,
): readonly string[] {
  const surplus = [
    ...beyond(sql, "IS NULL", maxEntries, now),
    ...beyond(sql, "IS NOT NULL", maxBatchLines, now),
  ];
  const old = maxDays > 0 ? settled(sql, now - maxDays * dayMs, now) : [];
  return [...new Set([...surplus, ...old])].slice(0, removedAtOnce);
}

/** Names what is older than the newest `most`. */
function beyond(
  sql: Statements,
  batch: "IS NULL" | "IS NOT NULL",
  most: number,
  now: number,
): readonly string[] {
  const oldestKept = sql.row(
    `SELECT id FROM invocation WHERE batch ${batch} AND isPinned = 0 ORDER BY id DESC LIMIT 1 OFFSET ?`,
    Math.max(0, most - 1),
  )?.["id"];
  if (typeof oldestKept !== "string") return [];
  return idsOf(sql, `batch ${batch} AND id < ?`, oldestKept, now);
}

/** Names what is from before `since`, and was two days ago; notes from when on the rest is. */
function settled(sql: Statements, since: number, now: number): readonly string[] {
  const noted = readNoted(sql);
  if (noted !== undefined && noted.at <= now) {
    if (now - noted.at < settleMs) return [];
    const old = idsOf(sql, "id <= ?", noted.before, now);
    if (old.length > 0) return old;
  }
  const newest = sql.row(
    `SELECT max(id) AS id FROM invocation WHERE ${removable} AND startedAt < ? AND startedAt <= ?`,
    ...[since, now],
  )?.["id"];
  if (typeof newest === "string") {
    sql.run(
      "INSERT OR REPLACE INTO value (name, text) VALUES (?, ?)",
      ...[expiringName, JSON.stringify({ at: now, before: newest })],
    );
  }
  return [];
}

function readNoted(sql: Statements): { readonly at: number; readonly before: string } | undefined {
  const text = sql.row("SELECT text FROM value WHERE name = ?", expiringName)?.["text"];
  return text === undefined
    ? undefined
    : (JSON.parse(String(text)) as { readonly at: number; readonly before: string });
}

function idsOf(sql: Statements, which: string, value: string, now: number): readonly string[] {
  const rows = sql.rows(
    `SELECT id, facts FROM invocation WHERE ${which} AND ${removable} ORDER BY id LIMIT ${removedAtOnce}`,
    value,
  );
  return rows
    .filter(({ facts }) => {
      const record = readWrittenRecord(String(facts));
      return typeof record !== "object" || mayExpire(record, now);
    })
    .map(({ id }) => String(id));
}
