import { randomBytes } from "node:crypto";
import type { InvocationOutcome } from "../core/invocation/invocation";
import {
  afterOutcome,
  type RateClock,
  type RateScope,
  readRateClock,
  waitMs,
} from "../core/invocation/rateLimit";
import { isJsonObject, type JsonObject, parsedJson } from "../core/json/jsonValue";
import type { SharedRate } from "../engine/passage";
import { keyOf, ratesKey } from "./lineQueue";
import { QueueProblem, type RedisLink } from "./redisLink";

/** As in `rateLimit.ts`: the gateway counts over a rolling minute, and an invocation arrives within five seconds. */
const [windowMs, arrivalMs, maxCalls] = [60_000, 5_000, 10_000];

/**
 * What all share: the time of Redis, what it knows of waits (`known`, as JSON), and for how long an invocation must be
 * held by it and by a limit: `waitMs` of `rateLimit.ts`, over the times in a sorted set.
 */
const holdScript = `
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', now - ${windowMs})
local text = redis.call('GET', KEYS[2]) or ''
local known = text == '' and {} or cjson.decode(text)
local function holdBy(limit)
  local hold = 0
  if known.refusedAt and known.refusedAt <= now + 2000 then
    hold = (known.holdMs or 0) - math.max(0, now - known.refusedAt)
  end
  if limit > 0 then
    local oldest = redis.call('ZRANGE', KEYS[1], -limit, -limit, 'WITHSCORES')[2]
    if oldest then hold = math.max(hold, math.min(${windowMs}, oldest + ${windowMs} - now)) end
  end
  return math.max(0, math.ceil(hold))
end`;

/** Claims a place in the minute, at the lowest of all limits, or returns for how long it must be held. */
const claimScript = `${holdScript}
if redis.call('ZSCORE', KEYS[1], ARGV[1]) then return 0 end
local limit = known.limit or 0
for _, own in ipairs({ARGV[2], unpack(redis.call('HVALS', KEYS[3]))}) do
  local number = tonumber(own)
  if number > 0 and (limit == 0 or number < limit) then limit = number end
end
local hold = holdBy(limit)
if hold > 0 then return hold end
redis.call('ZADD', KEYS[1], now, ARGV[1])
redis.call('ZREMRANGEBYRANK', KEYS[1], 0, -${maxCalls + 1})
redis.call('PEXPIRE', KEYS[1], ${windowMs * 2})
return 0`;

/** Notes that an invocation was answered, or that it was not sent. Returns what is known then. */
const endScript = `${holdScript}
local sent = redis.call('ZSCORE', KEYS[1], ARGV[1])
if sent and ARGV[2] == 'notSent' then redis.call('ZREM', KEYS[1], ARGV[1]) end
if sent and ARGV[2] ~= 'notSent' then
  redis.call('ZADD', KEYS[1], math.max(sent, math.min(now, sent + ${arrivalMs})), ARGV[1])
end
return {text, holdBy(known.limit or 0), tostring(sent or now)}`;

/** Reads what is decided on where the registry asked for a wait. */
const readScript = `${holdScript}
return {text, redis.call('ZRANGE', KEYS[1], 0, -1, 'WITHSCORES'), now}`;

const writeScript = `
if (redis.call('GET', KEYS[2]) or '') ~= ARGV[1] then return 0 end
if ARGV[2] == '{}' then redis.call('DEL', KEYS[2])
else redis.call('SET', KEYS[2], ARGV[2], 'EX', 86400) end
return 1`;

/** The rate clock of all workers of a queue. Times are those of Redis: the clocks of machines differ. */
export class QueueClocks implements SharedRate {
  constructor(private readonly link: RedisLink) {}

  async claim(scope: RateScope, perMinute = 0) {
    const place = randomBytes(8).toString("hex");
    // Nothing may be sent that the others do not know of.
    const waitMs = await this.asked(1000, () =>
      this.eval<number>(claimScript, scope, place, perMinute),
    );
    return { waitMs, place: waitMs > 0 ? undefined : place };
  }

  async giveBack(scope: RateScope, place: string | undefined): Promise<void> {
    await this.end(scope, place, "notSent");
  }

  async noteOutcome(
    scope: RateScope,
    outcome: InvocationOutcome,
    place: string | undefined,
  ): Promise<number> {
    const kind = outcome.kind === "notSent" ? "notSent" : "answered";
    const ended = await this.end(scope, place, kind);
    if (ended === undefined) return 0;
    const [text, hold, sent] = ended;
    const { refusedAt } = knownOf(text);
    const isPlain = refusedAt === undefined && !asksToWait(outcome);
    return isPlain ? hold : this.asked(0, () => this.decide(scope, outcome, Number(sent)));
  }

  /** Decides by the same rules as a machine what an answer says of waits, again where another worker was faster. */
  private async decide(scope: RateScope, outcome: InvocationOutcome, sentAt: number) {
    for (;;) {
      const read = await this.eval<[string, readonly string[], number]>(readScript, scope);
      const [text, flat, now] = read;
      const calls = flat.filter((_, at) => at % 2 === 1).map(Number);
      const before = readRateClock([{ ...knownOf(text), ...scope, calls }]);
      const after: RateClock = afterOutcome(before, scope, outcome, { sentAt, endedAt: now });
      const written = JSON.stringify({ ...after[0], ...nameless, calls: undefined });
      const isKept = written === text || (await this.write(scope, text, written));
      if (isKept) return waitMs(after, scope, now);
    }
  }

  private async write(scope: RateScope, before: string, after: string): Promise<boolean> {
    return (await this.eval<number>(writeScript, scope, before, after)) === 1;
  }

  private async end(scope: RateScope, place: string | undefined, kind: "answered" | "notSent") {
    if (place === undefined) return undefined;
    type Ended = [text: string, hold: number, sent: string];
    return this.asked(undefined, () => this.eval<Ended>(endScript, scope, place, kind));
  }

  /** Answers with `unanswered` where Redis gives no answer and is no longer waited for. */
  private async asked<Answer, Other>(
    unanswered: Other,
    ask: () => Promise<Answer>,
  ): Promise<Answer | Other> {
    return ask().catch((error: unknown) => {
      if (error instanceof QueueProblem) return unanswered;
      throw error;
    });
  }

  private async eval<Answer>(script: string, scope: RateScope, ...args: (string | number)[]) {
    const { registry, project, skillSlug } = scope;
    const of = [registry, project, skillSlug];
    const keys = [keyOf("calls", ...of), keyOf("waits", ...of), ratesKey(registry, skillSlug)];
    return (await this.link.eval(script, keys, ...args)) as Answer;
  }
}

/** The scope is in the name of the key. */
const nameless = { registry: undefined, project: undefined, skillSlug: undefined };

function knownOf(text: string): JsonObject {
  const known = parsedJson(text);
  return isJsonObject(known) ? known : {};
}

function asksToWait(outcome: InvocationOutcome): boolean {
  if (outcome.kind === "refused") return outcome.reason === "rateLimit";
  return "pauseSeconds" in outcome && outcome.pauseSeconds !== undefined;
}
