import assert from "node:assert/strict";
import { describe, it } from "mocha";
import { QueueDispatcher } from "../../../../src/batch/queue/queueDispatcher";
import { RedisLimits } from "../../../../src/batch/queue/redisLimits";
import type { RedisLink } from "../../../../src/batch/queue/redisLink";
import type { InvocationOutcome } from "../../../../src/core/invocation/invocation";
import { type LineResult, notSentResult } from "../../../../src/core/invocation/run/lineResult";
import {
  briefMs,
  endOf,
  queueBench,
  queueOf,
  sendLine,
  success,
  usualMs,
} from "../../../fixtures/queueBench";
import { isSkippedWithoutRedis } from "../../../fixtures/redisServer";

describe("a queue", () => {
  if (isSkippedWithoutRedis()) return;
  const { redis, closing, openLink, open, openRun, work } = queueBench();

  describe("with a cost limit", () => {
    const openCosting = async (maxCents: number, eachCents: number) => {
      const queue = await open();
      await queue.lease("costs", { perMinute: undefined, cost: { maxCents, eachCents } }, "begins");
      closing(() => queue.delete("costs"));
      closing(() => queue.link.call("DEL", queue.key("results", "costs")));
      const jobs = [1, 2, 3, 4].map((line) => `${line}-${line}`);
      for (const job of jobs) await queue.add("costs", job, "{}");
      return {
        queue,
        claim: (line: number) => queue.claim("costs", `${line}-${line}`, "w"),
        report: (line: number, cents?: number) => {
          const taken = { run: "costs", job: `${line}-${line}`, id: "0-1" };
          return queue.report(taken, JSON.stringify(success), cents);
        },
      };
    };

    it("lets as many lines run as the limit allows, and counts their billed amounts", async () => {
      const { queue, claim, report } = await openCosting(5, 2);
      assert.deepEqual(
        [await claim(1), await claim(2), await claim(3)],
        ["taken", "taken", "full"],
      );
      await report(1, 0);
      assert.equal(await claim(3), "taken");
      await report(2, 2);
      await report(3, 2);
      // The response was lost, and the worker reports again.
      await report(3, 2);
      assert.equal((await queue.remainingResults("costs")).length, 3);
      assert.equal(await claim(4), "over");
    });

    it("reserves the highest amount billed so far for the next line", async () => {
      const { claim, report } = await openCosting(10, 0);
      assert.equal(await claim(1), "taken");
      await report(1, 6);
      assert.equal(await claim(2), "over");
    });

    it("counts a silent worker's line at its price, and no longer waits for it", async () => {
      const { queue, claim, report } = await openCosting(4, 2);
      assert.deepEqual(
        [await claim(1), await claim(2), await claim(3)],
        ["taken", "taken", "full"],
      );
      await report(2, 2);
      assert.equal(await claim(3), "full");
      await queue.billLost("costs", ["1-1"]);
      assert.equal(await claim(3), "over");
      // Its late result is still accepted, and its cost is not counted again.
      assert.equal(await report(1, 2), true);
      assert.equal((await queue.remainingResults("costs")).length, 2);
      assert.equal(await claim(3), "over");
    });

    it("lets a worker send the lines that the limit allows, and tells the run why others were not sent", async () => {
      const run = await openRun(usualMs, redis().url, undefined, { maxCents: 3, eachCents: 1 });
      const billed: LineResult = { ...success, facts: { ...success.facts, cents: 3 } };
      await work(async (_text, claim) => {
        await claim();
        return billed;
      });
      assert.deepEqual(await endOf(sendLine(run, 1)), { kind: "ended", result: billed });
      const result = notSentResult("Its invocation could exceed --max-cents.");
      assert.deepEqual(await endOf(sendLine(run, 2)), { kind: "ended", result });
    });
  });

  describe("with a budget shared by all workers", () => {
    const scope = { registry: queueOf.registry, project: "0123abcd", skillSlug: queueOf.skill };
    const refused = { kind: "refused", reason: "policy" } as unknown as InvocationOutcome;
    const billed = (amountCents: number) => {
      const outcome = { kind: "success", acceptedNotRun: false, durationMs: 1, amountCents };
      return outcome as unknown as InvocationOutcome;
    };
    const openWorkers = async (left: number | undefined) => {
      const link = await openLink();
      await link.call("FLUSHALL");
      const open = () => new RedisLimits(link, async () => left);
      return [open(), open()] as const;
    };
    /** Resolves to whether an invocation still waits, which a later request to Redis shows. */
    const isHeld = async (limits: RedisLimits, claiming: Promise<unknown>) => {
      let isHeld = true;
      void claiming.then(() => {
        isHeld = false;
      });
      await limits.release(scope, "nobody");
      await limits.release(scope, "nobody");
      return isHeld;
    };

    it("holds an invocation that would exceed it together with those of other workers, until one ends", async () => {
      const [one, other] = await openWorkers(5);
      const first = await one.acquire(scope, undefined, 2);
      const second = await other.acquire(scope, undefined, 2);
      const third = one.acquire(scope, undefined, 2);
      assert.equal(await isHeld(other, third), true);
      await one.noteOutcome(scope, refused, first.permit);
      assert.equal((await third).waitMs, 0);
      await other.noteOutcome(scope, billed(2), second.permit);
      const fourth = other.acquire(scope, undefined, 2);
      assert.equal(await isHeld(one, fourth), true);
      // One invocation may always run: the registry decides about it.
      await one.release(scope, (await third).permit);
      assert.equal((await fourth).waitMs, 0);
    });

    it("allows one in progress with any remaining amount, and counts one with an unknown outcome or a dead worker at its price", async () => {
      const [one, other] = await openWorkers(5);
      const outcome = { kind: "outcomeUnknown" } as unknown as InvocationOutcome;
      const first = await one.acquire(scope, undefined, 4);
      await one.noteOutcome(scope, outcome, first.permit);
      const second = await other.acquire(scope, undefined, 4);
      assert.equal(second.waitMs, 0, "one may always be under way");
      const third = one.acquire(scope, undefined, 2);
      assert.equal(await isHeld(other, third), true);
      const link = await openLink();
      const [underway = ""] = (await link.call("KEYS", "*:underway:*")) as string[];
      await link.call("ZADD", underway, 1, second.permit ?? "");
      assert.equal((await third).waitMs, 0);
      const [budget = ""] = (await link.call("KEYS", "*:budget:*")) as string[];
      assert.equal(await link.call("HGET", budget, "total"), "8");
    });

    it("holds no invocation if nobody may read the budget, or the skill is free", async () => {
      const [one, other] = await openWorkers(undefined);
      for (const limits of [one, other]) {
        assert.equal((await limits.acquire(scope, undefined, 2)).waitMs, 0);
      }
      const [free] = await openWorkers(0);
      for (const _ of [1, 2]) assert.equal((await free.acquire(scope, undefined, 0)).waitMs, 0);
    });
  });

  describe("with a rate limit shared by all workers", () => {
    const scope = { registry: queueOf.registry, project: "0123abcd", skillSlug: queueOf.skill };
    const openClocks = async () => {
      const link = await openLink();
      await link.call("FLUSHALL");
      return { link, clocks: new RedisLimits(link, async () => undefined) };
    };

    it("follows the rate of a run in any minute, by the time of Redis", async () => {
      const { clocks } = await openClocks();
      await openRun(usualMs, redis().url, 3);
      const claim = () => clocks.acquire(scope);
      const answers = await Promise.all([0, 1, 2, 3, 4, 5].map(claim));
      const holds = answers.map(({ waitMs }) => waitMs);
      assert.equal(holds.filter((hold) => hold === 0).length, 3);
      assert.ok(holds.every((hold) => hold === 0 || (hold > 50_000 && hold <= 60_000)));
      await clocks.release(scope, answers.find(({ waitMs }) => waitMs === 0)?.permit);
      assert.equal((await claim()).waitMs, 0);
      assert.notEqual((await claim()).waitMs, 0);
    });

    it("follows the rate of a killed run only while the run is registered", async () => {
      const { clocks } = await openClocks();
      const killed = await open(briefMs);
      await killed.lease("killed", { perMinute: 1 }, "begins");
      assert.equal((await clocks.acquire(scope)).waitMs, 0);
      assert.notEqual((await clocks.acquire(scope)).waitMs, 0);
      while ((await killed.link.call("EXISTS", killed.key("lines", "killed"))) === 1);
      await openRun(briefMs);
      assert.equal((await clocks.acquire(scope)).waitMs, 0);
    });

    it("follows the lowest rate of several runs, until that run has ended", async () => {
      const { clocks } = await openClocks();
      await openRun(usualMs, redis().url, 5);
      const slow = await openRun(usualMs, redis().url, 1);
      assert.equal((await clocks.acquire(scope)).waitMs, 0);
      assert.notEqual((await clocks.acquire(scope)).waitMs, 0);
      await slow.close();
      assert.equal((await clocks.acquire(scope)).waitMs, 0);
    });

    it("follows a limit that the project lowers while the run goes on", async () => {
      const { clocks } = await openClocks();
      const queue = await open(briefMs);
      let limit = 5;
      const run = new QueueDispatcher(
        queue,
        async () => limit,
        async () => undefined,
      );
      closing(() => run.close());
      const lease = queue.lease.bind(queue);
      const lowered = new Promise<void>((resolve) => {
        queue.lease = async (id, limits, step) => {
          const answer = await lease(id, limits, step);
          if (limits.perMinute === 1) resolve();
          return answer;
        };
      });
      await run.begin(undefined);
      limit = 1;
      await lowered;
      assert.equal((await clocks.acquire(scope)).waitMs, 0);
      assert.notEqual((await clocks.acquire(scope)).waitMs, 0);
    });

    it("counts an invocation with a lost answer once, at the time of its arrival, and none of the minute before", async () => {
      const { link } = await openClocks();
      await openRun(usualMs, redis().url, 1);
      const twice: Pick<RedisLink, "eval" | "call"> = {
        call: (...asked) => link.call(...asked),
        eval: async (...asked) => {
          await link.eval(...asked);
          return link.eval(...asked);
        },
      };
      const clocks = new RedisLimits(twice as RedisLink, async () => undefined);
      const { waitMs, permit = "" } = await clocks.acquire(scope);
      assert.equal(waitMs, 0);
      const [calls = ""] = (await link.call("KEYS", "*:calls:*")) as string[];
      const at = async () => Number(await link.call("ZSCORE", calls, permit));
      const sent = await at();
      const now = async () => {
        const [seconds, micros] = (await link.call("TIME")) as readonly string[];
        return Number(seconds) * 1000 + Number(micros) / 1000;
      };
      while ((await now()) < sent + 2);
      const accepted = { kind: "success", acceptedNotRun: false, durationMs: 1 };
      await clocks.noteOutcome(scope, accepted as unknown as InvocationOutcome, permit);
      assert.ok((await at()) > sent);
      await link.call("ZADD", calls, 1, "an hour ago");
      await clocks.acquire(scope);
      assert.equal(await link.call("ZSCORE", calls, "an hour ago"), null);
    });

    it("computes a wait again if another worker changed the limit meanwhile", async () => {
      const { link } = await openClocks();
      let isFirst = true;
      const late: Pick<RedisLink, "eval" | "call"> = {
        call: (...asked) => link.call(...asked),
        eval: async (script, keys, ...args) => {
          if (script.includes("~= ARGV[1] then return 0") && isFirst) {
            isFirst = false;
            await link.call("SET", keys[1] ?? "", '{"limit":7}');
          }
          return link.eval(script, keys, ...args);
        },
      };
      const clocks = new RedisLimits(late as RedisLink, async () => undefined);
      const outcome = { kind: "refused", reason: "rateLimit", retryAfterSeconds: 30 };
      const { permit } = await clocks.acquire(scope);
      await clocks.noteOutcome(scope, outcome as unknown as InvocationOutcome, permit);
      const [waits = ""] = (await link.call("KEYS", "*:waits:*")) as string[];
      const known = JSON.parse(String(await link.call("GET", waits)));
      assert.deepEqual([known.limit, typeof known.refusedAt], [7, "number"]);
    });

    it("follows the limit that the registry named, but no rejection with a time in the future", async () => {
      const { clocks, link } = await openClocks();
      const outcome = { kind: "refused", reason: "rateLimit", retryAfterSeconds: 30 };
      const { permit } = await clocks.acquire(scope);
      await clocks.noteOutcome(scope, outcome as unknown as InvocationOutcome, permit);
      const [waits = ""] = (await link.call("KEYS", "*:waits:*")) as string[];
      const known = JSON.parse(String(await link.call("GET", waits)));
      const later = { ...known, refusedAt: known.refusedAt + 3_600_000, limit: 2 };
      await link.call("SET", waits, JSON.stringify(later));
      assert.equal((await clocks.acquire(scope)).waitMs, 0);
      assert.ok((await clocks.acquire(scope)).waitMs > 50_000);
    });

    it("makes all workers wait as long as the registry asked one of them, until it accepts again", async () => {
      const { clocks, link } = await openClocks();
      const refused = { kind: "refused", reason: "rateLimit", retryAfterSeconds: 30 };
      const outcome = refused as unknown as InvocationOutcome;
      const first = await clocks.acquire(scope);
      assert.equal(await clocks.noteOutcome(scope, outcome, first.permit), 30_000);
      const { waitMs: hold } = await clocks.acquire(scope);
      assert.ok(hold > 29_000 && hold <= 30_000, `${hold}`);
      const accepted = { kind: "success", acceptedNotRun: false, durationMs: 1 };
      const [waits = ""] = (await link.call("KEYS", "*:waits:*")) as string[];
      const known = JSON.parse(String(await link.call("GET", waits)));
      // The wait is over.
      const past = { ...known, refusedAt: known.refusedAt - 30_000 };
      await link.call("SET", waits, JSON.stringify(past));
      const next = await clocks.acquire(scope);
      assert.equal(next.waitMs, 0);
      const success = accepted as unknown as InvocationOutcome;
      assert.equal(await clocks.noteOutcome(scope, success, next.permit), 0);
      assert.equal(await link.call("EXISTS", waits), 0);
    });
  });
});
