import { isJsonObject } from "../../text/json";

/** What is known of how often one skill may be called at one registry. Times in ms since 1970. */
export interface RateEntry {
  readonly registry: string;
  readonly skillSlug: string;
  /** When calls were sent from this machine, oldest first, at most `maxCalls` of them. */
  readonly calls: readonly number[];
  /** Calls allowed in a rolling minute, where a refusal said so. */
  readonly limit?: number;
  /** When the registry last asked to wait, and for how long. */
  readonly refusedAt?: number;
  readonly holdMs?: number;
}

/** The clocks of all skills called lately, of every window of this machine; used longest ago first. */
export type RateClock = readonly RateEntry[];

/** The gateway counts over a rolling minute, refused calls too (wire contract, section 2). */
const windowMs = 60_000;
const maxCalls = 100;
const maxEntries = 200;
/** A clock may be off by this much between two reads without having been set back. */
const toleranceMs = 2_000;

/** Says how many milliseconds a call must be held so that it does not count as refused; 0 sends now. */
export function holdFor(clock: RateClock, registry: string, slug: string, now: number): number {
  const entry = find(clock, registry, slug);
  return entry === undefined ? 0 : Math.max(afterRefusal(entry, now), whileFull(entry, now));
}

/**
 * Says how many milliseconds a call must be held, and notes it as sent now where that is 0. Both in
 * one step: of two windows that ask for the last place in a minute, one gets it.
 */
export function claimPlace(
  clock: RateClock,
  registry: string,
  slug: string,
  now: number,
): { readonly value: RateClock; readonly answer: number } {
  const hold = holdFor(clock, registry, slug, now);
  return hold > 0
    ? { value: clock, answer: hold }
    : { value: noteSent(clock, registry, slug, now), answer: 0 };
}

/** Notes that a call is sent now. */
export function noteSent(clock: RateClock, registry: string, slug: string, now: number): RateClock {
  const entry = find(clock, registry, slug) ?? { registry, skillSlug: slug, calls: [] };
  const calls = [...recentCalls(entry, now), now].slice(-maxCalls);
  return withEntry(clock, { ...entry, calls });
}

/** Takes back a call that was noted at `sentAt` and never left. */
export function noteNotSent(
  clock: RateClock,
  registry: string,
  slug: string,
  sentAt: number,
): RateClock {
  const entry = find(clock, registry, slug);
  const index = entry?.calls.indexOf(sentAt) ?? -1;
  if (entry === undefined || index < 0) return clock;
  return withEntry(clock, { ...entry, calls: entry.calls.filter((_time, at) => at !== index) });
}

/** Notes that the registry asks to wait, and the limit where given: it refused a call, or took the last one. */
export function noteRefused(
  clock: RateClock,
  registry: string,
  slug: string,
  refusal: { readonly seconds: number; readonly limit?: number },
  now: number,
): RateClock {
  const entry = find(clock, registry, slug) ?? { registry, skillSlug: slug, calls: [] };
  const { seconds, limit } = refusal;
  return withEntry(clock, {
    ...entry,
    refusedAt: now,
    holdMs: Math.max(0, seconds) * 1000,
    ...(limit !== undefined && limit > 0 && { limit }),
  });
}

/**
 * Forgets a wait: the registry took a call, sent at `sentAt`, before it was over. A call that was on
 * its way when another one was refused says nothing of that.
 */
export function noteAccepted(
  clock: RateClock,
  registry: string,
  slug: string,
  sentAt: number,
): RateClock {
  const entry = find(clock, registry, slug);
  if (entry?.refusedAt === undefined || sentAt <= entry.refusedAt) return clock;
  const { refusedAt: _refusedAt, holdMs: _holdMs, ...rest } = entry;
  return withEntry(clock, rest);
}

/** Reads a clock from what a file held. What is damaged is left out. */
export function readRateClock(value: unknown): RateClock {
  return Array.isArray(value) ? value.filter(isEntry).slice(-maxEntries) : [];
}

/**
 * What is left of the wait asked for. Where the machine's clock was set back behind the refusal, the
 * wait starts anew: too long by some seconds is better than a refusal that counts as well.
 */
function afterRefusal({ refusedAt, holdMs = 0 }: RateEntry, now: number): number {
  if (refusedAt === undefined) return 0;
  const passed = now - refusedAt;
  if (passed < -toleranceMs) return holdMs;
  return Math.max(0, holdMs - Math.max(0, passed));
}

/** Until the oldest of the calls that fill the window leaves it. */
function whileFull(entry: RateEntry, now: number): number {
  if (entry.limit === undefined) return 0;
  const calls = recentCalls(entry, now);
  const oldest = calls.at(-entry.limit);
  return oldest === undefined ? 0 : Math.min(windowMs, Math.max(0, oldest + windowMs - now));
}

/** Calls of the last minute. One from the future was noted by a clock that is right no more. */
function recentCalls({ calls }: RateEntry, now: number): readonly number[] {
  return calls.filter((time) => time > now - windowMs && time <= now + toleranceMs);
}

function find(clock: RateClock, registry: string, slug: string): RateEntry | undefined {
  return clock.find((entry) => entry.registry === registry && entry.skillSlug === slug);
}

function withEntry(clock: RateClock, entry: RateEntry): RateClock {
  const others = clock.filter(
    ({ registry, skillSlug }) => registry !== entry.registry || skillSlug !== entry.skillSlug,
  );
  return [...others, entry].slice(-maxEntries);
}

function isEntry(value: unknown): value is RateEntry {
  if (!isJsonObject(value)) return false;
  const { registry, skillSlug, calls, limit, refusedAt, holdMs } = value;
  const numbers = [limit, refusedAt, holdMs].filter((number) => number !== undefined);
  return (
    typeof registry === "string" &&
    typeof skillSlug === "string" &&
    Array.isArray(calls) &&
    calls.length <= maxCalls &&
    [...calls, ...numbers].every(Number.isFinite)
  );
}
