import { randomBytes } from "node:crypto";
import { type InvocationOutcome, namedCents } from "../../core/invocation/invocation";
import {
  afterOutcome,
  arrivalMs,
  type RateScope,
  readRate,
  waitMs,
  windowMs,
} from "../../core/invocation/rateLimit";
import { isJsonObject, type JsonObject, parsedJson } from "../../core/json/jsonValue";
import type { SharedLimits } from "../../engine/attempt";
import { pause } from "../../registry/wait";
import { keyOf, ratesKey } from "./lineQueue";
import { nowSource } from "./queueScripts";
import { QueueProblem, type RedisLink } from "./redisLink";

/** The maximum number of stored call times. */
const maxCalls = 10_000;
/**
 * The maximum duration of an invocation, in milliseconds. After that its worker is dead, and the invocation counts as
 * billed.
 */
const maxDurationMs = 900_000;
/**
 * The pause before retrying an invocation that must wait for the budget, in milliseconds. Invocations in progress may
 * be cheaper than expected.
 */
const retryMs = 1000;
const overBudget = -1;
/** How long a worker uses a budget that it read, in milliseconds. */
const budgetMaxAgeMs = 300_000;

/**
 * The common start of the scripts. Reads the time of Redis (`now`) and the waits that the registry required (`known`).
 * Defines `holdBy()`, which returns how long an invocation must wait: for the registry's waits, and for a limit per
 * minute. It follows `waitMs` of `rateLimit.ts`, with the call times from a sorted set.
 */
const holdSource = `${nowSource}
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

/**
 * Functions for the project's budget. Redis stores the remaining amount when the budget was read last (`left`), the
 * total cost at that time (`base`), the total cost now (`total`), and the prices of invocations in progress
 * (`underway`, by their permit).
 */
const budgetSource = `
local budget, underway = KEYS[4], KEYS[5]
local function number(field) return tonumber(redis.call('HGET', budget, field) or '0') end
local function leave(permit, cents)
  local price = redis.call('HGET', budget, 'of:' .. permit)
  if not price then return end
  redis.call('HDEL', budget, 'of:' .. permit)
  redis.call('ZREM', underway, permit)
  redis.call('HINCRBYFLOAT', budget, 'underway', -price)
  redis.call('HINCRBYFLOAT', budget, 'total', cents == '' and price or cents)
end
local function affords(cents, left, base)
  for _, permit in ipairs(redis.call('ZRANGEBYSCORE', underway, '-inf', now)) do leave(permit, '') end
  if left ~= '' and tonumber(base) >= number('base') then
    redis.call('HSET', budget, 'left', left, 'base', base, 'total', math.max(number('total'), tonumber(base)))
  end
  if cents == '' or redis.call('HEXISTS', budget, 'left') == 0 then return true end
  local spent = number('total') - number('base') + number('underway')
  return redis.call('ZCARD', underway) == 0 or spent + cents <= number('left')
end
local function enter(permit, cents)
  if cents == '' or redis.call('HEXISTS', budget, 'left') == 0 then return end
  redis.call('HSET', budget, 'of:' .. permit, cents)
  redis.call('ZADD', underway, now + ${maxDurationMs}, permit)
  redis.call('HINCRBYFLOAT', budget, 'underway', cents)
  redis.call('EXPIRE', budget, 86400)
  redis.call('EXPIRE', underway, 86400)
end`;

/**
 * Acquires a permit: within the lowest of all rate limits, and within the budget. Otherwise returns how long to wait.
 */
const acquireScript = `${holdSource}
${budgetSource}
if redis.call('ZSCORE', KEYS[1], ARGV[1]) then return 0 end
local limit = known.limit or 0
for _, own in ipairs({ARGV[2], unpack(redis.call('HVALS', KEYS[3]))}) do
  local number = tonumber(own)
  if number > 0 and (limit == 0 or number < limit) then limit = number end
end
local hold = holdBy(limit)
if hold > 0 then return hold end
if not affords(ARGV[3], ARGV[4], ARGV[5]) then return ${overBudget} end
enter(ARGV[1], ARGV[3])
redis.call('ZADD', KEYS[1], now, ARGV[1])
redis.call('ZREMRANGEBYRANK', KEYS[1], 0, -${maxCalls + 1})
redis.call('PEXPIRE', KEYS[1], ${windowMs * 2})
return 0`;

/** Releases the permit of an invocation that was answered or not sent. Returns the waits that the registry required. */
const endScript = `${holdSource}
${budgetSource}
leave(ARGV[1], ARGV[3])
local sent = redis.call('ZSCORE', KEYS[1], ARGV[1])
if sent and ARGV[2] == 'notSent' then redis.call('ZREM', KEYS[1], ARGV[1]) end
if sent and ARGV[2] ~= 'notSent' then
  redis.call('ZADD', KEYS[1], math.max(sent, math.min(now, sent + ${arrivalMs})), ARGV[1])
end
return {text, holdBy(known.limit or 0), tostring(sent or now)}`;

/** Reads the facts for the decision how long to wait after a response. */
const readScript = `${holdSource}
return {text, redis.call('ZRANGE', KEYS[1], 0, -1, 'WITHSCORES'), now}`;

const writeScript = `
if (redis.call('GET', KEYS[2]) or '') ~= ARGV[1] then return 0 end
if ARGV[2] == '{}' then redis.call('DEL', KEYS[2])
else redis.call('SET', KEYS[2], ARGV[2], 'EX', 86400) end
return 1`;

/** A budget that was read: the remaining amount in hundredths, and the total cost at that time. */
interface BudgetReading {
  readonly left: number;
  readonly base: number;
}

/**
 * The rate limit and the budget of all workers of a queue, stored in Redis. Uses the time of Redis, since the clocks of
 * machines differ. `leftOfBudget` reads the smallest remaining amount of the project's budgets for a skill; undefined
 * if unknown.
 */
export class RedisLimits implements SharedLimits {
  private readonly budgets = new Map<
    string,
    { readonly at: number; readonly read: Promise<BudgetReading | undefined> }
  >();

  constructor(
    private readonly link: RedisLink,
    private readonly leftOfBudget: (skillSlug: string) => Promise<number | undefined>,
  ) {}

  async acquire(scope: RateScope, perMinute = 0, cents?: number) {
    const permit = randomBytes(8).toString("hex");
    // An invocation that Redis did not count must not be sent.
    for (;;) {
      const waitMs = await this.orUnanswered(retryMs, async () => {
        const { left = "", base = "" } = (await this.budgetOf(scope)) ?? {};
        return this.eval<number>(acquireScript, scope, permit, perMinute, cents ?? "", left, base);
      });
      if (waitMs !== overBudget) return { waitMs, permit: waitMs > 0 ? undefined : permit };
      await pause(retryMs);
    }
  }

  async release(scope: RateScope, permit: string | undefined): Promise<void> {
    await this.end(scope, permit, "notSent", 0);
  }

  async noteOutcome(
    scope: RateScope,
    outcome: InvocationOutcome,
    permit: string | undefined,
  ): Promise<number> {
    const kind = outcome.kind === "notSent" ? "notSent" : "answered";
    const ended = await this.end(scope, permit, kind, billedCents(outcome));
    if (ended === undefined) return 0;
    const [text, hold, sent] = ended;
    const { refusedAt } = readWaits(text);
    const isPlain = refusedAt === undefined && !requiresWait(outcome);
    return isPlain ? hold : this.orUnanswered(0, () => this.decide(scope, outcome, Number(sent)));
  }

  /** Returns the budget. Reads it again if the last result is old, since others spend it too. */
  private budgetOf(scope: RateScope): Promise<BudgetReading | undefined> {
    const name = JSON.stringify(scope);
    const now = performance.now();
    const known = this.budgets.get(name);
    if (known !== undefined && now - known.at < budgetMaxAgeMs) return known.read;
    const read = this.readBudget(scope);
    this.budgets.set(name, { at: now, read });
    return read;
  }

  private async readBudget(scope: RateScope): Promise<BudgetReading | undefined> {
    // A cost between the two readings is subtracted twice, so the budget is never overestimated.
    const total = await this.link.call("HGET", this.keysOf(scope)[3] ?? "", "total");
    const remaining = await this.leftOfBudget(scope.skillSlug);
    if (remaining === undefined || !Number.isFinite(remaining)) return undefined;
    return { left: remaining, base: Number(total ?? 0) };
  }

  /**
   * Decides by a response how long to wait, with the same rules as on a single machine. Retries if another worker wrote
   * first.
   */
  private async decide(scope: RateScope, outcome: InvocationOutcome, sentAt: number) {
    for (;;) {
      const read = await this.eval<[string, readonly string[], number]>(readScript, scope);
      const [text, flat, now] = read;
      const calls = flat.filter((_, at) => at % 2 === 1).map(Number);
      const before = readRate(readWaits(text), calls);
      const after = afterOutcome(before, outcome, { sentAt, endedAt: now });
      const written = JSON.stringify({ ...after, calls: undefined });
      const isKept = written === text || (await this.write(scope, text, written));
      if (isKept) return waitMs(after, now);
    }
  }

  private async write(scope: RateScope, before: string, after: string): Promise<boolean> {
    return (await this.eval<number>(writeScript, scope, before, after)) === 1;
  }

  private async end(
    scope: RateScope,
    permit: string | undefined,
    kind: "answered" | "notSent",
    cents: number | undefined,
  ) {
    if (permit === undefined) return undefined;
    type Ended = [text: string, hold: number, sent: string];
    const end = () => this.eval<Ended>(endScript, scope, permit, kind, cents ?? "");
    return this.orUnanswered(undefined, end);
  }

  /** Resolves to `unanswered` if Redis does not respond before the link gives up. */
  private async orUnanswered<Answer, Other>(
    unanswered: Other,
    ask: () => Promise<Answer>,
  ): Promise<Answer | Other> {
    return ask().catch((error: unknown) => {
      if (error instanceof QueueProblem) return unanswered;
      throw error;
    });
  }

  private async eval<Answer>(script: string, scope: RateScope, ...args: (string | number)[]) {
    return (await this.link.eval(script, this.keysOf(scope), ...args)) as Answer;
  }

  private keysOf({ registry, project, skillSlug }: RateScope): readonly string[] {
    const key = (kind: string) => keyOf(kind, registry, project, skillSlug);
    const rates = ratesKey(registry, skillSlug);
    return [key("calls"), key("waits"), rates, key("budget"), key("underway")];
  }
}

/** Returns the billed amount of a response. Undefined if it is unknown, so the listed price may have been billed. */
function billedCents(outcome: InvocationOutcome): number | undefined {
  if (outcome.kind === "notSent" || outcome.kind === "refused") return 0;
  return outcome.kind === "outcomeUnknown" ? undefined : namedCents(outcome);
}

function readWaits(text: string): JsonObject {
  const known = parsedJson(text);
  return isJsonObject(known) ? known : {};
}

function requiresWait(outcome: InvocationOutcome): boolean {
  if (outcome.kind === "refused") return outcome.reason === "rateLimit";
  return "pauseSeconds" in outcome && outcome.pauseSeconds !== undefined;
}
