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

/** Selects the records that may be removed: they are not pinned, and their end is known. */
const removable = "isPinned = 0 AND status NOT IN ('running', 'outcome unknown')";

/** Chooses the records to remove. Remembers from where on, since finding that takes longer than removing a hundred. */
export class Retention {
  private readonly boundaries = new Map<string, string>();

  constructor(private readonly sql: Statements) {}

  /**
   * Returns the IDs of some records to remove, oldest first. Skips records that are pinned, have no known end, or are
   * still needed to reject an agent's repeat.
   */
  expired({ maxEntries, maxDays }: RetentionSettings, now: number): readonly string[] {
    const surplus = [
      ...this.surplusOf("IS NULL", maxEntries, now),
      ...this.surplusOf("IS NOT NULL", maxBatchLines, now),
    ];
    const since = now - maxDays * dayMs;
    const old = maxDays > 0 ? idsOf(this.sql, "startedAt < ?", since, now) : [];
    return [...new Set([...surplus, ...old])].slice(0, removedAtOnce);
  }

  /**
   * Returns the IDs of removable records beyond the newest `most`. Until the next call after there are none, records
   * that were added meanwhile do not count, which removes fewer.
   */
  private surplusOf(
    batch: "IS NULL" | "IS NOT NULL",
    most: number,
    now: number,
  ): readonly string[] {
    const name = `${batch} ${most}`;
    const boundary = this.boundaries.get(name) ?? this.boundaryOf(batch, most);
    if (boundary === undefined) return [];
    const ids = idsOf(this.sql, `batch ${batch} AND id < ?`, boundary, now);
    if (ids.length === removedAtOnce) this.boundaries.set(name, boundary);
    else this.boundaries.delete(name);
    return ids;
  }

  private boundaryOf(batch: "IS NULL" | "IS NOT NULL", most: number): string | undefined {
    const oldestKept = this.sql.row(
      `SELECT id FROM invocation WHERE batch ${batch} AND isPinned = 0 ORDER BY id DESC LIMIT 1 OFFSET ?`,
      Math.max(0, most - 1),
    )?.["id"];
    return typeof oldestKept === "string" ? oldestKept : undefined;
  }
}

function idsOf(
  sql: Statements,
  which: string,
  value: string | number,
  now: number,
): readonly string[] {
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
