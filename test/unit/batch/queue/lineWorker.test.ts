import assert from "node:assert/strict";
import { describe, it } from "mocha";
import type { SendLine } from "../../../../src/batch/lineDispatcher";
import type { LineQueue } from "../../../../src/batch/queue/lineQueue";
import { workLines } from "../../../../src/batch/queue/lineWorker";
import type { QueueDispatcher } from "../../../../src/batch/queue/queueDispatcher";
import { notSentResult } from "../../../../src/core/invocation/run/lineResult";
import {
  briefMs,
  endOf,
  queueBench,
  type Send,
  sendLine,
  success,
} from "../../../fixtures/queueBench";
import { isSkippedWithoutRedis } from "../../../fixtures/redisServer";

describe("a worker at a queue", () => {
  if (isSkippedWithoutRedis()) return;
  const { closing, open, openRun, workAt, signal } = queueBench();

  /** Longer than any silence of a busy machine. */
  const aSecond = 1000;
  const claimed: Send = async (_text, claim) => {
    await claim();
    return success;
  };
  /** Starts a worker whose sent lines end when the test says so. */
  const workUntilTold = (queue: LineQueue, end = signal(), jobs = 8) => {
    let answer: () => void = () => undefined;
    let leave: () => void = () => undefined;
    const answered = new Promise<void>((resolve) => (answer = resolve));
    const left = new Promise<void>((resolve) => (leave = resolve));
    const send: Send = async (text, claim, stop) => {
      const result = await claimed(text, claim, stop);
      leave();
      await answered;
      return result;
    };
    return { working: workAt(queue, send, end, jobs), left, answer: () => answer() };
  };
  /** Resolves once a worker has reported so many times that it is alive. */
  const said = async (queue: LineQueue, times: number) => {
    const workers = queue.key("workers");
    const read = async () => `${await queue.link.call("ZRANGE", workers, 0, -1, "WITHSCORES")}`;
    for (let time = 0; time < times; time += 1) {
      const before = await read();
      while ((await read()) === before);
    }
  };
  /** Resolves to a member of a run's hash in Redis. */
  const known = ({ queue, id }: QueueDispatcher, name: string) =>
    queue.link.call("HGET", queue.key("claims", id), name);

  it("keeps a line for as long as it waits for the answer", async () => {
    const run = await openRun(aSecond);
    const queue = await open(aSecond);
    const { left, answer } = workUntilTold(queue);
    const sending = endOf(sendLine(run, 1));
    await left;
    // Longer than the silence timeout, and than two looks of the run.
    await said(queue, 10);
    answer();
    assert.deepEqual(await sending, { kind: "ended", result: success });
  });

  it("hands over a result once, before its own record is written", async () => {
    const run = await openRun();
    const queue = await open();
    let write: () => void = () => undefined;
    const written = new Promise<void>((resolve) => (write = resolve));
    const send: SendLine = async (_payload, { beforeSend, onAnswer }) => {
      await beforeSend();
      onAnswer(success);
      await written;
      return { kind: "ended", result: success };
    };
    const end = new AbortController();
    const working = workLines(queue.link, [{ queue, send }], 8, end.signal);
    closing(() => end.abort());
    assert.deepEqual(await endOf(sendLine(run, 1)), { kind: "ended", result: success });
    write();
    end.abort();
    assert.deepEqual(await working, { isReachable: true, unreported: [], problem: undefined });
    assert.equal((await run.queue.remainingResults(run.id)).length, 1);
  });

  it("continues although the stream of its line's run is gone", async () => {
    const run = await openRun(briefMs);
    const queue = await open(briefMs);
    const reader = await open(briefMs);
    const end = new AbortController();
    const { working, left, answer } = workUntilTold(queue, end.signal);
    void sendLine(run, 1);
    await left;
    await run.close();
    await said(reader, 3);
    answer();
    while ((await reader.remainingResults(run.id)).length === 0);
    end.abort();
    assert.deepEqual(await working, { isReachable: true, unreported: [], problem: undefined });
  });

  it("waits at its end for the answer to its sent line, and reports it", async () => {
    const run = await openRun(aSecond);
    const end = new AbortController();
    const reader = await open(aSecond);
    const { working, left, answer } = workUntilTold(await open(aSecond), end.signal);
    const sending = endOf(sendLine(run, 1));
    await left;
    run.stop();
    end.abort();
    // Meanwhile the run has renewed its lease as well.
    await said(reader, 5);
    answer();
    assert.deepEqual(await sending, { kind: "ended", result: success });
    assert.deepEqual(await working, { isReachable: true, unreported: [], problem: undefined });
  });

  it("holds a result, and takes no other line, while too many bytes wait for the run", async () => {
    const run = await openRun();
    const queue = await open();
    const { left, answer } = workUntilTold(queue, undefined, 2);
    const first = endOf(sendLine(run, 1));
    await left;
    const claims = queue.key("claims", run.id);
    await queue.link.call("HSET", claims, "bytes", 40_000_000);
    const scripts = async () => {
      const stats = `${await queue.link.call("INFO", "commandstats")}`;
      return Number(/cmdstat_eval:calls=(\d+)/.exec(stats)?.[1]);
    };
    const tried = async (times: number) => {
      const before = await scripts();
      while ((await scripts()) < before + times);
    };
    answer();
    await tried(6);
    const second = endOf(sendLine(run, 2));
    while ((await known(run, "2-2")) === null);
    await tried(6);
    assert.equal(await known(run, "2-2"), "");
    await queue.link.call("HSET", claims, "bytes", 0);
    assert.deepEqual(await first, { kind: "ended", result: success });
    assert.deepEqual(await second, { kind: "ended", result: success });
  });

  it("continues with the lines of a run after another run ends", async () => {
    const [ended, staying] = [await openRun(), await openRun()];
    void workAt(await open(), claimed);
    assert.equal((await sendLine(ended, 1)).kind, "ended");
    await ended.close();
    for (const line of [1, 2]) {
      const result = await endOf(sendLine(staying, line));
      assert.deepEqual(result, { kind: "ended", result: success });
    }
  });

  it("returns nothing of a line that it did not send", async () => {
    const run = await openRun();
    const queue = await open();
    let take: () => void = () => undefined;
    const taken = new Promise<void>((resolve) => (take = resolve));
    let go: () => void = () => undefined;
    const goes = new Promise<void>((resolve) => (go = resolve));
    const working = workAt(queue, async () => {
      take();
      await goes;
      return notSentResult("It may not.");
    });
    void sendLine(run, 1);
    await taken;
    await run.queue.link.call("SET", run.queue.key("results", run.id), "text");
    go();
    const { unreported, problem = "" } = await working;
    assert.deepEqual(unreported, []);
    assert.match(problem, /WRONGTYPE/);
  });
});
