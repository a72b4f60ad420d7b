/** The header fields that ask for a pause, by lower-case name. */
export interface RetryHeaders {
  readonly "retry-after"?: string | undefined;
  readonly date?: string | undefined;
  readonly ratelimit?: string | undefined;
  readonly "ratelimit-reset"?: string | undefined;
  readonly "x-ratelimit-reset"?: string | undefined;
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
  if (seconds === undefined) return undefined;
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

/** `"default";r=0;t=30`, or `limit=10, remaining=0, reset=30` as older drafts have it. */
function fromRateLimit(value: string | undefined): number | undefined {
  const [, seconds] = /(?:^|[;,\s])(?:t|reset)\s*=\s*"?(\d{1,15})\b/i.exec(value ?? "") ?? [];
  return seconds === undefined ? undefined : Number(seconds);
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
