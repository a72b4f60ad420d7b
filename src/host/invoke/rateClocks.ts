import type { Invocation, InvocationOutcome } from "../../core/invocation/invocation";
import {
  claimPlace,
  noteAccepted,
  noteNotSent,
  noteRefused,
  type RateClock,
  readRateClock,
} from "../../core/invocation/limits/rateClock";
import { SharedFile } from "../audit/sharedFile";

/** The window of the gateway, for a refusal that names no time. */
const defaultWaitSeconds = 60;

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
  async claim(registry: string, { skillSlug }: Invocation, now: number): Promise<number> {
    const hold = await this.file.decide((clock) => claimPlace(clock, registry, skillSlug, now));
    return Math.ceil(hold / 1000);
  }

  /** Gives a place back that was claimed at `sentAt` for a call that never left. */
  giveBack(registry: string, { skillSlug }: Invocation, sentAt: number): Promise<void> {
    return this.file.change((clock) => noteNotSent(clock, registry, skillSlug, sentAt));
  }

  /** Notes what became of a call that claimed its place at `sentAt`. */
  noteOutcome(
    registry: string,
    { skillSlug: slug }: Invocation,
    outcome: InvocationOutcome,
    sentAt: number,
  ): Promise<void> {
    return this.file.change((clock) => {
      switch (outcome.kind) {
        case "notSent":
          return noteNotSent(clock, registry, slug, sentAt);
        case "refused":
          return outcome.reason === "rateLimit"
            ? noteRefused(clock, registry, slug, waitOf(outcome), Date.now())
            : clock;
        case "success":
        case "skillError":
          return outcome.pauseSeconds === undefined
            ? noteAccepted(clock, registry, slug, sentAt)
            : noteRefused(clock, registry, slug, { seconds: outcome.pauseSeconds }, Date.now());
        case "outcomeUnknown":
          return clock;
      }
    });
  }
}

function waitOf({
  retryAfterSeconds: seconds = defaultWaitSeconds,
  policy,
}: Extract<InvocationOutcome, { kind: "refused" }>) {
  const limit = policy?.rateLimit?.limit;
  return limit === undefined ? { seconds } : { seconds, limit };
}
