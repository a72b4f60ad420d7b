import type { InvocationOutcome } from "../core/invocation/invocation";
import {
  afterOutcome,
  claimSend,
  lowerOf,
  noteNotSent,
  type RateClock,
  type RateScope,
  readRateClock,
  waitMs,
} from "../core/invocation/rateLimit";
import { parsedJson } from "../core/json/jsonValue";
import type { SharedRate } from "../engine/passage";
import { QueueProblem, type RedisQueue } from "./redisQueue";

const readScript = `
return {redis.call('TIME'), redis.call('GET', KEYS[1]) or '', redis.call('GET', KEYS[2]) or ''}`;
const writeScript = `
if (redis.call('GET', KEYS[1]) or '') ~= ARGV[1] then return 0 end
redis.call('SET', KEYS[1], ARGV[2])
return 1`;

/** What is decided on: the clock of all workers, and what Redis says the time is, in milliseconds since 1970. */
interface Seen {
  readonly clock: RateClock;
  readonly now: number;
  readonly perMinute: number | undefined;
}

/** The rate clock of all workers of a queue. Times are those of Redis: the clocks of machines differ. */
export class QueueClocks implements SharedRate {
  private last: Promise<unknown> = Promise.resolve();

  constructor(private readonly queue: RedisQueue) {}

  claim(scope: RateScope, perMinute: number | undefined) {
    return this.decide(
      (seen) => {
        const limit = lowerOf(perMinute, seen.perMinute);
        const { value, answer: waitMs } = claimSend(seen.clock, scope, seen.now, limit);
        return { value, answer: { waitMs, place: waitMs > 0 ? undefined : seen.now } };
      },
      // Nothing may be sent that the others do not know of.
      { waitMs: 1000, place: undefined },
    );
  }

  async giveBack(scope: RateScope, place: number | undefined): Promise<void> {
    if (place === undefined) return;
    await this.decide(
      ({ clock }) => ({ value: noteNotSent(clock, scope, place), answer: undefined }),
      undefined,
    );
  }

  noteOutcome(
    scope: RateScope,
    outcome: InvocationOutcome,
    place: number | undefined,
  ): Promise<number> {
    return this.decide(({ clock, now }) => {
      const value = afterOutcome(clock, scope, outcome, { sentAt: place ?? now, endedAt: now });
      return { value, answer: waitMs(value, scope, now) };
    }, 0);
  }

  /**
   * Decides one after the other here, and again where another worker was faster. `unanswered` is the answer where Redis
   * gives none and is no longer waited for.
   */
  private decide<Answer>(
    step: (seen: Seen) => { readonly value: RateClock; readonly answer: Answer },
    unanswered: Answer,
  ): Promise<Answer> {
    const next = this.last.then(() => this.decideNext(step));
    this.last = next.catch(() => undefined);
    return next.catch((error: unknown) => {
      if (error instanceof QueueProblem) return unanswered;
      throw error;
    });
  }

  private async decideNext<Answer>(
    step: (seen: Seen) => { readonly value: RateClock; readonly answer: Answer },
  ): Promise<Answer> {
    const [clockKey, rateKey] = [this.queue.key("clock"), this.queue.key("rate")];
    for (;;) {
      const read = await this.queue.eval(readScript, [clockKey, rateKey]);
      const [[seconds, micros], text, rate] = read as [[string, string], string, string];
      const now = Number(seconds) * 1000 + Math.floor(Number(micros) / 1000);
      const perMinute = rate === "" ? undefined : Number(rate);
      const { value, answer } = step({ clock: readRateClock(parsedJson(text)), now, perMinute });
      const written = JSON.stringify(value);
      if (written === text) return answer;
      if ((await this.queue.eval(writeScript, [clockKey], text, written)) === 1) return answer;
    }
  }
}
