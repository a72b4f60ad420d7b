import type { Language } from "../../text/language";

/** The header fields that ask for a pause, by lower-case name. */
export interface RetryHeaders {
  readonly "retry-after"?: string | undefined;
  readonly date?: string | undefined;
  readonly ratelimit?: string | undefined;
  readonly "ratelimit-reset"?: string | undefined;
  readonly "x-ratelimit-reset"?: string | undefined;
  readonly "ratelimit-remaining"?: string | undefined;
  readonly "x-ratelimit-remaining"?: string | undefined;
}

/** The longest wait that is offered, in seconds: a day. A registry that asks for more gets that. */
const longestWaitSeconds = 86_400;

/**
 * Reads how many whole seconds an answer asks to wait: `Retry-After` in seconds or as a date, counted
 * from the answer's own `Date` so that a wrong clock does not matter, else the `RateLimit` fields.
 * Rounded up, between 0 and a day; undefined where nothing readable is asked. `now` in milliseconds.
 */
export function retryAfterSeconds(headers: RetryHeaders, now: number): number | undefined {
  const seconds =
    fromRetryAfter(headers["retry-after"], headers.date, now) ??
    fromRateLimit(headers.ratelimit) ??
    fromReset(headers["ratelimit-reset"] ?? headers["x-ratelimit-reset"], now);
  return seconds === undefined ? undefined : sensible(seconds);
}

/**
 * Reads how many whole seconds the next invocation must wait after one that was taken, where the
 * `RateLimit` fields say that it was the last of its window. Bounded as above; undefined where invocations
 * are left or nothing is said.
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

/** The time of the limits that are used up, else of the one that is named first. */
function fromRateLimit(value: string | undefined): number | undefined {
  return whenUsedUp(value) ?? parameterOf("t|reset", value ?? "");
}

/** The longest of the limits that leave no invocation; undefined where each leaves one. */
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

/** Seconds from now, or, where the number is too large for that, a time in seconds since 1970. */
function fromReset(value: string | undefined, now: number): number | undefined {
  const seconds = readNumber(value?.trim() ?? "");
  if (seconds === undefined) return undefined;
  return seconds > 1_000_000_000 ? seconds - now / 1000 : seconds;
}

function readNumber(text: string): number | undefined {
  return /^[+-]?\d{1,15}(\.\d{1,9})?$/.test(text) ? Number(text) : undefined;
}

/** RFC 9110's three date forms all start with the name of a day. */
function readHttpDate(text: string): number | undefined {
  if (!/^(Mon|Tue|Wed|Thu|Fri|Sat|Sun)[a-z]*,? /.test(text)) return undefined;
  // The asctime form names no zone and means GMT as well.
  const time = Date.parse(/GMT$|[+-]\d{4}$/.test(text) ? text : `${text} GMT`);
  return Number.isNaN(time) ? undefined : time;
}

/** Says a whole number of seconds in a sentence: `1 second`, `42 seconds`. */
export function secondsText(seconds: number, { t }: Language): string {
  return seconds === 1 ? t("1 second") : t("{seconds} seconds", { seconds });
}
