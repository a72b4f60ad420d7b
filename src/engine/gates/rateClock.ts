import type { InvocationOutcome } from "../../core/invocation/invocation";
import {
  claimSend,
  noteAccepted,
  noteAnswered,
  noteNotSent,
  notePause,
  noteRefused,
  type RateClock,
  type RateScope,
  readRateClock,
  waitMs,
} from "../../core/invocation/rateLimit";
import { SharedFile } from "../files/sharedFile";

/** Stores the rate clocks of all windows of this machine in one small file. Never rejects. */
export class RateClocks {
  private readonly file: SharedFile<RateClock>;

  constructor(path: string) {
    this.file = new SharedFile(path, readRateClock);
  }

  /**
   * Claims a place in the registry's rate window for an invocation that is sent next, noted for all windows
   * as sent at `now`. `perMinute` is what the caller allows itself besides. Resolves to how many milliseconds it must be
   * held instead; 0 if the place was claimed.
   */
  claim(scope: RateScope, now: number, perMinute?: number): Promise<number> {
    return this.file.decide((clock) => claimSend(clock, scope, now, perMinute));
  }

  /** Releases a place that was claimed at `sentAt` for an invocation that was not sent. */
  giveBack(scope: RateScope, sentAt: number): Promise<void> {
    return this.file.change((clock) => noteNotSent(clock, scope, sentAt));
  }

  /**
   * Notes the outcome of an invocation that claimed its place at `sentAt`. Resolves to how many whole seconds
   * the next one must be held.
   */
  async noteOutcome(scope: RateScope, outcome: InvocationOutcome, sentAt: number): Promise<number> {
    // The file may be written later, but the change is about this moment.
    const endedAt = Date.now();
    const hold = await this.file.decide((clock) => {
      const value = afterOutcome(clock, scope, outcome, { sentAt, endedAt });
      return { value, answer: waitMs(value, scope, Date.now()) };
    });
    return inSeconds(hold);
  }
}

/** Notes in a clock how an invocation ended that claimed its place at `sentAt`. */
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

function inSeconds(milliseconds: number): number {
  return Math.ceil(milliseconds / 1000);
}
