import type { AgentSpendingLimits, CallKey, EarlierCall } from "../../core/agents/agentGates";
import type { AuditEvent } from "../../core/audit/auditEvent";
import type { InvocationOutcome } from "../../core/invocation/invocation";
import type { InvocationStatus } from "../../core/invocation/outcome";
import type { Terms } from "../../core/invocation/permission/terms";
import type { RateScope } from "../../core/invocation/rateLimit";
import type {
  CallerKind,
  InvocationRecord,
  InvocationTexts,
} from "../../core/invocation/record/invocationRecord";
import type { PricedInvocation, Spending } from "../../core/invocation/spending";

/** An invocation that is to be sent next, and what may hold it back. */
export interface WantedStart {
  /** The facts of its record; the store adds its name, its times and this process. */
  readonly facts: Omit<InvocationRecord, "id" | "startedAt" | "endsBefore" | "pid">;
  /** Its maximum duration, in milliseconds: without an end it counts as unknown after that. */
  readonly longestMs: number;
  /** False where nothing is kept of invocations: it is counted all the same. */
  readonly isKept: boolean;
  /** Kept with the record; empty where texts are not kept. */
  readonly texts: InvocationTexts;
  /** What the same invocation has in common, and whether it is sent also while the same is in progress. */
  readonly claim: { readonly key: string; readonly isTwice: boolean };
  readonly scope: RateScope;
  /** How many of a minute the caller allows itself, besides the registry's limit; undefined for no limit. */
  readonly perMinute: number | undefined;
  /** What it is expected to cost; undefined where it is not billed, as a test run. */
  readonly price: PricedInvocation | undefined;
  /** What it may be beside; undefined where it may be beside any. */
  readonly room: WantedRoom | undefined;
  /** What may be spent a day, in hundredths of the registry's currency; 0 is no limit. */
  readonly dailyLimitCents: number;
  /** Goes on although what was spent today is not known. */
  readonly isUncountedAllowed: boolean;
  /** Set for an agent's invocation. */
  readonly agent: AgentStart | undefined;
}

/** What an invocation may be beside: others of its skill, for its project, that are under way. */
export interface WantedRoom {
  /** The project; undefined where that is not known. Others count unless they are for another one. */
  readonly project: string | undefined;
  /** What was left of its budget at least, in hundredths, and what was billed by then; undefined where it is not known. */
  readonly budget: { readonly leftCents: number; readonly asOf: BilledSoFar } | undefined;
  /** Whether it has to show what one is billed. */
  readonly goesAlone: boolean;
  /** Whether a person chose how many, or what they may cost. */
  readonly isChosen: boolean;
}

/** What this machine was billed for a skill up to a time: later readings are compared with it. */
export interface BilledSoFar {
  /** In milliseconds since 1970. */
  readonly at: number;
  /** In hundredths of whatever currency, of the day of `at`, the one before and all after. */
  readonly cents: number;
}

/** What an agent's invocation may not pass. */
export interface AgentStart {
  /** The same invocation is not made again. */
  readonly key: CallKey;
  readonly limits: AgentSpendingLimits;
}

/** Whether an invocation may be sent: it was noted as running, or why it was not. */
export type StartAnswer =
  | { readonly kind: "started"; readonly record: InvocationRecord }
  /** The same payload is being sent. */
  | { readonly kind: "inProgress" }
  /** Beside those that are under way it could pass the project's budget. */
  | { readonly kind: "full" }
  | { readonly kind: "rateLimited"; readonly waitMs: number }
  /** An agent made the same invocation before. */
  | { readonly kind: "earlier"; readonly earlier: EarlierCall }
  /** With it, today's cost would pass the limit, or the one of agents. */
  | ({ readonly kind: "overLimit" } & SpentToday)
  /** A limit is set, and a part of what was spent today was lost. */
  | { readonly kind: "uncounted" };

/** How an invocation ended that was started. */
export interface EndedStart {
  readonly record: InvocationRecord;
  readonly isKept: boolean;
  readonly texts: InvocationTexts;
  readonly scope: RateScope;
  /** What the rate clock goes by; without its output. */
  readonly outcome: InvocationOutcome;
  /** Keeps its claim until the second click of a double click is over. */
  readonly awaitsSecondClick: boolean;
}

/** Which invocations of the record are meant; what is left out is not asked for. Newest first. */
export interface RecordQuery {
  readonly id?: string;
  readonly registry?: string;
  readonly skills?: readonly string[];
  readonly statuses?: readonly InvocationStatus[];
  readonly callers?: readonly CallerKind[];
  readonly projects?: readonly string[];
  readonly profiles?: readonly string[];
  /** In milliseconds since 1970; `until` is not included. */
  readonly since?: number;
  readonly until?: number;
  readonly payloadId?: string;
  /** Only those that a registry named so. */
  readonly invocationIds?: readonly string[];
  readonly isPinned?: boolean;
  /** Only the names or invocation IDs that begin with this. */
  readonly idStart?: string;
  /** Only those that sort before this name, as the last of a page did. */
  readonly before?: string;
  /** How many at most. */
  readonly limit?: number;
}

/** Some records, newest first. */
export interface RecordPage {
  readonly records: readonly InvocationRecord[];
  /** What `before` is for the next page; undefined where this was the last. */
  readonly next: string | undefined;
}

/** What was spent on a day. */
export interface SpentToday {
  /** `YYYY-MM-DD`, local time. */
  readonly day: string;
  /** What was spent on the day, and what the skill in question was billed on the last day that it was. */
  readonly spending: Spending;
  /** False where a part of it was lost with a damaged file. */
  readonly isWhole: boolean;
}

/** How many invocations are kept, and since when. */
export interface KeptSince {
  readonly count: number;
  /** When the oldest of them started, in milliseconds since 1970; undefined where there is none. */
  readonly since: number | undefined;
}

/** How far back the record goes: of invocations by themselves, and of those of series, which are counted apart. */
export interface RecordExtent {
  readonly single: KeptSince;
  readonly ofSeries: KeptSince;
}

/** How many invocations are kept, and for how long; none with `maxEntries` 0, of any age with `maxDays` 0. */
export interface RetentionSettings {
  readonly maxEntries: number;
  readonly maxDays: number;
}

/** Terms that a person agreed to. */
export interface Agreement extends Terms {
  /** Who it counts for: a person, wherever they invoke on this machine, and nobody who only runs unattended. */
  readonly for: "person";
  /** In milliseconds since 1970. */
  readonly at: number;
}

/** An event that the collector of the audit export is to have, with its text: a later state of it has another one. */
export interface WaitingEvent {
  readonly event: AuditEvent;
  readonly text: string;
}

/** Which events are delivered next, and by whom. */
export interface WantedEvents {
  /** Names whoever delivers, for whom the others wait until this time, in milliseconds since 1970. */
  readonly holder: string;
  readonly until: number;
  /** How many at most. */
  readonly most: number;
  /** Only these, or all but these. */
  readonly ids: readonly string[];
  readonly areExcluded: boolean;
}

/** The oldest events that wait. */
export interface EventsInTurn {
  readonly events: readonly WaitingEvent[];
  /** How many older ones were removed, since too many waited. */
  readonly dropped: number;
}

/**
 * What the store of this machine is asked. Each question is one transaction: all of it happened, also after a kill, or
 * nothing of it. The time is the store's. Each throws a `StoreProblem`.
 */
export interface StoreQuestions {
  /** Claims an invocation, its place in the minute and its price, and records it as running; or says why not. */
  start(wanted: WantedStart): StartAnswer;
  /** Records how an invocation ended. Returns how many milliseconds the next one must be held. */
  end(ended: EndedStart): number;
  /** Takes back an invocation that was started and not sent: as if it had never been. */
  undo(id: string, scope: RateScope): void;
  /** Lists invocations, newest first. */
  list(query: RecordQuery): RecordPage;
  /** Returns the payload and output of an invocation; undefined where there is no record, or they exceed `maxLength`. */
  texts(id: string, maxLength?: number): InvocationTexts | undefined;
  /** Adds texts to a record that is there. */
  addTexts(id: string, texts: InvocationTexts): void;
  /** Exempts records from the retention, or no longer. */
  pin(ids: readonly string[], isPinned: boolean): void;
  /** Removes records permanently. */
  remove(ids: readonly string[]): void;
  /** Removes some of the records beyond the retention. Returns whether there are more to remove. */
  retain(retention: RetentionSettings): boolean;
  /** Returns how far back the record goes. */
  extent(): RecordExtent;
  /** Finds the same invocation of an agent, where it stands in the way of another. */
  earlier(key: CallKey): EarlierCall | undefined;
  /** Returns what was spent today, and what a skill was billed when it last was. */
  spent(of?: { readonly registry: string; readonly skillSlug: string }): SpentToday;
  /** Returns what was billed for a skill, before something is read that it changes. */
  billedSoFar(of: { readonly registry: string; readonly skillSlug: string }): BilledSoFar;
  /** Returns what a person agreed to of a skill: for this version, else for the one agreed to last. */
  agreed(terms: Terms): Agreement | undefined;
  /** Keeps what a person agreed to now. */
  agree(terms: Terms): void;
  /** Adds what an agent was refused, of which the newest `most` are kept. */
  addRefusal(id: string, text: string, most: number): void;
  /** Lists what agents were refused, the oldest first. */
  refusals(): readonly string[];
  /** Notes an event for the collector of the audit export, in place of an earlier state of it. */
  noteEvent(id: string, text: string): void;
  /** Takes the turn to deliver, and returns the oldest events of what is over; undefined while it is another's turn. */
  takeEvents(wanted: WantedEvents): EventsInTurn | undefined;
  /** Ends the turn. Removes what was `delivered`, but for what changed meanwhile. */
  endTurn(holder: string, delivered: readonly WaitingEvent[]): void;
  /** Returns the JSON text that all programs of this machine share by a name; undefined where there is none. */
  value(name: string): string | undefined;
  /** Keeps one. Returns false, and keeps nothing, where another text than the one to be replaced is there. */
  keepValue(name: string, text: string, instead?: { readonly of: string | undefined }): boolean;
  /** Returns a number that differs once another program has changed anything. */
  changes(): number;
}

/** The questions, each answered later. Rejects with a `StoreProblem` where nothing happened. */
export type Store = {
  readonly [Name in keyof StoreQuestions]: (
    ...asked: Parameters<StoreQuestions[Name]>
  ) => Promise<ReturnType<StoreQuestions[Name]>>;
};
