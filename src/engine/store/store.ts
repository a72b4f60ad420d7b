import type { CallKey, EarlierCall } from "../../core/agents/gates/earlierCall";
import type { AgentSpendingLimits } from "../../core/agents/gates/spendingLimits";
import type { AuditEvent } from "../../core/audit/auditEvent";
import type { OtlpSignal } from "../../core/audit/otlpSettings";
import type { Amount } from "../../core/invocation/cost";
import type { InvocationOutcome } from "../../core/invocation/invocation";
import type { Terms } from "../../core/invocation/permission/terms";
import type { RateScope } from "../../core/invocation/rateLimit";
import type {
  InvocationRecord,
  InvocationTexts,
} from "../../core/invocation/record/invocationRecord";
import type { RecordQuery } from "../../core/invocation/record/recordQuery";
import type { DailyLimit, PricedInvocation, Spending } from "../../core/invocation/spending";
import type { UsageGroup } from "../../core/invocation/usage/usage";

/** A request to start an invocation, and the limits that may delay or stop it. */
export interface StartRequest {
  /** The facts for its record. The store adds its ID and its times. */
  readonly facts: Omit<InvocationRecord, "id" | "startedAt" | "endsBefore">;
  /** Its maximum duration, in milliseconds. If it has no end by then, its outcome counts as unknown. */
  readonly maxDurationMs: number;
  /** Whether it is stored in the record. Limits count it anyway. */
  readonly isKept: boolean;
  /** The payload to store with the record; empty if texts are not stored. */
  readonly texts: InvocationTexts;
  /**
   * `key` is equal for equal invocations. With `isDuplicateAllowed`, the invocation starts even while an equal one is
   * in progress.
   */
  readonly claim: { readonly key: string; readonly isDuplicateAllowed: boolean };
  readonly scope: RateScope;
  /** The caller's own limit per minute, in addition to the registry's limit; undefined for no limit. */
  readonly perMinute: number | undefined;
  /** The expected cost; undefined for an invocation that is not billed, such as a test run. */
  readonly price: PricedInvocation | undefined;
  /** The limits of concurrency; undefined for none. */
  readonly concurrency: ConcurrencyLimits | undefined;
  readonly dailyLimitCents: DailyLimit;
  /** Whether to continue although today's spending is unknown. */
  readonly isUncountedAllowed: boolean;
  /** Set for an agent's invocation. */
  readonly agent: AgentStartLimits | undefined;
}

/** The limits that decide whether an invocation may run beside others of its skill. */
export interface ConcurrencyLimits {
  /** The sender's project; undefined if unknown. Invocations of another known project do not count. */
  readonly project: string | undefined;
  /**
   * The smallest remaining amount of the project's budgets, and the amounts that were billed before the budgets were
   * read; undefined if unknown.
   */
  readonly budget: { readonly left: Amount; readonly asOf: BilledSoFar } | undefined;
  /** Whether no other invocation may run until this one has shown the real price. */
  readonly runsAlone: boolean;
  /** Whether a person chose how many run at once, or their maximum cost. */
  readonly isChosen: boolean;
}

/**
 * The amounts that this machine was billed for a skill until some time. The difference between two of them is what was
 * billed in between.
 */
export interface BilledSoFar {
  /** In milliseconds since 1970. */
  readonly at: number;
  /** The sum of each currency. Covers the day of `at`, the day before, and all later days. */
  readonly amounts: readonly Amount[];
}

/** The limits of an agent's invocation in the store. */
export interface AgentStartLimits {
  /** Identifies repeats: an invocation with the same key is not sent again. */
  readonly key: CallKey;
  readonly limits: AgentSpendingLimits;
}

/** The record of the started invocation, or why it did not start. */
export type StartResult =
  | { readonly kind: "started"; readonly record: InvocationRecord }
  /** An invocation with the same payload is in progress. */
  | { readonly kind: "inProgress" }
  /** With the invocations in progress, this one could exceed the project's budget. */
  | { readonly kind: "full" }
  | { readonly kind: "rateLimited"; readonly waitMs: number }
  /** An agent already made the same invocation. */
  | { readonly kind: "earlier"; readonly earlier: EarlierCall }
  /** The invocation would exceed the daily limit, or the limit of agents. */
  | ({ readonly kind: "overLimit" } & SpentToday)
  /** A limit is set, but part of today's spending was lost; or it is unknown whether a limit is set. */
  | { readonly kind: "uncounted" };

/** The end of a started invocation. */
export interface InvocationEnd {
  readonly record: InvocationRecord;
  readonly isKept: boolean;
  readonly texts: InvocationTexts;
  readonly scope: RateScope;
  /** The outcome for the rate limit, without its output. */
  readonly outcome: InvocationOutcome;
  /** Whether duplicates stay blocked for a moment after the end, because a double click would send one. */
  readonly awaitsSecondClick: boolean;
}

/** A page of records, newest first. */
export interface RecordPage {
  readonly records: readonly InvocationRecord[];
  /** The value of `before` for the next page; undefined after the last page. */
  readonly next: string | undefined;
}

/** A page of IDs of records, newest first, with their start times in milliseconds since 1970. */
export interface NamePage {
  readonly names: readonly RecordName[];
  /** See `RecordPage`. */
  readonly next: string | undefined;
}

/** The sums of a page of records. */
export interface SumsPage {
  readonly groups: readonly UsageGroup[];
  /** See `RecordPage`. */
  readonly next: string | undefined;
}

/** The ID and the start time of a record. */
export type RecordName = Pick<InvocationRecord, "id" | "startedAt">;

/** The spending of a day. */
export interface SpentToday {
  /** `YYYY-MM-DD`, local time. */
  readonly day: string;
  /** The spending of the day. For the requested skill, also the amounts of the last day on which it was billed. */
  readonly spending: Spending;
  /** False if part of the spending was lost with a damaged file. */
  readonly isWhole: boolean;
}

/** The number of stored invocations, and the time of the oldest. */
export interface RecordCount {
  readonly count: number;
  /** When the oldest one started, in milliseconds since 1970; undefined if there is none. */
  readonly since: number | undefined;
}

/** How far back the record goes. Single invocations and those of batches are counted separately. */
export interface RecordExtent {
  readonly single: RecordCount;
  readonly ofBatches: RecordCount;
}

/**
 * The maximum number and age of stored invocations. With `maxEntries` 0, none are stored; with `maxDays` 0, the age has
 * no limit.
 */
export interface RetentionSettings {
  readonly maxEntries: number;
  readonly maxDays: number;
}

/** Terms that a person agreed to. */
export interface Agreement extends Terms {
  /** An agreement counts for a person in all programs of this machine, but not for unattended runs. */
  readonly for: "person";
  /** In milliseconds since 1970. */
  readonly at: number;
}

/** An event for the collector, with its stored text. The text differs for each state of the event. */
export interface WaitingEvent {
  readonly event: AuditEvent;
  readonly text: string;
}

/** A request for the next events to deliver. */
export interface EventsRequest {
  /** The ID of the delivering program, whose turn it is until `until`, in milliseconds since 1970. */
  readonly holder: string;
  readonly until: number;
  /** The signal to deliver. Each has its own turn and its own acknowledgements. */
  readonly signal: OtlpSignal;
  /** The signals that are exported. An event leaves the store once the collector has all of them. */
  readonly exported: readonly OtlpSignal[];
  readonly most: number;
  /** The IDs to choose from, or to exclude. */
  readonly ids: readonly string[];
  readonly areExcluded: boolean;
}

/** The turn to end. */
export type TurnOf = Pick<EventsRequest, "holder" | "signal" | "exported">;

/** The events to deliver in this turn, oldest first. */
export interface DeliveryTurn {
  readonly events: readonly WaitingEvent[];
  /** How many older events were removed because too many were waiting. */
  readonly dropped: number;
}

/**
 * The operations of this machine's store. Each is one transaction: even after a kill, it happened completely or not at
 * all. The store supplies the times. Each operation throws a `StoreProblem`.
 */
export interface StoreOperations {
  /**
   * Claims an invocation, counts it in the rate limit, adds its expected price, and records it as running. Or returns
   * why it may not start.
   */
  start(wanted: StartRequest): StartResult;
  /** Records the end of an invocation. Returns the milliseconds that the next invocation must wait. */
  end(ended: InvocationEnd): number;
  /** Removes all traces of an invocation that was started but not sent. */
  undo(id: string, scope: RateScope): void;
  /** Lists invocations, newest first. */
  list(query: RecordQuery): RecordPage;
  /** Lists only the IDs, which is faster. */
  names(query: RecordQuery): NamePage;
  /**
   * Adds up the matching invocations of a page. With `inDays`, the groups have all members of `UsageGroup`; otherwise
   * only those that filters use.
   */
  sums(query: RecordQuery, inDays: boolean): SumsPage;
  /**
   * Returns the payload and output of an invocation. With `most`, returns at most their first `most` characters.
   * Undefined without a record.
   */
  texts(id: string, most?: number): InvocationTexts | undefined;
  /** Adds texts to an existing record. */
  addTexts(id: string, texts: InvocationTexts): void;
  /** Pins records, so that `retain` skips them, or unpins them. */
  pin(ids: readonly string[], isPinned: boolean): void;
  /** Deletes records permanently. */
  remove(ids: readonly string[]): void;
  /** Removes some of the records that are too many or too old. Returns whether there may be more. */
  retain(retention: RetentionSettings): boolean;
  /** Returns how far back the record goes. */
  extent(): RecordExtent;
  /** Finds an agent's earlier invocation that makes this one a repeat. */
  earlier(key: CallKey): EarlierCall | undefined;
  /** Returns today's spending. For the given skill, also the amounts of the last day on which it was billed. */
  spent(of?: { readonly registry: string; readonly skillSlug: string }): SpentToday;
  /**
   * Returns the amount that was billed for a skill so far. Call it before reading a budget, so that the amounts billed
   * later can be subtracted.
   */
  billedSoFar(of: { readonly registry: string; readonly skillSlug: string }): BilledSoFar;
  /** Returns a person's agreement to the terms of a skill: for this version, or else the newest one. */
  agreed(terms: Terms): Agreement | undefined;
  /** Stores a person's agreement. It replaces the one for the same version. */
  agree(terms: Terms): void;
  /** Adds a rejected request of an agent. Keeps only the newest `most`. */
  addRefusal(id: string, text: string, most: number): void;
  /** Lists the rejected requests of agents, oldest first. */
  refusals(): readonly string[];
  /** Stores an event for the audit export. Replaces its earlier state. */
  noteEvent(id: string, text: string): void;
  /**
   * Takes the turn to deliver, and returns the oldest completed events. Undefined while it is another program's turn.
   */
  takeEvents(wanted: EventsRequest): DeliveryTurn | undefined;
  /**
   * Ends the turn. Acknowledges the `delivered` events for its signal, unless they changed meanwhile, and removes those
   * that no other exported signal waits for.
   */
  endTurn(turn: TurnOf, delivered: readonly WaitingEvent[]): void;
  /** Returns a text that all programs of this machine share; undefined if there is none with this name. */
  value(name: string): string | undefined;
  /**
   * Stores a shared text. With `instead`, only replaces the text `instead.of`: if the current text is another one,
   * returns false and stores nothing.
   */
  keepValue(name: string, text: string, instead?: { readonly of: string | undefined }): boolean;
  /** Returns a number that changes whenever another program changes the store. */
  changes(): number;
}

/** The operations for asynchronous callers. If one rejects with a `StoreProblem`, nothing happened. */
export type Store = {
  readonly [Name in keyof StoreOperations]: (
    ...asked: Parameters<StoreOperations[Name]>
  ) => Promise<ReturnType<StoreOperations[Name]>>;
};
