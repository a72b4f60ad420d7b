import { clockToleranceMs } from "../text/dates";
import type { Language } from "../text/language";
import type { InvocationOutcome } from "./invocation";

/** The scope in which a registry counts invocations: one skill in one project. */
export interface RateScope {
  readonly registry: string;
  /** Identifies the project's key without containing it. */
  readonly project: string;
  readonly skillSlug: string;
}

/** The recent invocations of a skill in a project, and their limits. Times in ms since 1970. */
export interface Rate {
  /** When invocations were sent from here, oldest first. */
  readonly calls: readonly number[];
  /** Invocations allowed in a rolling minute, if a rejection named it. */
  readonly limit?: number;
  /** The time and length of the last wait that the registry required. */
  readonly refusedAt?: number;
  readonly holdMs?: number;
  /** The number of consecutive rejections. */
  readonly refusals?: number;
}

/** The gateway's period in milliseconds: it counts the invocations of a rolling minute, including rejected ones. */
const windowMs = 60_000;
/** The maximum time in milliseconds until an invocation has reached the registry, however long its response takes. */
const arrivalMs = 5_000;
/** The maximum wait between tries while a registry keeps rejecting, in seconds. */
const longestHoldSeconds = 600;

/**
 * Returns how many milliseconds to hold an invocation so that it is not rejected; 0 to send now. `perMinute` is the
 * sender's own additional limit.
 */
export function waitMs(rate: Rate, now: number, perMinute = 0): number {
  return Math.max(remainingHoldMs(rate, now), fullWindowMs(rate, now, perMinute));
}

/** Records the end of an invocation that was counted at `sentAt`. */
export function afterOutcome(
  before: Rate,
  outcome: InvocationOutcome,
  { sentAt, endedAt }: { readonly sentAt: number; readonly endedAt: number },
): Rate {
  if (outcome.kind === "notSent") return withoutCall(before, sentAt);
  const rate = afterAnswer(before, sentAt, endedAt);
  switch (outcome.kind) {
    case "refused": {
      if (outcome.reason !== "rateLimit") return rate;
      const { retryAfterSeconds: seconds, policy } = outcome;
      return afterRefused(rate, { seconds, limit: policy?.rateLimit?.limit }, endedAt, sentAt);
    }
    case "success":
    case "skillError":
      return outcome.pauseSeconds === undefined
        ? afterAccepted(rate, sentAt)
        : afterPause(rate, outcome.pauseSeconds, endedAt);
    case "outcomeUnknown":
      return rate;
  }
}

/** Removes an invocation that was recorded at `sentAt` and never sent. */
function withoutCall(rate: Rate, sentAt: number): Rate {
  const index = rate.calls.indexOf(sentAt);
  return index < 0 ? rate : { ...rate, calls: rate.calls.toSpliced(index, 1) };
}

/**
 * Moves the time of an invocation from sending to its response, but at most 5 s, since the registry counts it from its
 * arrival.
 */
function afterAnswer(rate: Rate, sentAt: number, now: number): Rate {
  const index = rate.calls.indexOf(sentAt);
  if (index < 0) return rate;
  const arrivedAt = Math.max(sentAt, Math.min(now, sentAt + arrivalMs));
  const calls = rate.calls.with(index, arrivedAt).toSorted((one, other) => one - other);
  return { ...rate, calls };
}

/**
 * Records that the registry rejected an invocation sent at `sentAt`, and its limit if named. If the registry names no
 * wait, the next invocation waits until the oldest recorded one leaves the window. It waits for a whole window if the
 * recorded ones do not fill it. Consecutive rejections increase the wait, even beyond the registry's own value.
 * Rejections of invocations that were in progress together count once.
 */
export function afterRefused(
  before: Rate,
  refusal: { readonly seconds?: number | undefined; readonly limit?: number | undefined },
  now: number,
  sentAt: number = now,
): Rate {
  const { refusedAt, refusals: earlier = 0 } = before;
  const isNext = refusedAt === undefined || sentAt > refusedAt;
  const refusals = isNext ? earlier + 1 : Math.max(1, earlier);
  const { seconds, limit = 0 } = refusal;
  const refused = { ...before, ...(limit > 0 && { limit }), refusedAt: now, refusals };
  if (refusals === 1 && seconds === undefined && fullWindowMs(refused, now) > 0) {
    return { ...refused, holdMs: 0 };
  }
  const backOff = refusals === 1 ? 0 : Math.min(longestHoldSeconds, 2 ** (refusals - 1));
  return { ...refused, holdMs: Math.max(seconds ?? windowMs / 1000, backOff) * 1000 };
}

/** Records that the registry accepted an invocation and requires a pause of so many seconds before the next. */
function afterPause({ refusals: _, ...rate }: Rate, seconds: number, now: number): Rate {
  return { ...rate, refusedAt: now, holdMs: Math.max(0, seconds) * 1000 };
}

/**
 * Ends a wait early, because the registry accepted an invocation, sent at `sentAt`, before the wait was over. An
 * invocation that was sent before the rejection proves nothing.
 */
function afterAccepted(rate: Rate, sentAt: number): Rate {
  const { refusedAt, holdMs: _holdMs, refusals: _refusals, ...rest } = rate;
  return refusedAt === undefined || sentAt <= refusedAt ? rate : rest;
}

/**
 * Returns the rest of a wait after a rejection. A rejection with a time in the future was recorded while the clock was
 * ahead; it causes no wait, and the registry decides.
 */
function remainingHoldMs({ refusedAt, holdMs = 0 }: Rate, now: number): number {
  if (refusedAt === undefined || refusedAt > now + clockToleranceMs) return 0;
  return Math.max(0, holdMs - Math.max(0, now - refusedAt));
}

/** Returns the time until the oldest of the invocations that fill the window leaves it. */
function fullWindowMs({ limit = 0, calls }: Rate, now: number, perMinute = 0): number {
  const lowest = lowestLimit(limit, perMinute);
  if (lowest === undefined) return 0;
  // A time in the future was recorded while the clock was ahead.
  const recent = calls.filter((time) => time > now - windowMs && time <= now + clockToleranceMs);
  const oldest = recent.at(-lowest);
  return oldest === undefined ? 0 : Math.min(windowMs, Math.max(0, oldest + windowMs - now));
}

/** Header fields by lower-case name; repeated fields are joined with ", ". */
export type RetryHeaders = Readonly<Record<string, string | undefined>>;

/** The maximum wait in seconds: a day. A longer `Retry-After` is shortened to it. */
const longestWaitSeconds = 86_400;

/** The fields that state a wait, with the length of their unit in seconds. Typed clients contain this table. */
export const retryFields = [
  ["retry-after", 1],
  ["retry-after-ms", 0.001],
  ["x-ms-retry-after-ms", 0.001],
  ["x-ratelimit-reset-after", 1],
] as const;

/** The fields that state when a limit is reset, and those with its remaining invocations. */
const resetFields = [
  ["ratelimit-reset", "ratelimit-remaining"],
  ["x-ratelimit-reset", "x-ratelimit-remaining"],
  ["x-ratelimit-reset-requests", "x-ratelimit-remaining-requests"],
  ["x-ratelimit-reset-tokens", "x-ratelimit-remaining-tokens"],
] as const;

/**
 * Returns how many whole seconds a response requires to wait: the longest value that can be read. Values are numbers,
 * durations (`6m0s`) or dates; a reset may also be a time since 1970. The reset of a limit with remaining invocations
 * does not count. Dates are compared with the response's own `Date`, so that a wrong local clock does not matter.
 * Rounded up, between 0 and a day; undefined without a readable value. `now` in milliseconds.
 */
export function retryAfterSeconds(headers: RetryHeaders, now: number): number | undefined {
  const clock = readHttpDate(headers["date"]?.trim() ?? "") ?? now;
  const waits = retryFields.flatMap(([name, unit]) => waitsIn(headers[name], clock, unit));
  const resets = resetFields
    .filter(([, remaining]) => !((readNumber(headers[remaining]?.trim() ?? "") ?? 0) > 0))
    .flatMap(([name]) => resetsIn(headers[name], now, clock));
  return longest([...waits, ...resets, fromRateLimit(headers["ratelimit"])]);
}

/**
 * Returns how many whole seconds the next invocation must wait after an accepted one, if the `RateLimit` fields state
 * that it was the last of its window. Read like `retryAfterSeconds`. Undefined if more invocations remain or the fields
 * are missing.
 */
export function pauseSeconds(headers: RetryHeaders, now: number): number | undefined {
  const clock = readHttpDate(headers["date"]?.trim() ?? "") ?? now;
  const resets = resetFields
    .filter(([, remaining]) => readNumber(headers[remaining]?.trim() ?? "") === 0)
    .flatMap(([name]) => resetsIn(headers[name], now, clock));
  return longest([...resets, exhaustedReset(headers["ratelimit"])]);
}

function longest(values: readonly (number | undefined)[]): number | undefined {
  const known = values.filter((value) => value !== undefined);
  return known.length === 0 ? undefined : clampedSeconds(Math.max(...known));
}

function clampedSeconds(seconds: number): number {
  return Math.min(longestWaitSeconds, Math.max(0, Math.ceil(seconds)));
}

/** Reads the waits of a field in seconds. `clock` is the time of the response; a bare number is in `unit` seconds. */
function waitsIn(value: string | undefined, clock: number, unit: number): readonly number[] {
  return linesOf(value).flatMap((line) => {
    const number = readNumber(line);
    if (number !== undefined) return [number * unit];
    const date = readHttpDate(line) ?? readIsoDate(line);
    return date === undefined ? (readDuration(line) ?? []) : [(date - clock) / 1000];
  });
}

/** Reads the resets of a field like waits. A number that is too large for a wait is a time since 1970, in s or ms. */
function resetsIn(value: string | undefined, now: number, clock: number): readonly number[] {
  return linesOf(value).flatMap((line) => {
    const number = readNumber(line);
    if (number === undefined || number <= 1_000_000_000) return waitsIn(line, clock, 1);
    return [(number > 100_000_000_000 ? number / 1000 : number) - now / 1000];
  });
}

/** Splits the joined lines of a field. The comma after the name of a day belongs to a date. */
function linesOf(value = ""): readonly string[] {
  return value
    .slice(0, 1000)
    .split(/(?<!\b(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)[a-z]{0,6}),/)
    .map((line) => line.trim());
}

const secondsOf: Readonly<Record<string, number>> = { d: 86_400, h: 3600, m: 60, s: 1, ms: 0.001 };

/** Reads a duration such as `6m0s`, `1.5s` or `200ms`, in seconds. */
function readDuration(text: string): number | undefined {
  if (!/^(?:\d{1,9}(?:\.\d{1,9})?(?:ms|[dhms]))+$/i.test(text)) return undefined;
  const parts = text.toLowerCase().matchAll(/([\d.]+)(ms|[dhms])/g);
  return [...parts].reduce(
    (sum, [, n = "", unit = ""]) => sum + Number(n) * (secondsOf[unit] ?? 0),
    0,
  );
}

function readIsoDate(text: string): number | undefined {
  const isDate = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,9})?(?:Z|[+-]\d\d:\d\d)$/i.test(text);
  const time = isDate ? Date.parse(text) : Number.NaN;
  return Number.isNaN(time) ? undefined : time;
}

/** Returns the longest reset of the exhausted limits, else the reset of the first limit. */
function fromRateLimit(value: string | undefined): number | undefined {
  return exhaustedReset(value) ?? parameterOf("t|reset", value ?? "");
}

/** Returns the longest reset of the exhausted limits; undefined if none is exhausted. */
function exhaustedReset(value: string | undefined): number | undefined {
  if (value === undefined) return undefined;
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
export function lowestLimit(...limits: readonly (number | undefined)[]): number | undefined {
  const valid = limits.flatMap((limit = 0) => (limit > 0 ? [limit] : []));
  return valid.length === 0 ? undefined : Math.min(...valid);
}
