import { mayExpire } from "../../../core/invocation/deletion";
import { readWrittenRecord } from "../../../core/invocation/record/invocationRecord";
import { dayMs } from "../../../core/text/dates";
import type { RetentionSettings } from "../store";
import type { Statements } from "./statements";

/** The number of records that are removed at once, so that no other program waits for long. */
export const removedAtOnce = 100;

/**
 * The maximum number of records of batches. They are counted separately, so that a large run does not push out a
 * person's records.
 */
const maxBatchLines = 100_000;

/**
 * How long a record must have been too old before it is deleted, in milliseconds. So a clock that jumped ahead deletes
 * nothing.
 */
const settleMs = 2 * dayMs;
const expiringName = "expiring";

/** Selects the records that may be removed: they are not pinned, and their end is known. */
const removable = "isPinned = 0 AND status NOT IN ('running', 'outcome unknown')";

/**
 * Returns the IDs of some records to remove, oldest first. Skips records that are pinned, have no known end, or are
 * still needed to reject an agent's repeat. A record beyond the maximum age is only removed after it was too old for
 * two days.
 */
export function expired(
  sql: Statements,
  { maxEntries, maxDays }: RetentionSettings,
  now: number,
): readonly string[] {
  const surplus = [
    ...surplusOf(sql, "IS NULL", maxEntries, now),
    ...surplusOf(sql, "IS NOT NULL", maxBatchLines, now),
  ];
  const old = maxDays > 0 ? expiredLongAgo(sql, now - maxDays * dayMs, now) : [];
  return [...new Set([...surplus, ...old])].slice(0, removedAtOnce);
}

/** Returns the IDs of removable records beyond the newest `most`. */
function surplusOf(
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

/**
 * Returns the IDs of records that were older than the maximum age two days ago already. Notes the newest record that is
 * older than `since`, for the check in two days.
 */
function expiredLongAgo(sql: Statements, since: number, now: number): readonly string[] {
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
    const text = JSON.stringify({ at: now, before: newest });
    sql.put("value", "name", { name: expiringName, text });
  }
  return [];
}

function readNoted(sql: Statements): { readonly at: number; readonly before: string } | undefined {
  const text = sql.value(expiringName);
  return text === undefined ? undefined : JSON.parse(text);
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
