import type { InvocationOutcome } from "../core/invocation/invocation";
import {
  claimSend,
  lowerOf,
  noteNotSent,
  type RateClock,
  type RateScope,
  readRateClock,
  waitMs,
} from "../core/invocation/rateLimit";
import { parsedJson } from "../core/json/jsonValue";
import { afterOutcome, RateClocks } from "../engine/gates/rateClock";
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

/**
 * The rate clock of all workers of a queue beside that of the machine, of which both must allow an invocation. Times are
 * those of Redis: the clocks of machines differ.
 */
export class QueueClocks extends RateClocks {
  /** When an invocation was noted in Redis, by when it was here. */
  private readonly noted = new Map<number, number[]>();
  private last: Promise<unknown> = Promise.resolve();

  constructor(
    path: string,
    private readonly queue: RedisQueue,
  ) {
    super(path);
  }

  override async claim(scope: RateScope, now: number, perMinute?: number): Promise<number> {
    const held = await this.decide(
      (seen) => {
        const limit = lowerOf(perMinute, seen.perMinute);
        const { value, answer } = claimSend(seen.clock, scope, seen.now, limit);
        return { value, answer: { hold: answer, at: seen.now } };
      },
      // Nothing may be sent that the others do not know of.
      { hold: 1000, at: now },
    );
    if (held.hold > 0) return held.hold;
    this.noted.set(now, [...(this.noted.get(now) ?? []), held.at]);
    const here = await super.claim(scope, now, perMinute);
    if (here > 0) await this.giveBackThere(scope, now);
    return here;
  }

  override async giveBack(scope: RateScope, sentAt: number): Promise<void> {
    await this.giveBackThere(scope, sentAt);
    await super.giveBack(scope, sentAt);
  }

  override async noteOutcome(
    scope: RateScope,
    outcome: InvocationOutcome,
    sentAt: number,
  ): Promise<number> {
    const here = await super.noteOutcome(scope, outcome, sentAt);
    const noted = this.notedAt(sentAt);
    const there = await this.decide(({ clock, now }) => {
      const value = afterOutcome(clock, scope, outcome, { sentAt: noted ?? now, endedAt: now });
      return { value, answer: waitMs(value, scope, now) };
    }, 0);
    return Math.max(here, Math.ceil(there / 1000));
  }

  private async giveBackThere(scope: RateScope, sentAt: number): Promise<void> {
    const noted = this.notedAt(sentAt);
    if (noted === undefined) return;
    await this.decide(
      ({ clock }) => ({ value: noteNotSent(clock, scope, noted), answer: undefined }),
      undefined,
    );
  }

  private notedAt(sentAt: number): number | undefined {
    const [first, ...rest] = this.noted.get(sentAt) ?? [];
    if (rest.length > 0) this.noted.set(sentAt, rest);
    else this.noted.delete(sentAt);
    return first;
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
