import type { InvocationOutcome } from "../../core/invocation/invocation";
import {
  claimPlace,
  holdFor,
  noteAccepted,
  noteNotSent,
  noteRefused,
  type RateClock,
  type RatePlace,
  readRateClock,
} from "../../core/invocation/limits/rateClock";
import { SharedFile } from "../audit/sharedFile";

/** Keeps the rate clocks of all windows of this machine in one small file. Never rejects. */
export class RateClocks {
  private readonly file: SharedFile<RateClock>;

  constructor(path: string) {
    this.file = new SharedFile(path, readRateClock);
  }

  /**
   * Claims a place in the registry's window for a call that is sent next, noted for all windows as
   * sent at `now`. Resolves to how many whole seconds the call must be held instead; 0 has the place.
   */
  async claim(place: RatePlace, now: number): Promise<number> {
    return inSeconds(await this.file.decide((clock) => claimPlace(clock, place, now)));
  }

  /** Gives a place back that was claimed at `sentAt` for a call that never left. */
  giveBack(place: RatePlace, sentAt: number): Promise<void> {
    return this.file.change((clock) => noteNotSent(clock, place, sentAt));
  }

  /**
   * Notes what became of a call that claimed its place at `sentAt`. Resolves to how many whole seconds
   * the next one must be held.
   */
  async noteOutcome(place: RatePlace, outcome: InvocationOutcome, sentAt: number): Promise<number> {
    const hold = await this.file.decide((clock) => {
      const value = afterOutcome(clock, place, outcome, sentAt);
      return { value, answer: holdFor(value, place, Date.now()) };
    });
    return inSeconds(hold);
  }
}

function afterOutcome(
  clock: RateClock,
  place: RatePlace,
  outcome: InvocationOutcome,
  sentAt: number,
): RateClock {
  switch (outcome.kind) {
    case "notSent":
      return noteNotSent(clock, place, sentAt);
    case "refused": {
      if (outcome.reason !== "rateLimit") return clock;
      const { retryAfterSeconds: seconds, policy } = outcome;
      return noteRefused(clock, place, { seconds, limit: policy?.rateLimit?.limit }, Date.now());
    }
    case "success":
    case "skillError":
      return outcome.pauseSeconds === undefined
        ? noteAccepted(clock, place, sentAt)
        : noteRefused(clock, place, { seconds: outcome.pauseSeconds }, Date.now());
    case "outcomeUnknown":
      return clock;
  }
}

function inSeconds(milliseconds: number): number {
  return Math.ceil(milliseconds / 1000);
}
