import type { Invocation, InvocationOutcome } from "../../core/invocation/invocation";
import {
  holdFor,
  noteAccepted,
  noteRefused,
  noteSent,
  type RateClock,
  readRateClock,
} from "../../core/invocation/rateClock";
import { SharedFile } from "../audit/sharedFile";

/** The window of the gateway, for a refusal that names no time. */
const defaultWaitSeconds = 60;

/** Keeps the rate clocks of all windows of this machine in one small file. Never rejects. */
export class RateClocks {
  private readonly file: SharedFile<RateClock>;

  constructor(path: string) {
    this.file = new SharedFile(path, readRateClock);
  }

  /** Says how many whole seconds a call must be held; 0 sends now. */
  async holdSeconds(registry: string, { skillSlug }: Invocation): Promise<number> {
    return Math.ceil(holdFor(await this.file.get(), registry, skillSlug, Date.now()) / 1000);
  }

  /** Notes that a call is about to be sent. */
  noteSent(registry: string, { skillSlug }: Invocation): Promise<void> {
    return this.file.change((clock) => noteSent(clock, registry, skillSlug, Date.now()));
  }

  /** Notes what an answer says about the rate. */
  async noteOutcome(
    registry: string,
    { skillSlug }: Invocation,
    outcome: InvocationOutcome,
  ): Promise<void> {
    if (outcome.kind === "refused" && outcome.reason === "rateLimit") {
      const { retryAfterSeconds: seconds = defaultWaitSeconds, policy } = outcome;
      const limit = policy?.rateLimit?.limit;
      const refusal = limit === undefined ? { seconds } : { seconds, limit };
      await this.file.change((clock) =>
        noteRefused(clock, registry, skillSlug, refusal, Date.now()),
      );
    } else if (outcome.kind === "success" || outcome.kind === "skillError") {
      const waits = holdFor(await this.file.get(), registry, skillSlug, Date.now()) > 0;
      if (waits) await this.file.change((clock) => noteAccepted(clock, registry, skillSlug));
    }
  }
}
