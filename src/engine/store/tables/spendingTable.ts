import type { InvocationRecord } from "../../../core/invocation/record/invocationRecord";
import {
  costToCount,
  costToExpect,
  type DayCost,
  type PricedInvocation,
  type Spending,
} from "../../../core/invocation/spending";
import { dayMs, localDay, utcDay } from "../../../core/text/dates";
import type { BilledSoFar } from "../store";
import { lostName } from "../storeAge";
import type { Row, Statements } from "./statements";

/** The expected cost of an invocation whose end is not known yet. */
export interface ExpectedCost {
  readonly day: string;
  readonly registry: string;
  readonly skill: string;
  readonly currency: string;
  readonly cents: number;
  readonly isAgents: boolean;
}

const sums = "day, registry, skill, currency, isAgents, cents, calls, dearestCents";
const key = "day = ? AND registry = ? AND skill = ? AND currency = ? AND isAgents = ?";

/** The spending by day, skill and currency. */
export class SpendingTable {
  constructor(private readonly sql: Statements) {}

  /**
   * Returns the spending of a day. For the given skill, also the amounts of the last day on which it was billed.
   * Spending of the two days after `day` is included, because it was recorded before the clock was set back, or in
   * another time zone.
   */
  read(day: string, of?: { readonly registry: string; readonly skillSlug: string }): Spending {
    const today = this.sql.rows(
      `SELECT ${sums}, expectedCents, expectedCalls FROM dayCost WHERE day BETWEEN ? AND ?`,
      ...[day, lastOf(day)],
    );
    const spent = today.flatMap((row) => costsOf({ ...row, day }));
    return [...(of === undefined ? [] : this.lastBilled(day, of)), ...spent];
  }

  /**
   * Returns the amounts that were billed for a skill from the day before `from` until `at`, which is the current time.
   */
  billedSoFar(
    { registry, skillSlug }: { readonly registry: string; readonly skillSlug: string },
    at: number,
    from = at,
  ): BilledSoFar {
    // The cost of an invocation counts for the day on which it started, which may be yesterday.
    const rows = this.sql.rows(
      "SELECT currency, sum(cents) AS cents FROM dayCost WHERE registry = ? AND skill = ? AND day >= ? GROUP BY currency",
      ...[registry, skillSlug, localDay(from - dayMs)],
    );
    const amounts = rows.map(({ currency, cents }) => ({
      currency: String(currency),
      cents: Number(cents),
    }));
    return { at, amounts };
  }

  /** Returns whether the spending of a day is complete. */
  isWhole(day: string): boolean {
    const lostAt = this.sql.value(lostName);
    if (lostAt === undefined) return true;
    const lostOn = localDay(Number(lostAt));
    return lostOn < day || lostOn > lastOf(day);
  }

  /** Adds the expected cost of an invocation that is about to be sent. Undefined if it has none. */
  expect(call: PricedInvocation, spending: Spending, day: string): ExpectedCost | undefined {
    const cost = costToExpect(spending, call);
    if (cost === undefined) return undefined;
    const { registry, skillSlug: skill, isAgents = false } = call;
    const expected = { ...cost, day, registry, skill, isAgents };
    this.addExpected(expected, 1);
    return expected;
  }

  /** Removes the expected cost of an invocation. */
  release(expected: ExpectedCost): void {
    this.addExpected(expected, -1);
  }

  /** Replaces the expected cost of an invocation by its actual cost, unless that is unknown. */
  settle(record: InvocationRecord, expected: ExpectedCost | undefined): void {
    const isAgents = expected?.isAgents ?? false;
    const cost = costToCount(record, isAgents);
    if (cost === "expected") return;
    if (expected !== undefined) this.release(expected);
    if (cost === undefined) return;
    const { cents, currency } = cost;
    const { registry, skillSlug } = record;
    const names = [localDay(record.startedAt), registry, skillSlug, currency, Number(isAgents)];
    this.ensure(names);
    this.sql.run(
      `UPDATE dayCost SET cents = cents + ?, calls = calls + 1, dearestCents = max(dearestCents, ?) WHERE ${key}`,
      ...[cents, cents, ...names],
    );
  }

  private lastBilled(
    today: string,
    { registry, skillSlug }: { readonly registry: string; readonly skillSlug: string },
  ) {
    const last = this.sql.row(
      "SELECT max(day) AS day FROM dayCost WHERE registry = ? AND skill = ? AND dearestCents > 0",
      ...[registry, skillSlug],
    )?.["day"];
    if (typeof last !== "string" || last === today) return [];
    const rows = this.sql.rows(
      `SELECT ${sums}, 0 AS expectedCents, 0 AS expectedCalls FROM dayCost WHERE registry = ? AND skill = ? AND day = ?`,
      ...[registry, skillSlug, last],
    );
    return rows.flatMap(costsOf);
  }

  private addExpected(
    { day, registry, skill, currency, cents, isAgents }: ExpectedCost,
    sign: 1 | -1,
  ): void {
    const names = [day, registry, skill, currency, Number(isAgents)];
    this.ensure(names);
    this.sql.run(
      `UPDATE dayCost SET expectedCents = expectedCents + ?, expectedCalls = expectedCalls + ? WHERE ${key}`,
      ...[sign * cents, sign, ...names],
    );
  }

  private ensure(names: readonly (string | number)[]): void {
    this.sql.run(
      "INSERT OR IGNORE INTO dayCost (day, registry, skill, currency, isAgents) VALUES (?, ?, ?, ?, ?)",
      ...names,
    );
  }
}

/**
 * Returns the last day whose spending counts for `day`. The range is short, since a clock that was once a year ahead
 * must not use up the limits until then.
 */
function lastOf(day: string): string {
  return utcDay(Date.parse(day) + 2 * dayMs);
}

/** Returns the costs of a row. All expected costs are one sum, because no rule needs them separately. */
function costsOf(row: Row): readonly DayCost[] {
  const of = {
    day: String(row["day"]),
    registry: String(row["registry"]),
    skillSlug: String(row["skill"]),
    currency: String(row["currency"]),
    ...(row["isAgents"] === 1 && { isAgents: true as const }),
  };
  const number = (name: string) => Number(row[name]);
  const [calls, expectedCalls] = [number("calls"), number("expectedCalls")];
  const billed = { ...of, calls, cents: number("cents"), dearestCents: number("dearestCents") };
  const cents = number("expectedCents");
  const expected = {
    ...of,
    calls: expectedCalls,
    cents,
    dearestCents: 0,
    isExpected: true as const,
  };
  return [...(calls > 0 ? [billed] : []), ...(expectedCalls > 0 ? [expected] : [])];
}
