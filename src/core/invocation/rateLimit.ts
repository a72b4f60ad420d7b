import { isJsonObject } from "../json/jsonValue";
import type { Language } from "../text/language";
import type { InvocationOutcome } from "./invocation";

/** The scope in which a registry counts invocations: one skill in one project. */
export interface RateScope {
  readonly registry: string;
  /** Identifies the project's key without containing it. */
  readonly project: string;
  readonly skillSlug: string;
}

/** The invocations of a skill in a project, and their limits. Times in ms since 1970. */
export interface RateEntry extends RateScope {
  /** When invocations were sent from this machine, oldest first; at most as many as `keptCalls` says. */
  readonly calls: readonly number[];
  /** Invocations allowed in a rolling minute, if a rejection named it. */
  readonly limit?: number;
  /** When the registry last asked for a wait, and its length. */
  readonly refusedAt?: number;
  readonly holdMs?: number;
  /** The number of consecutive rejections. */
  readonly refusals?: number;
}

/** The entries of all recently invoked skills, of every window of this machine; least recently used first. */
export type RateClock = readonly RateEntry[];

/** The gateway counts over a rolling minute, rejected invocations included. */
const windowMs = 60_000;
/** The number of remembered invocations while no limit is known; never more than `maxCalls`. */
const usualCalls = 100;
/** The maximum limit: 10,000 a minute is more than one machine sends. */
const maxCalls = 10_000;
/** The maximum number of entries, since the list is read before each invocation. */
const maxEntries = 200;
/** The tolerance for a clock between two reads, in milliseconds. Beyond it, the clock was set back. */
const toleranceMs = 2_000;
/** An invocation has reached the registry after this time, in milliseconds, however long its response takes. */
const arrivalMs = 5_000;
/** The maximum wait between tries while a registry keeps rejecting, in seconds. */
const longestHoldSeconds = 600;

/**
 * Returns how many milliseconds to hold an invocation so that it is not rejected; 0 to send now. `perMinute` is the
 * sender's own additional limit.
 */
export function waitMs(clock: RateClock, scope: RateScope, now: number, perMinute = 0): number {
  const entry = find(clock, scope);
  if (entry === undefined) return 0;
  return Math.max(afterRefusal(entry, now), whileFull(entry, now, perMinute));
}

/**
 * Returns how many milliseconds an invocation must wait, and records it as sent if that is 0. Both happen in one step,
 * so that only one of two windows gets the last place in a minute.
 */
export function claimSend(
  clock: RateClock,
  scope: RateScope,
  now: number,
  perMinute = 0,
): { readonly value: RateClock; readonly answer: number } {
  const hold = waitMs(clock, scope, now, perMinute);
  return hold > 0
    ? { value: clock, answer: hold }
    : { value: noteSent(clock, scope, now, perMinute), answer: 0 };
}

/** Records an invocation that is sent now. `perMinute` determines how many are remembered. */
export function noteSent(
  clock: RateClock,
  scope: RateScope,
  now: number,
  perMinute = 0,
): RateClock {
  const entry = find(clock, scope) ?? { ...scope, calls: [] };
  const kept = Math.min(maxCalls, Math.max(keptCalls(entry), perMinute));
  const calls = [...recentInvocations(entry, now), now].slice(-kept);
  return withEntry(clock, { ...entry, calls });
}

/** Moves an invocation to the time of its response, at most 5 s later, since the registry counts from its arrival. */
export function noteAnswered(
  clock: RateClock,
  scope: RateScope,
  sentAt: number,
  now: number,
): RateClock {
  const entry = find(clock, scope);
  const index = entry?.calls.indexOf(sentAt) ?? -1;
  if (entry === undefined || index < 0) return clock;
  const arrivedAt = Math.max(sentAt, Math.min(now, sentAt + arrivalMs));
  const calls = entry.calls.with(index, arrivedAt).toSorted((one, other) => one - other);
  return withEntry(clock, { ...entry, calls });
}

/** Records the limit per rolling minute before any rejection. */
export function noteLimit(clock: RateClock, scope: RateScope, limit: number): RateClock {
  return withEntry(clock, { ...(find(clock, scope) ?? { ...scope, calls: [] }), limit });
}

/** Removes an invocation that was recorded at `sentAt` and then not sent. */
function noteNotSent(clock: RateClock, scope: RateScope, sentAt: number): RateClock {
  const entry = find(clock, scope);
  const index = entry?.calls.indexOf(sentAt) ?? -1;
  if (entry === undefined || index < 0) return clock;
  return withEntry(clock, { ...entry, calls: entry.calls.filter((_time, at) => at !== index) });
}

/**
 * Records that the registry rejected an invocation sent at `sentAt`, and its limit if named. If it names only its limit
 * and the recorded invocations fill the window, the wait lasts until the oldest of them leaves it; otherwise a whole
 * window. Consecutive rejections increase the wait, whatever the registry says. Rejections of invocations that were in
 * progress together count once.
 */
export function noteRefused(
  clock: RateClock,
  scope: RateScope,
  refusal: { readonly seconds?: number | undefined; readonly limit?: number | undefined },
  now: number,
  sentAt: number = now,
): RateClock {
  const before: RateEntry = find(clock, scope) ?? { ...scope, calls: [] };
  const { refusedAt, refusals: earlier = 0 } = before;
  const isNext = refusedAt === undefined || sentAt > refusedAt;
  const refusals = isNext ? earlier + 1 : Math.max(1, earlier);
  const { seconds, limit = 0 } = refusal;
  const known = { ...before, ...(limit > 0 && { limit }), refusedAt: now, refusals };
  if (refusals === 1 && seconds === undefined && whileFull(known, now) > 0) {
    return withEntry(clock, { ...known, holdMs: 0 });
  }
  const backOff = refusals === 1 ? 0 : Math.min(longestHoldSeconds, 2 ** (refusals - 1));
  const holdMs = Math.max(seconds ?? windowMs / 1000, backOff) * 1000;
  return withEntry(clock, { ...known, holdMs });
}

/** Records that the registry accepted an invocation and requires a pause of so many seconds. */
function notePause(clock: RateClock, scope: RateScope, seconds: number, now: number): RateClock {
  const { refusals: _, ...entry }: RateEntry = find(clock, scope) ?? { ...scope, calls: [] };
  return withEntry(clock, { ...entry, refusedAt: now, holdMs: Math.max(0, seconds) * 1000 });
}

/**
 * Ends a wait, because the registry accepted an invocation, sent at `sentAt`, before the wait was over. An invocation
 * that was sent before the rejection proves nothing.
 */
export function noteAccepted(clock: RateClock, scope: RateScope, sentAt: number): RateClock {
  const entry = find(clock, scope);
  if (entry?.refusedAt === undefined || sentAt <= entry.refusedAt) return clock;
  const { refusedAt: _refusedAt, holdMs: _holdMs, refusals: _refusals, ...rest } = entry;
  return withEntry(clock, rest);
}

/** Records the outcome of an invocation that took its place at `sentAt`. */
export function afterOutcome(
  before: RateClock,
  scope: RateScope,
  outcome: InvocationOutcome,
  { sentAt, endedAt }: { readonly sentAt: number; readonly endedAt: number },
): RateClock {
  if (outcome.kind === "notSent") return noteNotSent(before, scope, sentAt);
  const clock = noteAnswered(before, scope, sentAt, endedAt);
  switch (outcome.kind) {
    case "refused": {
      if (outcome.reason !== "rateLimit") return clock;
      const { retryAfterSeconds: seconds, policy } = outcome;
      const refused = { seconds, limit: policy?.rateLimit?.limit };
      return noteRefused(clock, scope, refused, endedAt, sentAt);
    }
    case "success":
    case "skillError":
      return outcome.pauseSeconds === undefined
        ? noteAccepted(clock, scope, sentAt)
        : notePause(clock, scope, outcome.pauseSeconds, endedAt);
    case "outcomeUnknown":
      return clock;
  }
}

/** Parses the stored entries. Leaves out damaged ones. */
export function readRateClock(value: unknown): RateClock {
  return Array.isArray(value) ? value.filter(isEntry).slice(-maxEntries) : [];
}

/**
 * Returns the rest of a wait after a rejection. A rejection in the future was recorded while the clock was ahead; it
 * causes no wait, and the registry decides.
 */
function afterRefusal({ refusedAt, holdMs = 0 }: RateEntry, now: number): number {
  if (refusedAt === undefined || refusedAt > now + toleranceMs) return 0;
  return Math.max(0, holdMs - Math.max(0, now - refusedAt));
}

/** Returns how many invocations to remember: as many as the limit, so that a full window is noticed. */
function keptCalls({ limit = 0 }: Pick<RateEntry, "limit">): number {
  return Math.min(maxCalls, Math.max(usualCalls, limit));
}

/** Returns the time until the oldest invocation in a full window leaves it. */
function whileFull(entry: RateEntry, now: number, perMinute = 0): number {
  const limits = [entry.limit ?? 0, perMinute].filter((limit) => limit > 0);
  if (limits.length === 0) return 0;
  const oldest = recentInvocations(entry, now).at(-Math.min(...limits));
  return oldest === undefined ? 0 : Math.min(windowMs, Math.max(0, oldest + windowMs - now));
}

/**
 * Lists the invocations of the last minute. Ignores those in the future, which were written while the clock was ahead.
 */
function recentInvocations({ calls }: RateEntry, now: number): readonly number[] {
  return calls.filter((time) => time > now - windowMs && time <= now + toleranceMs);
}

function find(clock: RateClock, scope: RateScope): RateEntry | undefined {
  return clock.find((entry) => isSame(entry, scope));
}

function withEntry(clock: RateClock, entry: RateEntry): RateClock {
  const others = clock.filter((other) => !isSame(other, entry));
  return [...others, entry].slice(-maxEntries);
}

function isSame(one: RateScope, other: RateScope): boolean {
  return (
    one.registry === other.registry &&
    one.project === other.project &&
    one.skillSlug === other.skillSlug
  );
}

function isEntry(value: unknown): value is RateEntry {
  if (!isJsonObject(value)) return false;
  const { registry, project, skillSlug, calls, limit, refusedAt, holdMs, refusals } = value;
  const numbers = [limit, refusedAt, holdMs, refusals].filter((number) => number !== undefined);
  return (
    typeof registry === "string" &&
    typeof project === "string" &&
    typeof skillSlug === "string" &&
    Array.isArray(calls) &&
    calls.length <= maxCalls &&
    [...calls, ...numbers].every(Number.isFinite)
  );
}

/** The header fields that require a pause, in lower case. */
export interface RetryHeaders {
  readonly "retry-after"?: string | undefined;
  readonly date?: string | undefined;
  readonly ratelimit?: string | undefined;
  readonly "ratelimit-reset"?: string | undefined;
  readonly "x-ratelimit-reset"?: string | undefined;
  readonly "ratelimit-remaining"?: string | undefined;
  readonly "x-ratelimit-remaining"?: string | undefined;
}

/** The maximum wait in seconds: a day. A longer `Retry-After` is shortened to it. */
const longestWaitSeconds = 86_400;

/**
 * Returns how many whole seconds a response requires to wait: `Retry-After` in seconds or as a date, else the
 * `RateLimit` fields. Dates are compared with the response's own `Date`, so that a wrong local clock does not matter.
 * Rounded up, between 0 and a day; undefined without a readable value. `now` in milliseconds.
 */
export function retryAfterSeconds(headers: RetryHeaders, now: number): number | undefined {
  const seconds =
    fromRetryAfter(headers["retry-after"], headers.date, now) ??
    fromRateLimit(headers.ratelimit) ??
    fromReset(headers["ratelimit-reset"] ?? headers["x-ratelimit-reset"], now);
  return seconds === undefined ? undefined : sensible(seconds);
}

/**
 * Returns how many whole seconds the next invocation must wait after an accepted one, if the `RateLimit` fields say
 * that it was the last of its window. Limited as above; undefined where invocations are left or the fields are missing.
 */
export function pauseSeconds(headers: RetryHeaders, now: number): number | undefined {
  const { ratelimit } = headers;
  const left = headers["ratelimit-remaining"] ?? headers["x-ratelimit-remaining"];
  const reset = headers["ratelimit-reset"] ?? headers["x-ratelimit-reset"];
  const isLast = readNumber(left?.trim() ?? "") === 0;
  const seconds = whenUsedUp(ratelimit) ?? (isLast ? fromReset(reset, now) : undefined);
  return seconds === undefined ? undefined : sensible(seconds);
}

function sensible(seconds: number): number {
  return Math.min(longestWaitSeconds, Math.max(0, Math.ceil(seconds)));
}

function fromRetryAfter(
  value: string | undefined,
  date: string | undefined,
  now: number,
): number | undefined {
  const text = value?.trim();
  if (!text) return undefined;
  const seconds = readNumber(text);
  if (seconds !== undefined) return seconds;
  const until = readHttpDate(text);
  if (until === undefined) return undefined;
  return (until - (readHttpDate(date?.trim() ?? "") ?? now)) / 1000;
}

/** Returns the time of the exhausted limits, else of the first limit. */
function fromRateLimit(value: string | undefined): number | undefined {
  return whenUsedUp(value) ?? parameterOf("t|reset", value ?? "");
}

/** Returns the longest time of the exhausted limits; undefined if none is exhausted. */
function whenUsedUp(value = ""): number | undefined {
  // `"burst";r=0;t=5, "day";r=9;t=3600`, or `limit=10, remaining=0, reset=50` as older drafts have it.
  const limits = value.includes(";") ? value.split(",") : [value];
  const used = limits.filter((limit) => parameterOf("r|remaining", limit) === 0);
  const times = used.flatMap((limit) => parameterOf("t|reset", limit) ?? []);
  return times.length === 0 ? undefined : Math.max(...times);
}

function parameterOf(names: string, value: string): number | undefined {
  const parameter = new RegExp(`(?:^|[;,\\s])(?:${names})\\s*=\\s*"?(\\d{1,15})\\b`, "i");
  const [, number] = parameter.exec(value) ?? [];
  return number === undefined ? undefined : Number(number);
}

/** Returns seconds from now. A number that is too large for that is a time in seconds since 1970. */
function fromReset(value: string | undefined, now: number): number | undefined {
  const seconds = readNumber(value?.trim() ?? "");
  if (seconds === undefined) return undefined;
  return seconds > 1_000_000_000 ? seconds - now / 1000 : seconds;
}

function readNumber(text: string): number | undefined {
  return /^[+-]?\d{1,15}(\.\d{1,9})?$/.test(text) ? Number(text) : undefined;
}

/** Parses an HTTP date. RFC 9110's three date forms all start with the name of a day. */
function readHttpDate(text: string): number | undefined {
  if (!/^(Mon|Tue|Wed|Thu|Fri|Sat|Sun)[a-z]*,? /.test(text)) return undefined;
  // The asctime form names no zone and also means GMT.
  const time = Date.parse(/GMT$|[+-]\d{4}$/.test(text) ? text : `${text} GMT`);
  return Number.isNaN(time) ? undefined : time;
}

/**
 * Formats a remaining wait, rounded up: `1 second`, below two minutes `42 seconds`, below two hours `10 minutes`, then
 * `24 hours`.
 */
export function waitText(seconds: number, { t }: Language): string {
  const whole = Math.max(1, Math.ceil(seconds));
  const minutes = Math.ceil(whole / 60);
  if (whole === 1) return t("1 second");
  if (whole < 120) return t("{seconds} seconds", { seconds: whole });
  return minutes < 120
    ? t("{minutes} minutes", { minutes })
    : t("{hours} hours", { hours: Math.ceil(minutes / 60) });
}

/** Returns the lowest of several limits. Undefined is no limit; invalid values are ignored. */
export function lowerOf(...limits: readonly (number | undefined)[]): number | undefined {
  const known = limits.flatMap((limit = 0) => (limit > 0 ? [limit] : []));
  return known.length === 0 ? undefined : Math.min(...known);
}
