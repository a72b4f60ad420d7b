import { randomUUID } from "node:crypto";
import type { DatabaseSync } from "node:sqlite";
import { isOverAgentLimits } from "../../core/agents/gates/spendingLimits";
import {
  agreedTerms,
  maxAgreements,
  type Terms,
  withAgreement,
} from "../../core/invocation/permission/terms";
import type { RateScope } from "../../core/invocation/rateLimit";
import type { InvocationTexts } from "../../core/invocation/record/invocationRecord";
import type { RecordQuery } from "../../core/invocation/record/recordQuery";
import {
  agentSpending,
  dailyLimitQuestion,
  expectedCost,
  type Spending,
} from "../../core/invocation/spending";
import { hasRoom } from "../../core/invocation/underWay";
import { localDay } from "../../core/text/dates";
import { english } from "../../core/text/language";
import type { Program } from "./program";
import type {
  Agreement,
  BilledSoFar,
  EndedStart,
  RetentionSettings,
  StartAnswer,
  StoreQuestions,
  WaitingEvent,
  WantedEvents,
  WantedStart,
} from "./store";
import { startsName } from "./storeAge";
import { OutboxTable } from "./tables/outboxTable";
import { RateTable } from "./tables/rateTable";
import { RecordTable } from "./tables/recordTable";
import { SpendingTable } from "./tables/spendingTable";
import { Statements } from "./tables/statements";
import { UnderwayTable } from "./tables/underwayTable";

/** Answers the questions of the store from an open database. Each call runs in its own transaction. */
export class StoreDatabase implements StoreQuestions {
  private readonly sql: Statements;
  private readonly records: RecordTable;
  private readonly underway: UnderwayTable;
  private readonly spending: SpendingTable;
  private readonly rates: RateTable;
  private readonly outbox: OutboxTable;

  constructor(
    database: DatabaseSync,
    own: Program,
    private readonly now: () => number,
  ) {
    this.sql = new Statements(database);
    this.records = new RecordTable(this.sql, own);
    this.underway = new UnderwayTable(this.sql, own);
    this.spending = new SpendingTable(this.sql);
    this.rates = new RateTable(this.sql);
    this.outbox = new OutboxTable(this.sql, own);
  }

  start(wanted: WantedStart): StartAnswer {
    const { facts, longestMs, claim, scope, perMinute, price, agent, room } = wanted;
    const now = this.now();
    const day = localDay(now);
    if (agent !== undefined) {
      const earlier = this.records.earlier(agent.key, now);
      if (earlier !== undefined) return { kind: "earlier", earlier };
    }
    if (!claim.isTwice && this.underway.isClaimed(claim.key, now)) return { kind: "inProgress" };
    const spending = price === undefined ? [] : this.spending.read(day, price);
    const objection = this.objection(wanted, spending, day, now);
    if (objection !== undefined) return objection;
    const cost = price && expectedCost(spending, price);
    if (!this.hasRoomFor(wanted, cost?.cents, now)) return { kind: "full" };
    const waitMs = this.rates.take(scope, now, perMinute);
    if (waitMs > 0) return { kind: "rateLimited", waitMs };
    const expected = price === undefined ? undefined : this.spending.expect(price, spending, day);
    const id = this.records.newId(now, randomUUID().slice(0, 13));
    const endsBefore = now + longestMs;
    const record = {
      ...facts,
      ...{ id, startedAt: now, endsBefore, pid: process.pid },
      ...(cost !== undefined && { expectedCents: cost.cents, expectedCurrency: cost.currency }),
    };
    const { registry, skillSlug: skill } = facts;
    const underway = {
      ...{ claim: claim.key, startedAt: now, endsBefore, sentAt: now, expected, registry, skill },
      spender: price && { sender: scope.project, project: room?.project },
    };
    this.sql.run(
      "INSERT INTO value (name, text) VALUES (?, 1) ON CONFLICT (name) DO UPDATE SET text = text + 1",
      startsName,
    );
    this.underway.tidy(day, now);
    this.underway.add(id, underway, day);
    if (wanted.isKept) {
      this.records.write(record);
      this.records.writeTexts(id, wanted.texts);
    }
    return { kind: "started", record };
  }

  end({ record, isKept, texts, scope, outcome, awaitsSecondClick }: EndedStart): number {
    const now = this.now();
    const { id, startedAt, status } = record;
    const underway = this.underway.find(id);
    this.spending.settle(record, underway?.expected);
    this.underway.end(id, { awaitsSecondClick, remains: status === "outcome unknown" });
    if (isKept) {
      this.records.write(record);
      this.records.writeTexts(id, texts);
    }
    return this.rates.note(scope, outcome, underway?.sentAt ?? startedAt, now);
  }

  undo(id: string, scope: RateScope): void {
    const underway = this.underway.find(id);
    if (underway === undefined) return;
    if (underway.expected !== undefined) this.spending.release(underway.expected);
    this.rates.giveBack(scope, underway.sentAt);
    this.underway.end(id, { awaitsSecondClick: false, remains: false });
    this.records.remove([id]);
  }

  list(query: RecordQuery) {
    return this.records.list(query, this.now());
  }

  names(query: RecordQuery) {
    return this.records.names(query, this.now());
  }

  sums(query: RecordQuery, inDays: boolean) {
    return this.records.sums(query, inDays, this.now());
  }

  texts(id: string, maxLength?: number) {
    return this.records.texts(id, maxLength);
  }

  addTexts(id: string, texts: InvocationTexts): void {
    if (this.records.has(id)) this.records.writeTexts(id, texts);
  }

  pin(ids: readonly string[], isPinned: boolean): void {
    this.records.pin(ids, isPinned);
  }

  remove(ids: readonly string[]): void {
    this.records.remove(ids);
  }

  retain(retention: RetentionSettings): boolean {
    return this.records.retain(retention, this.now());
  }

  extent() {
    return this.records.extent();
  }

  earlier(key: Parameters<StoreQuestions["earlier"]>[0]) {
    return this.records.earlier(key, this.now());
  }

  spent(of?: Parameters<StoreQuestions["spent"]>[0]) {
    const now = this.now();
    const day = localDay(now);
    return { day, spending: this.spending.read(day, of), isWhole: this.spending.isWhole(now) };
  }

  billedSoFar(of: Parameters<StoreQuestions["billedSoFar"]>[0]) {
    return this.spending.billedSoFar(of, this.now());
  }

  agreed(terms: Terms): Agreement | undefined {
    return agreedTerms(this.agreementsOf(terms), terms) as Agreement | undefined;
  }

  agree(terms: Terms): void {
    const { registry, skillSlug, version } = terms;
    const agreement = { ...terms, for: "person" as const, at: this.now() };
    const kept = withAgreement(this.agreementsOf(terms), agreement).at(-1);
    this.sql.run(
      "INSERT OR REPLACE INTO agreement (registry, skill, version, terms) VALUES (?, ?, ?, ?)",
      ...[registry, skillSlug, version, JSON.stringify(kept)],
    );
    this.sql.run(
      `DELETE FROM agreement WHERE "order" <= (SELECT max("order") FROM agreement) - ?`,
      maxAgreements,
    );
  }

  addRefusal(id: string, text: string, most: number): void {
    this.sql.run("INSERT OR REPLACE INTO refusal (id, text) VALUES (?, ?)", id, text);
    this.sql.run(
      "DELETE FROM refusal WHERE id <= (SELECT id FROM refusal ORDER BY id DESC LIMIT 1 OFFSET ?)",
      most,
    );
  }

  refusals(): readonly string[] {
    return this.sql.rows("SELECT text FROM refusal ORDER BY id").map(({ text }) => String(text));
  }

  noteEvent(id: string, text: string): void {
    this.outbox.note(id, text);
  }

  takeEvents(wanted: WantedEvents) {
    return this.outbox.take(wanted, this.now(), (id) => this.records.isAbandoned(id));
  }

  endTurn(holder: string, delivered: readonly WaitingEvent[]): void {
    this.outbox.end(holder, delivered);
  }

  value(name: string): string | undefined {
    const row = this.sql.row("SELECT text FROM value WHERE name = ?", name);
    return row === undefined ? undefined : String(row["text"]);
  }

  keepValue(name: string, text: string, instead?: { readonly of: string | undefined }): boolean {
    if (instead !== undefined && this.value(name) !== instead.of) return false;
    this.sql.run("INSERT OR REPLACE INTO value (name, text) VALUES (?, ?)", name, text);
    return true;
  }

  changes(): number {
    return Number(this.sql.row("PRAGMA data_version")?.["data_version"]);
  }

  /** Returns why an invocation would cost more than allowed. */
  private objection(
    { price, dailyLimitCents, isUncountedAllowed, agent }: WantedStart,
    spending: Spending,
    day: string,
    now: number,
  ): StartAnswer | undefined {
    if (price === undefined) return undefined;
    // A person's free invocation needs no sum. Agents also have a limit on the number of invocations.
    const hasLimit = agent !== undefined || (dailyLimitCents > 0 && price.price.kind !== "free");
    if (hasLimit && !isUncountedAllowed && !this.spending.isWhole(now))
      return { kind: "uncounted" };
    const isOver =
      dailyLimitQuestion(spending, price, dailyLimitCents, day, english) !== undefined ||
      (agent !== undefined && isOverAgentLimits(agent.limits, agentSpending(spending, day, price)));
    return isOver ? { kind: "overLimit", day, spending, isWhole: true } : undefined;
  }

  /** Returns whether an invocation may run beside those of all programs. */
  private hasRoomFor(
    { facts, scope, room }: WantedStart,
    cents: number | undefined,
    now: number,
  ): boolean {
    if (room === undefined) return true;
    const { project, budget, goesAlone, isChosen } = room;
    // A reading from the future, by a clock that was corrected since, says nothing.
    const isKnown = budget !== undefined && budget.asOf.at <= now;
    const readAt = isKnown ? budget.asOf.at : now;
    const spender = { sender: scope.project, project };
    const { underWay, unknownCents } = this.underway.beside(facts, spender, { now, readAt });
    const leftCents = isKnown
      ? budget.leftCents - this.billedSince(facts, budget.asOf, now) - unknownCents
      : undefined;
    return hasRoom({ cents, beside: underWay, leftCents, goesAlone, isChosen });
  }

  private billedSince(
    of: Parameters<StoreQuestions["billedSoFar"]>[0],
    before: BilledSoFar,
    now: number,
  ): number {
    return this.spending.billedSoFar(of, now, before.at).cents - before.cents;
  }

  private agreementsOf({ registry, skillSlug }: Terms): readonly Agreement[] {
    return this.sql
      .rows(
        `SELECT terms FROM agreement WHERE registry = ? AND skill = ? ORDER BY "order"`,
        ...[registry, skillSlug],
      )
      .map(({ terms }) => JSON.parse(String(terms)) as Agreement);
  }
}
