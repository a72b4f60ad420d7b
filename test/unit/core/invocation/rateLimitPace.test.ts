import assert from "node:assert/strict";
import { describe, it } from "mocha";
import type { InvocationOutcome } from "../../../../src/core/invocation/invocation";
import {
  afterOutcome,
  afterRefused,
  type Rate,
  waitMs,
} from "../../../../src/core/invocation/rateLimit";

const ran: InvocationOutcome = {
  ...{ kind: "outcomeUnknown", durationMs: 1 },
  failure: { kind: "cancelled" },
};
const start = 1_763_634_151_000;

/** Returns a registry that counts the invocations of the last minute, including rejected ones, at their arrival. */
function rollingWindow(limit: number) {
  const calls: number[] = [];
  return (at: number): boolean => {
    const used = calls.filter((time) => time > at - 60_000).length;
    calls.push(at);
    return used < limit;
  };
}

interface Pace {
  /** The registry's limit per minute, and whether it is known from the start. */
  readonly limit: number;
  readonly isKnown?: boolean;
  /** The caller's own limit per minute. */
  readonly perMinute?: number;
  readonly jobs?: number;
  /** The time until each arrives, and again until its response, in milliseconds. */
  readonly latency: () => number;
  readonly says?: { readonly seconds?: number; readonly limit?: number };
}

/**
 * Sends `count` invocations with a simulated clock, several at once. Returns the duration and the number of rejections.
 */
function sendAll(count: number, { limit, isKnown, perMinute, jobs = 1, latency, says = {} }: Pace) {
  let clock: Rate = { calls: [], ...(isKnown === true && { limit }) };
  let [now, done, refused, mostAtOnce] = [start, 0, 0, 0];
  const isAccepted = rollingWindow(limit);
  const underWay: { sentAt: number; arrivesAt: number; endsAt: number; isIn?: boolean }[] = [];
  while (done < count) {
    const answer = waitMs(clock, now, perMinute);
    const canSend = underWay.length < jobs && done + underWay.length < count && answer === 0;
    if (canSend) {
      clock = { ...clock, calls: [...clock.calls, now] };
      const arrivesAt = now + latency();
      underWay.push({ sentAt: now, arrivesAt, endsAt: arrivesAt + latency() });
      mostAtOnce = Math.max(mostAtOnce, underWay.length);
      continue;
    }
    const isFull = underWay.length >= jobs || done + underWay.length >= count;
    const arrivals = underWay.filter(({ isIn }) => isIn === undefined);
    const events = [
      ...arrivals.map(({ arrivesAt }) => arrivesAt),
      ...underWay.flatMap(({ isIn, endsAt }) => (isIn === undefined ? [] : [endsAt])),
      ...(isFull ? [] : [now + answer]),
    ];
    now = Math.max(now, Math.min(...events));
    for (const one of arrivals) if (one.arrivesAt <= now) one.isIn = isAccepted(one.arrivesAt);
    for (const one of [...underWay]) {
      if (one.isIn === undefined || one.endsAt > now) continue;
      underWay.splice(underWay.indexOf(one), 1);
      clock = afterOutcome(clock, ran, { sentAt: one.sentAt, endedAt: now });
      if (one.isIn) done += 1;
      else {
        refused += 1;
        clock = afterRefused(clock, says, now, one.sentAt);
      }
    }
  }
  return { seconds: (now - start) / 1000, refused, mostAtOnce };
}

describe("the pace of many invocations", () => {
  let seed = 7;
  const random = () => {
    seed = (seed * 48_271) % 2_147_483_647;
    return seed / 2_147_483_647;
  };
  const latencies: readonly (readonly [what: string, latency: () => number])[] = [
    ["none", () => 0],
    ["a few milliseconds", () => Math.ceil(5 * random())],
    ["much jitter", () => (random() < 0.1 ? Math.ceil(900 * random()) : 2)],
  ];
  for (const [what, latency] of latencies) {
    for (const jobs of [1, 8]) {
      it(`sends 200 at a known limit of 60 a minute without rejections: latency ${what}, ${jobs} at once`, () => {
        const { seconds, refused } = sendAll(200, { limit: 60, isKnown: true, jobs, latency });
        assert.equal(refused, 0);
        assert.ok(seconds >= 180 && seconds < 190, String(seconds));
      });

      it(`adapts to an unknown limit after the first rejections: latency ${what}, ${jobs} at once`, () => {
        const says = { limit: 60 };
        const { seconds, refused } = sendAll(200, { limit: 60, jobs, latency, says });
        assert.ok(refused >= 1 && refused <= jobs, String(refused));
        assert.ok(seconds >= 180 && seconds < 245, String(seconds));
      });
    }
  }

  it("follows limits above a hundred, known or chosen", () => {
    for (const known of [
      { limit: 600, isKnown: true },
      { limit: 5000, perMinute: 600 },
    ]) {
      const { seconds, refused } = sendAll(1300, { ...known, latency: () => 1 });
      assert.equal(refused, 0);
      assert.ok(seconds >= 120 && seconds < 125, String(seconds));
    }
  });

  it("follows the caller's own limit if the registry allows more, and never exceeds it", () => {
    const slow = sendAll(50, { limit: 1000, perMinute: 20, latency: () => 1 });
    assert.ok(slow.seconds >= 120, String(slow.seconds));
    const eager = sendAll(50, { limit: 20, isKnown: true, perMinute: 1000, latency: () => 1 });
    assert.equal(eager.refused, 0);
  });

  it("is not slowed down by a slow response", () => {
    const pace = { limit: 3, isKnown: true, jobs: 3, latency: () => 0 };
    const quick = sendAll(9, pace);
    let isAnswer = false;
    const slow = sendAll(9, {
      ...pace,
      latency: () => {
        isAnswer = !isAnswer;
        return isAnswer ? 0 : 50_000;
      },
    });
    assert.equal(slow.refused, 0);
    assert.ok(slow.seconds < quick.seconds + 65, `${slow.seconds}, ${quick.seconds}`);
  });

  it("becomes slower and slower after repeated rejections, whatever wait the registry asks for", () => {
    for (const seconds of [0, 1, undefined]) {
      let [now, clock] = [start, { calls: [] } as Rate];
      const waits = Array.from({ length: 12 }, () => {
        clock = afterRefused(clock, { seconds }, now + 1, now);
        const wait = waitMs(clock, now + 1);
        now += 2 + wait;
        return wait / 1000;
      });
      const rest = [128, 256, 512, 600, 600];
      assert.deepEqual(
        waits,
        seconds === undefined
          ? [60, 60, 60, 60, 60, 60, 64, ...rest]
          : [seconds, 2, 4, 8, 16, 32, 64, ...rest],
      );
    }
  });

  it("counts rejections that arrive together as one", () => {
    let clock: Rate = { calls: [] };
    for (let call = 0; call < 8; call += 1) {
      clock = afterRefused(clock, { seconds: 1 }, start + call, start - 10 + call);
    }
    assert.equal(waitMs(clock, start + 7), 1000);
  });
});
