import assert from "node:assert/strict";
import { describe, it } from "mocha";
import { linePace } from "../../../../../src/cli/commands/run/linePace";

/** A registry that counts calls of the last minute, refused ones too, as they come in. */
function rollingWindow(limit: number) {
  const calls: number[] = [];
  return (at: number): boolean => {
    const used = calls.filter((time) => time > at - 60_000).length;
    calls.push(at);
    return used < limit;
  };
}

/** Sends lines one after the other; `latency` is how long each takes to come in, and again to be answered. */
function sendAll(
  lines: number,
  perMinute: number | undefined,
  limit: number,
  latency: () => number,
  says: { readonly seconds?: number; readonly limit?: number } = {},
) {
  let now = 5;
  const pace = linePace(perMinute, () => now);
  const isAccepted = rollingWindow(limit);
  let [refused, inARow] = [0, 0];
  for (let sent = 0; sent < lines; ) {
    for (let wait = pace.waitMs(); wait > 0; wait = pace.waitMs()) now += wait;
    now += latency();
    const isIn = isAccepted(now);
    now += latency();
    pace.answered();
    if (isIn) {
      sent += 1;
      inARow = 0;
      continue;
    }
    refused += 1;
    inARow += 1;
    pace.refused(inARow, says);
  }
  return { seconds: now / 1000, refused };
}

describe("the pace of a run", () => {
  let seed = 7;
  const random = () => {
    seed = (seed * 48_271) % 2_147_483_647;
    return seed / 2_147_483_647;
  };
  const latencies: readonly (readonly [what: string, latency: () => number])[] = [
    ["none", () => 0],
    ["a few milliseconds", () => 5 * random()],
    ["much jitter", () => (random() < 0.1 ? 900 * random() : 2)],
  ];
  for (const [what, latency] of latencies) {
    it(`sends 200 lines at 60 a minute within three, and none is refused: ${what}`, () => {
      const { seconds, refused } = sendAll(200, 60, 60, latency);
      assert.equal(refused, 0);
      assert.ok(seconds >= 180 && seconds < 190, String(seconds));
    });

    it(`learns the limit from one refusal: ${what}`, () => {
      const { seconds, refused } = sendAll(200, undefined, 60, latency, { limit: 60 });
      assert.equal(refused, 1);
      assert.ok(seconds >= 180 && seconds < 245, String(seconds));
    });
  }

  it("keeps to limits above a hundred", () => {
    const { seconds, refused } = sendAll(1300, 600, 600, () => 1);
    assert.equal(refused, 0);
    assert.ok(seconds >= 120 && seconds < 125, String(seconds));
  });

  it("keeps to what the person allows where the registry allows more", () => {
    const { seconds } = sendAll(50, 20, 1000, () => 1);
    assert.ok(seconds >= 120, String(seconds));
  });

  it("asks ever more seldom where it goes on being refused, whatever the registry says", () => {
    for (const seconds of [0, 1, undefined]) {
      let now = 0;
      const pace = linePace(undefined, () => now);
      const waits = [1, 2, 3, 4, 5, 6, 7].map((refusals) => {
        pace.answered();
        pace.refused(refusals, { seconds });
        const wait = pace.waitMs();
        now += wait;
        return Math.round(wait / 1000);
      });
      assert.deepEqual(
        waits,
        seconds === undefined ? [60, 60, 60, 60, 60, 60, 64] : [1, 2, 4, 8, 16, 32, 64],
      );
    }
  });
});
