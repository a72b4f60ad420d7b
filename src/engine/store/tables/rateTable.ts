import type { InvocationOutcome } from "../../../core/invocation/invocation";
import {
  afterOutcome,
  type Rate,
  type RateScope,
  waitMs,
} from "../../../core/invocation/rateLimit";
import { clockToleranceMs } from "../../../core/text/dates";
import type { Row, Statements } from "./statements";

/**
 * How long calls matter, in milliseconds: the rolling minute and a tolerance. Calls that are this far in the future
 * came from a wrong clock, and do not matter either.
 */
const maxCallAgeMs = 120_000;

/**
 * The rate limits of all keys and skills of this machine: the times of sending, and the waits that the registry
 * required.
 */
export class RateTable {
  constructor(private readonly sql: Statements) {}

  /**
   * Counts a call at `now`. If the limit is reached, counts nothing and returns how many milliseconds to wait;
   * otherwise returns 0.
   */
  acquire(scope: RateScope, now: number, perMinute: number | undefined): number {
    const number = this.numberOf(scope);
    const wait = waitMs(this.read(number, now, perMinute), now, perMinute);
    if (wait === 0) this.addCall(number, now);
    return wait;
  }

  /** Removes the call of an invocation that was not sent. */
  release(scope: RateScope, sentAt: number): void {
    this.removeCall(this.numberOf(scope), sentAt);
  }

  /**
   * Records the outcome of an invocation whose call was counted at `sentAt`. Returns how many milliseconds to wait now.
   */
  note(scope: RateScope, outcome: InvocationOutcome, sentAt: number, now: number): number {
    const number = this.numberOf(scope);
    const named = outcome.kind === "refused" ? outcome.policy?.rateLimit?.limit : undefined;
    const before = this.read(number, now, named, sentAt);
    const after = afterOutcome(before, outcome, { sentAt, endedAt: now });
    this.write(number, before, after);
    return waitMs(after, now);
  }

  /**
   * Reads the latest calls of a scope: as many as the known limit or `perMinute` allows in a minute, whichever is higher.
   * Adds the call at `sentAt`.
   */
  private read(number: number, now: number, perMinute = 0, sentAt?: number): Rate {
    const row = this.sql.row(
      `SELECT "limit", refusedAt, holdMs, refusals FROM rate WHERE scope = ?`,
      number,
    );
    this.sql.run(
      "DELETE FROM rateCall WHERE scope = ? AND (at < ? OR at > ?)",
      ...[number, now - maxCallAgeMs, now + maxCallAgeMs],
    );
    const counted = Math.max(perMinute, Number(row?.["limit"] ?? 0));
    const calls = this.sql
      .rows(
        "SELECT at FROM rateCall WHERE scope = ? AND at <= ? ORDER BY at DESC LIMIT ?",
        ...[number, now + clockToleranceMs, counted],
      )
      .map(({ at }) => Number(at));
    if (sentAt !== undefined && !calls.includes(sentAt)) calls.push(sentAt);
    return { ...withoutNulls(row ?? {}), calls: calls.reverse() };
  }

  private write(number: number, before: Rate, after: Rate): void {
    const { limit = null, refusedAt = null, holdMs = null, refusals = null } = after;
    this.sql.run(
      `UPDATE rate SET "limit" = ?, refusedAt = ?, holdMs = ?, refusals = ? WHERE scope = ?`,
      ...[limit, refusedAt, holdMs, refusals, number],
    );
    const added = [...after.calls];
    for (const at of before.calls) {
      const index = added.indexOf(at);
      if (index === -1) this.removeCall(number, at);
      else added.splice(index, 1);
    }
    for (const at of added) this.addCall(number, at);
  }

  private addCall(number: number, at: number): void {
    this.sql.run("INSERT INTO rateCall (scope, at) VALUES (?, ?)", number, at);
  }

  private removeCall(number: number, at: number): void {
    this.sql.run(
      "DELETE FROM rateCall WHERE rowid = (SELECT rowid FROM rateCall WHERE scope = ? AND at = ? LIMIT 1)",
      ...[number, at],
    );
  }

  private numberOf({ registry, project, skillSlug }: RateScope): number {
    const names = [registry, project, skillSlug];
    this.sql.run(
      "INSERT OR IGNORE INTO rate (registry, project, skill) VALUES (?, ?, ?)",
      ...names,
    );
    const row = this.sql.row(
      "SELECT scope FROM rate WHERE registry = ? AND project = ? AND skill = ?",
      ...names,
    );
    return Number(row?.["scope"]);
  }
}

/** Returns the columns that are not null. */
function withoutNulls(row: Row): Pick<Rate, "limit" | "refusedAt" | "holdMs" | "refusals"> {
  return Object.fromEntries(Object.entries(row).filter(([, value]) => value !== null));
}
