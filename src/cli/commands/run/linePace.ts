import {
  noteLimit,
  noteRefused,
  noteSent,
  type RateClock,
  waitMs,
} from "../../../core/invocation/rateLimit";

/** How fast lines may follow each other, by a monotonic clock. Refusals are counted for one line. */
export interface LinePace {
  /** Milliseconds until the next line may be sent. */
  readonly waitMs: () => number;
  /** Notes that a line was answered, with whatever outcome. */
  readonly answered: () => void;
  /** Notes that the registry refused a line for the `refusals`-th time, and what it said of that. */
  readonly refused: (
    refusals: number,
    said: { readonly seconds?: number | undefined; readonly limit?: number | undefined },
  ) => void;
}

/** Timers may fire early, and the registry's clock is another one. */
const marginMs = 100;
/** What a registry counts over that names no time. */
const windowSeconds = 60;
/** The only skill and project of this clock. */
const scope = { registry: "", project: "", skillSlug: "" };

/**
 * Keeps to `perMinute` invocations in any minute, undefined for no limit known: a burst, and then one line
 * whenever an older one leaves the window. A line counts from its answer, since it came to the registry
 * before that. A registry that goes on refusing a line is asked ever more seldom.
 */
export function linePace(perMinute: number | undefined, now: () => number): LinePace {
  let clock: RateClock = perMinute === undefined ? [] : noteLimit([], scope, perMinute);
  return {
    waitMs: () => {
      const wait = waitMs(clock, scope, now());
      return wait > 0 ? wait + marginMs : 0;
    },
    answered: () => {
      clock = noteSent(clock, scope, now());
    },
    refused: (refusals, { seconds, limit = perMinute }) => {
      const said = {
        seconds:
          refusals === 1 && seconds === undefined
            ? undefined
            : Math.max(seconds ?? windowSeconds, 2 ** (refusals - 1)),
        limit: limit && Math.min(limit, perMinute ?? limit),
      };
      clock = noteRefused(clock, scope, said, now());
    },
  };
}
