import type { Amount } from "../../../core/invocation/cost";
import { doubleClickMs } from "../../../core/invocation/underWay";
import { clockToleranceMs } from "../../../core/text/dates";
import { hasEnded, type Program } from "../program";
import type { ExpectedCost } from "./spendingTable";
import { programOf, type Row, type Statements } from "./statements";

/** The maximum age of a budget reading that is still used, in milliseconds, with a tolerance. */
const budgetReadMs = 600_000;

/** The stored facts about an invocation until its end is known. */
export interface Underway {
  readonly claim: string;
  readonly startedAt: number;
  readonly endsBefore: number;
  readonly sentAt: number;
  readonly expected: ExpectedCost | undefined;
  readonly registry: string;
  readonly skill: string;
  /** Whose budget the invocation spends; undefined if it is not billed. */
  readonly spender: Spender | undefined;
}

/** Whose budget an invocation spends. Invocations of one project share its budget. */
interface Spender {
  /** The sender, as the rate limit identifies it. */
  readonly sender: string;
  /** Undefined if unknown. */
  readonly project: string | undefined;
}

/** The other invocations that spend the same budget as an invocation. */
interface OtherInvocations {
  /** The expected cost of each invocation in progress; 0 if unknown. */
  readonly underWay: readonly Amount[];
  /** The amounts that may still be billed for invocations whose end will never be known. */
  readonly mayBeBilled: readonly Amount[];
}

/** The invocations whose end is not known yet, with their claims and expected costs. */
export class UnderwayTable {
  constructor(
    private readonly sql: Statements,
    private readonly self: Program,
  ) {}

  add(id: string, underway: Underway, day: string): void {
    const { expected, spender, ...facts } = underway;
    this.sql.put("underway", "id", {
      ...{ id, ...facts, ...this.self, day: expected?.day ?? day },
      ...{ currency: expected?.currency ?? null, cents: expected?.cents ?? 0 },
      isAgents: Number(expected?.isAgents ?? false),
      ...{ sender: spender?.sender ?? null, project: spender?.project ?? null },
    });
  }

  /**
   * Returns the other invocations of a skill that spend the same budget. If a project is unknown, counts it as the same
   * project. Includes invocations that may have run after `readAt` and may still be billed.
   */
  others(
    { registry, skillSlug }: { readonly registry: string; readonly skillSlug: string },
    { sender, project }: Spender,
    { now, readAt }: { readonly now: number; readonly readAt: number },
  ): OtherInvocations {
    const rows = this.sql.rows(
      `SELECT isOver, claim, place, pid, since, startedAt, endsBefore, currency, cents FROM underway
       WHERE registry = ? AND skill = ? AND sender IS NOT NULL
         AND (sender = ? OR project IS NULL OR ? IS NULL OR project = ?)`,
      ...[registry, skillSlug, sender, project ?? null, project ?? null],
    );
    const isUnderWay = (row: Row) =>
      row["isOver"] === 0 && row["claim"] !== null && this.isHeld(row, now);
    const mayBeBilled = (row: Row) =>
      !isUnderWay(row) && row["currency"] !== null && Number(row["endsBefore"]) > readAt;
    const amountOf = ({ cents, currency }: Row) => ({
      cents: Number(cents),
      currency: String(currency ?? ""),
    });
    return {
      underWay: rows.filter(isUnderWay).map(amountOf),
      mayBeBilled: rows.filter(mayBeBilled).map(amountOf),
    };
  }

  /** Returns whether an equal invocation is in progress, or ended so recently that this may be a double click. */
  isClaimed(claim: string, now: number): boolean {
    const rows = this.sql.rows(
      "SELECT id, isOver, place, pid, since, startedAt, endsBefore FROM underway WHERE claim = ?",
      claim,
    );
    const held = rows.filter((row) => this.isHeld(row, now));
    for (const row of rows) if (!held.includes(row)) this.releaseClaim(String(row["id"]));
    return held.length > 0;
  }

  find(id: string): Pick<Underway, "sentAt" | "expected"> | undefined {
    const row = this.sql.row(
      "SELECT sentAt, day, registry, skill, currency, cents, isAgents FROM underway WHERE id = ?",
      id,
    );
    if (row === undefined) return undefined;
    const { day, registry, skill, currency, cents, isAgents } = row;
    const expected = {
      ...{ day: String(day), registry: String(registry), skill: String(skill) },
      ...{ currency: String(currency), cents: Number(cents), isAgents: isAgents === 1 },
    };
    return { sentAt: Number(row["sentAt"]), expected: currency === null ? undefined : expected };
  }

  /**
   * Marks an invocation as ended. With `awaitsSecondClick`, keeps its claim for a moment. With `remains`, keeps its
   * expected cost, since its end is unknown.
   */
  end(
    id: string,
    {
      awaitsSecondClick,
      remains,
    }: { readonly awaitsSecondClick: boolean; readonly remains: boolean },
  ): void {
    if (awaitsSecondClick) {
      const rest = remains ? "" : ", currency = NULL, cents = 0";
      this.sql.run(`UPDATE underway SET isOver = 1${rest} WHERE id = ?`, id);
    } else if (remains) this.releaseClaim(id);
    else this.sql.run("DELETE FROM underway WHERE id = ?", id);
  }

  /**
   * Deletes entries that no rule needs any more: those of earlier days, and ended ones after the time of a double
   * click.
   */
  tidy(day: string, now: number): void {
    this.sql.run("DELETE FROM underway WHERE day < ? AND endsBefore < ?", day, now - budgetReadMs);
    this.sql.run(
      "DELETE FROM underway WHERE isOver = 1 AND currency IS NULL AND day <= ? AND startedAt < ?",
      ...[day, now - doubleClickMs],
    );
  }

  private releaseClaim(id: string): void {
    this.sql.run("UPDATE underway SET claim = NULL WHERE id = ?", id);
  }

  private isHeld(row: Row, now: number): boolean {
    const startedAt = Number(row["startedAt"]);
    if (row["isOver"] === 1) return Math.abs(now - startedAt) < doubleClickMs;
    const program = programOf(row);
    if (hasEnded(program, this.self) || Number(row["endsBefore"]) < now) return false;
    // An entry of another machine with a start in the future was written while a clock was wrong. It does not count.
    return startedAt <= now + clockToleranceMs || program.place === this.self.place;
  }
}
