import type { CallKey, EarlierCall } from "../../core/agents/gates/earlierCall";
import type { AgentSpendingLimits } from "../../core/agents/gates/spendingLimits";
import type { AuditEvent } from "../../core/audit/auditEvent";
import type { InvocationOutcome } from "../../core/invocation/invocation";
import type { Terms } from "../../core/invocation/permission/terms";
import type { RateScope } from "../../core/invocation/rateLimit";
import type {
  InvocationRecord,
  InvocationTexts,
} from "../../core/invocation/record/invocationRecord";
import type { RecordQuery } from "../../core/invocation/record/recordQuery";
import type { PricedInvocation, Spending } from "../../core/invocation/spending";
import type { UsageGroup } from "../../core/invocation/usage/usage";

/** An invocation to start, and the limits that may delay or stop it. */
export interface StartRequest {
  /** The facts for its record. The store adds its name and its times. */
  readonly facts: Omit<InvocationRecord, "id" | "startedAt" | "endsBefore">;
  /** Its maximum duration, in milliseconds. Without an end by then, its outcome counts as unknown. */
  readonly maxDurationMs: number;
  /** False if invocations are not stored. It counts for limits anyway. */
  readonly isKept: boolean;
  /** Stored with the record; empty if texts are not stored. */
  readonly texts: InvocationTexts;
  /** `key` is equal for equal invocations. `isDuplicateAllowed` sends even while an equal one is in progress. */
  readonly claim: { readonly key: string; readonly isDuplicateAllowed: boolean };
  readonly scope: RateScope;
  /** The caller's own maximum per minute, in addition to the registry's limit; undefined for no limit. */
  readonly perMinute: number | undefined;
  /** The expected cost; undefined for an invocation that is not billed, such as a test run. */
  readonly price: PricedInvocation | undefined;
  /** Which invocations may run beside it; undefined for any. */
  readonly concurrency: ConcurrencyLimits | undefined;
  /** The daily limit in hundredths of the registry's currency; 0 for no limit. */
  readonly dailyLimitCents: number;
  /** Continues although today's spending is unknown. */
  readonly isUncountedAllowed: boolean;
  /** Set for an agent's invocation. */
  readonly agent: AgentStartLimits | undefined;
}

/** The invocations of its skill, for its project, beside which an invocation may run. */
export interface ConcurrencyLimits {
  /** The project; undefined if unknown. Other invocations count unless they are for another project. */
  readonly project: string | undefined;
  /**
   * The least remaining amount of its budget, in hundredths, and the amount billed until that was read; undefined if
   * unknown.
   */
  readonly budget: { readonly leftCents: number; readonly asOf: BilledSoFar } | undefined;
  /** Whether it must show the real price before others run. */
  readonly runsAlone: boolean;
  /** Whether a person chose how many run at once, or their maximum cost. */
  readonly isChosen: boolean;
}

/** The amount billed on this machine for a skill up to a time. Later readings are compared with it. */
export interface BilledSoFar {
  /** In milliseconds since 1970. */
  readonly at: number;
  /** In hundredths of any currency, for the day of `at`, the day before and all days after. */
  readonly cents: number;
}

/** The limits of an agent's invocation. */
export interface AgentStartLimits {
  /** An invocation with the same key is not repeated. */
  readonly key: CallKey;
  readonly limits: AgentSpendingLimits;
}

/** The invocation was recorded as running, or why not. */
export type StartResult =
  | { readonly kind: "started"; readonly record: InvocationRecord }
  /** An invocation with the same payload is in progress. */
  | { readonly kind: "inProgress" }
  /** Together with those in progress, it could exceed the project's budget. */
  | { readonly kind: "full" }
  | { readonly kind: "rateLimited"; readonly waitMs: number }
  /** An agent already made the same invocation. */
  | { readonly kind: "earlier"; readonly earlier: EarlierCall }
  /** It would exceed the daily limit, or the limit of agents. */
  | ({ readonly kind: "overLimit" } & SpentToday)
  /** A limit is set, but part of today's spending was lost. */
  | { readonly kind: "uncounted" };

/** The end of a started invocation. */
export interface InvocationEnd {
  readonly record: InvocationRecord;
  readonly isKept: boolean;
  readonly texts: InvocationTexts;
  readonly scope: RateScope;
  /** The outcome for the rate limit, without its output. */
  readonly outcome: InvocationOutcome;
  /** Keeps its claim for a moment, so that the second click of a double click finds it. */
  readonly awaitsSecondClick: boolean;
}

/** Some records, newest first. */
export interface RecordPage {
  readonly records: readonly InvocationRecord[];
  /** The value of `before` for the next page; undefined after the last one. */
  readonly next: string | undefined;
}

/** Names of records, newest first, each with when it started in milliseconds since 1970. */
export interface NamePage {
  readonly names: readonly RecordName[];
  /** As of a `RecordPage`. */
  readonly next: string | undefined;
}

/** The sums of some records. */
export interface SumsPage {
  readonly groups: readonly UsageGroup[];
  /** As of a `RecordPage`. */
  readonly next: string | undefined;
}

/** The name of a record. */
export type RecordName = Pick<InvocationRecord, "id" | "startedAt">;

/** The spending of a day. */
export interface SpentToday {
  /** `YYYY-MM-DD`, local time. */
  readonly day: string;
  /** The spending of the day, and the amounts of the last day on which the requested skill was billed. */
  readonly spending: Spending;
  /** False if a part was lost with a damaged file. */
  readonly isWhole: boolean;
}

/** The number of stored invocations, and the time of the oldest. */
export interface RecordCount {
  readonly count: number;
  /** When the oldest of them started, in milliseconds since 1970; undefined without one. */
  readonly since: number | undefined;
}

/** How far back the record goes. Invocations of series are counted separately. */
export interface RecordExtent {
  readonly single: RecordCount;
  readonly ofBatches: RecordCount;
}

/** The maximum number and age of stored invocations: none with `maxEntries` 0, any age with `maxDays` 0. */
export interface RetentionSettings {
  readonly maxEntries: number;
  readonly maxDays: number;
}

/** Terms that a person agreed to. */
export interface Agreement extends Terms {
  /**
   * For whom the agreement counts: a person, whatever program on this machine they use. It does not count for
   * unattended runs.
   */
  readonly for: "person";
  /** In milliseconds since 1970. */
  readonly at: number;
}

/** An event for the collector of the audit export, with its text. A later state of the event has another text. */
export interface WaitingEvent {
  readonly event: AuditEvent;
  readonly text: string;
}

/** A request for the next events to deliver. */
export interface EventsRequest {
  /** Identifies the delivering program. Others wait for it until this time, in milliseconds since 1970. */
  readonly holder: string;
  readonly until: number;
  readonly most: number;
  /** Only these IDs, or all except these. */
  readonly ids: readonly string[];
  readonly areExcluded: boolean;
}

/** The oldest waiting events. */
export interface DeliveryTurn {
  readonly events: readonly WaitingEvent[];
  /** How many older events were removed because too many waited. */
  readonly dropped: number;
}

/**
 * The questions to the store of this machine. Each is one transaction: it happens completely, even after a kill, or not
 * at all. Times come from the store. Each throws a `StoreProblem`.
 */
export interface StoreOperations {
  /**
   * Claims an invocation, its place in the minute and its price, and records it as running; or returns the obstacle.
   */
  start(wanted: StartRequest): StartResult;
  /** Records the end of an invocation. Returns the milliseconds that the next one must wait. */
  end(ended: InvocationEnd): number;
  /** Removes an invocation that was started but not sent, with all its traces. */
  undo(id: string, scope: RateScope): void;
  /** Lists invocations, newest first. */
  list(query: RecordQuery): RecordPage;
  /** Lists only the names, which is faster. */
  names(query: RecordQuery): NamePage;
  /**
   * Adds up some invocations. With `inDays`, returns all members of `UsageGroup`, else only those by which a filter
   * chooses.
   */
  sums(query: RecordQuery, inDays: boolean): SumsPage;
  /** Returns the payload and output of an invocation, or their first `most` characters. Undefined without a record. */
  texts(id: string, most?: number): InvocationTexts | undefined;
  /** Adds texts to an existing record. */
  addTexts(id: string, texts: InvocationTexts): void;
  /** Exempts records from the retention, or ends that. */
  pin(ids: readonly string[], isPinned: boolean): void;
  /** Deletes records permanently. */
  remove(ids: readonly string[]): void;
  /** Removes some of the records beyond the retention. Returns whether there are more to remove. */
  retain(retention: RetentionSettings): boolean;
  /** Returns how far back the record goes. */
  extent(): RecordExtent;
  /** Finds an earlier invocation of an agent that blocks this one as a repeat. */
  earlier(key: CallKey): EarlierCall | undefined;
  /** Returns today's spending, and the amounts of the last day on which a skill was billed. */
  spent(of?: { readonly registry: string; readonly skillSlug: string }): SpentToday;
  /** Returns the billed amount of a skill. Call it before reading something that bills change. */
  billedSoFar(of: { readonly registry: string; readonly skillSlug: string }): BilledSoFar;
  /** Returns a person's agreement about a skill: for this version, else the last one. */
  agreed(terms: Terms): Agreement | undefined;
  /** Stores a person's agreement. */
  agree(terms: Terms): void;
  /** Adds a refusal of an agent's request. Keeps the newest `most`. */
  addRefusal(id: string, text: string, most: number): void;
  /** Lists refusals of agents' requests, the oldest first. */
  refusals(): readonly string[];
  /** Stores an event for the collector of the audit export. Replaces its earlier state. */
  noteEvent(id: string, text: string): void;
  /**
   * Takes the turn to deliver, and returns the oldest events that have ended; undefined while another program has the
   * turn.
   */
  takeEvents(wanted: EventsRequest): DeliveryTurn | undefined;
  /** Ends the turn. Removes `delivered` events unless they changed meanwhile. */
  endTurn(holder: string, delivered: readonly WaitingEvent[]): void;
  /** Returns a JSON text that all programs of this machine share; undefined if none has this name. */
  value(name: string): string | undefined;
  /** Stores a shared text. Returns false, and stores nothing, if the current text differs from the one to replace. */
  keepValue(name: string, text: string, instead?: { readonly of: string | undefined }): boolean;
  /** Returns a number that changes after another program changed anything. */
  changes(): number;
}

/** The questions with asynchronous answers. If one rejects with a `StoreProblem`, nothing happened. */
export type Store = {
  readonly [Name in keyof StoreOperations]: (
    ...asked: Parameters<StoreOperations[Name]>
  ) => Promise<ReturnType<StoreOperations[Name]>>;
};
