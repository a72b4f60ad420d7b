import { randomUUID } from "node:crypto";
import { isOverAgentLimits } from "../../core/agents/gates/spendingLimits";
import type { Amount } from "../../core/invocation/cost";
import type { RateScope } from "../../core/invocation/rateLimit";
import {
  agentSpending,
  dailyLimitQuestion,
  expectedCost,
  type Spending,
} from "../../core/invocation/spending";
import { hasRoom, remainingCents } from "../../core/invocation/underWay";
import { localDay } from "../../core/text/dates";
import { english } from "../../core/text/language";
import type {
  BilledSoFar,
  InvocationEnd,
  StartRequest,
  StartResult,
  StoreOperations,
} from "./store";
import { startsName } from "./storeAge";
import type { RateTable } from "./tables/rateTable";
import type { RecordTable } from "./tables/recordTable";
import type { SpendingTable } from "./tables/spendingTable";
import type { Statements } from "./tables/statements";
import type { UnderwayTable } from "./tables/underwayTable";

/** The tables that an invocation changes. */
interface StartTables {
  readonly sql: Statements;
  readonly records: RecordTable;
  readonly underway: UnderwayTable;
  readonly spending: SpendingTable;
  readonly rates: RateTable;
}

/** Starts and ends invocations, each in one transaction. */
export class Starts {
  constructor(
    private readonly tables: StartTables,
    private readonly now: () => number,
  ) {}

  start(wanted: StartRequest): StartResult {
    const { facts, maxDurationMs, claim, scope, perMinute, price, agent, concurrency } = wanted;
    const now = this.now();
    const day = localDay(now);
    if (agent !== undefined) {
      const earlier = this.tables.records.earlier(agent.key);
      if (earlier !== undefined) return { kind: "earlier", earlier };
    }
    if (!claim.isDuplicateAllowed && this.tables.underway.isClaimed(claim.key, now))
      return { kind: "inProgress" };
    const spending = price === undefined ? [] : this.tables.spending.read(day, price);
    const objection = this.obstacleOf(wanted, spending, day);
    if (objection !== undefined) return objection;
    const cost = price && expectedCost(spending, price);
    if (!this.hasRoomFor(wanted, cost, now)) return { kind: "full" };
    const waitMs = this.tables.rates.acquire(scope, now, perMinute);
    if (waitMs > 0) return { kind: "rateLimited", waitMs };
    const expected =
      price === undefined ? undefined : this.tables.spending.expect(price, spending, day);
    const id = this.tables.records.newId(now, randomUUID().slice(0, 13));
    const endsBefore = now + maxDurationMs;
    const record = {
      ...facts,
      ...{ id, startedAt: now, endsBefore },
      ...(cost !== undefined && { expectedCents: cost.cents, expectedCurrency: cost.currency }),
    };
    const { registry, skillSlug: skill } = facts;
    const underway = {
      ...{ claim: claim.key, startedAt: now, endsBefore, sentAt: now, expected, registry, skill },
      spender: price && { sender: scope.project, project: concurrency?.project },
    };
    const starts = Number(this.tables.sql.value(startsName) ?? 0) + 1;
    this.tables.sql.put("value", "name", { name: startsName, text: String(starts) });
    this.tables.underway.tidy(day, now);
    this.tables.underway.add(id, underway, day);
    if (wanted.isKept) {
      this.tables.records.write(record);
      this.tables.records.writeTexts(id, wanted.texts);
    }
    return { kind: "started", record };
  }

  end({ record, isKept, texts, scope, outcome, awaitsSecondClick }: InvocationEnd): number {
    const now = this.now();
    const { id, startedAt, status } = record;
    const underway = this.tables.underway.find(id);
    this.tables.spending.settle(record, underway?.expected);
    this.tables.underway.end(id, { awaitsSecondClick, remains: status === "outcome unknown" });
    if (isKept) {
      this.tables.records.write(record);
      this.tables.records.writeTexts(id, texts);
    }
    return this.tables.rates.note(scope, outcome, underway?.sentAt ?? startedAt, now);
  }

  undo(id: string, scope: RateScope): void {
    const underway = this.tables.underway.find(id);
    if (underway === undefined) return;
    if (underway.expected !== undefined) this.tables.spending.release(underway.expected);
    this.tables.rates.release(scope, underway.sentAt);
    this.tables.underway.end(id, { awaitsSecondClick: false, remains: false });
    this.tables.records.remove([id]);
  }

  /** Returns why the invocation may not start: it would exceed a limit, or today's spending is unknown. */
  private obstacleOf(
    { price, dailyLimitCents, isUncountedAllowed, agent }: StartRequest,
    spending: Spending,
    day: string,
  ): StartResult | undefined {
    if (price === undefined) return undefined;
    // A person's free invocation fits any daily limit. Agents also have a limit on the number of invocations.
    const hasDailyLimit = dailyLimitCents !== 0 && price.price.kind !== "free";
    const isUnknown =
      (hasDailyLimit && dailyLimitCents === "unknown") ||
      ((hasDailyLimit || agent !== undefined) && !this.tables.spending.isWhole(day));
    if (isUnknown && !isUncountedAllowed) return { kind: "uncounted" };
    const isOver =
      dailyLimitQuestion(spending, price, dailyLimitCents, day, english) !== undefined ||
      (agent !== undefined && isOverAgentLimits(agent.limits, agentSpending(spending, day, price)));
    return isOver ? { kind: "overLimit", day, spending, isWhole: true } : undefined;
  }

  /** Returns whether the invocation may run beside those of all programs of this machine. */
  private hasRoomFor(
    { facts, scope, concurrency }: StartRequest,
    cost: Amount | undefined,
    now: number,
  ): boolean {
    if (concurrency === undefined) return true;
    const { project, budget, runsAlone, isChosen } = concurrency;
    // If the budget was read in the future, the clock was corrected since. Such a reading does not count.
    const isKnown = budget !== undefined && budget.asOf.at <= now;
    const readAt = isKnown ? budget.asOf.at : now;
    const spender = { sender: scope.project, project };
    const { underWay, mayBeBilled } = this.tables.underway.others(facts, spender, { now, readAt });
    const beside = cost === undefined ? underWay : [...underWay, cost];
    return hasRoom({
      cents: cost?.cents,
      inProgressCents: underWay.map(({ cents }) => cents),
      remainingCents: isKnown
        ? remainingCents(
            budget.left,
            [...this.billedSince(facts, budget.asOf, now), ...mayBeBilled],
            beside,
          )
        : undefined,
      runsAlone,
      isChosen,
    });
  }

  private billedSince(
    of: Parameters<StoreOperations["billedSoFar"]>[0],
    before: BilledSoFar,
    now: number,
  ): readonly Amount[] {
    const { amounts } = this.tables.spending.billedSoFar(of, now, before.at);
    const earlier = new Map(before.amounts.map(({ currency, cents }) => [currency, cents]));
    return amounts.map(({ currency, cents }) => ({
      currency,
      cents: cents - (earlier.get(currency) ?? 0),
    }));
  }
}
