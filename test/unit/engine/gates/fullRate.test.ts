import assert from "node:assert/strict";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { afterEach, beforeEach, describe, it } from "mocha";
import type { InvocationOutcome } from "../../../../src/core/invocation/invocation";
import {
  agreeingAsker,
  payloadOf,
  ranOnce,
  testEngine,
  wantedOnce,
} from "../../../fixtures/testEngine";
import { isWholeSuite } from "../../../fixtures/wholeSuite";

const perMinute = isWholeSuite() ? 60 : 20;
/** The last few have to wait for the third minute. */
const all = 2 * perMinute + 5;
const windowMs = 60_000;

describe("many invocations under a rate limit", () => {
  const { now } = Date;
  const { setTimeout: realTimeout } = globalThis;
  let folder = "";
  let aheadMs = 0;
  /** Jobs that have not ended, and those of them that wait. */
  let [jobs, sleepers]: [number, { readonly until: number; readonly wake: () => void }[]] = [0, []];
  /** What the rate limit asks jobs to wait for next, in seconds. */
  let asked: number[] = [];
  /** Once all wait, it is as late as the first of them waits for. */
  const passTime = () => {
    if (jobs === 0 || sleepers.length < jobs) return;
    const [first, ...others] = sleepers.toSorted((one, other) => one.until - other.until);
    sleepers = others;
    aheadMs += Math.max(0, (first?.until ?? 0) - Date.now());
    first?.wake();
  };
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), "skill-registry-rate-"));
    Date.now = () => Math.floor(now() + aheadMs);
    // What the rate limit asks for is waited for by the test's clock, all else by the real one.
    globalThis.setTimeout = ((wake: () => void, ms = 0, ...given: []) => {
      const found = asked.findIndex((seconds) => Math.abs(seconds * 1000 - ms) <= 1000);
      if (found < 0) return realTimeout(wake, ms, ...given);
      asked = asked.toSpliced(found, 1);
      sleepers.push({ until: Date.now() + ms, wake });
      setImmediate(passTime);
      return realTimeout(() => undefined, 0);
    }) as typeof setTimeout;
  });
  afterEach(async () => {
    Date.now = now;
    globalThis.setTimeout = realTimeout;
    await rm(folder, { recursive: true });
  });

  it("take what the limit allows at least, and not one is refused", async () => {
    const arrived: number[] = [];
    let refused = 0;
    const answer = async (): Promise<InvocationOutcome> => {
      const at = Date.now();
      const isRefused = arrived.filter((time) => time > at - windowMs).length >= perMinute;
      arrived.push(at);
      if (isRefused) refused += 1;
      await pause(2);
      return ranOnce;
    };
    const { engine, sent, history } = testEngine(folder, {}, answer);
    const asker = agreeingAsker({
      rateLimit: ({ seconds }) => {
        asked.push(seconds);
        return "later";
      },
    });
    const { signal } = new AbortController();
    const lines = Array.from({ length: all }, (_, line) => `{"line":${line}}`);
    const start = Date.now();
    jobs = 8;
    const job = async () => {
      for (let line = lines.shift(); line !== undefined; line = lines.shift()) {
        const wanted = { ...wantedOnce, perMinute, isWaitedFor: true };
        const { kind } = await engine.invoke(wanted, payloadOf(line), asker, signal);
        assert.equal(kind, "sent");
      }
      jobs -= 1;
      passTime();
    };
    await Promise.all(Array.from({ length: jobs }, job));
    history.dispose();
    assert.deepEqual([sent.length, refused], [all, 0]);
    const least = 2 * windowMs;
    const took = Date.now() - start;
    assert.ok(took >= least && took < 1.1 * least, `${took} ms`);
  });
});
