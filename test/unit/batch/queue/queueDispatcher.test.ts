import assert from "node:assert/strict";
import { describe, it } from "mocha";
import type { LineEvent } from "../../../../src/batch/lineDispatcher";
import { QueueDispatcher } from "../../../../src/batch/queue/queueDispatcher";
import { notSentResult } from "../../../../src/core/invocation/run/lineResult";
import {
  briefMs,
  endOf,
  never,
  noLimits,
  queueBench,
  sendLine,
  success,
  takeOne,
} from "../../../fixtures/queueBench";
import { isSkippedWithoutRedis, startRedis } from "../../../fixtures/redisServer";

describe("a run at a queue", () => {
  if (isSkippedWithoutRedis()) return;
  const { closing, open, openRun } = queueBench();
  const has = async ({ queue, id }: QueueDispatcher, job: string) => {
    while ((await queue.link.call("HGET", queue.key("claims", id), job)) === null);
  };

  it("returns a line whose stream expired while the run was away", async () => {
    const run = await openRun(briefMs);
    const sending = endOf(sendLine(run, 1));
    await has(run, "1-1");
    await run.queue.link.call("DEL", run.queue.key("lines", run.id));
    assert.deepEqual(await sending, { kind: "ended", result: notSentResult() });
  });

  it("counts a line with an unreadable result as lost", async () => {
    const run = await openRun();
    const sending = sendLine(run, 1);
    await has(run, "1-1");
    const results = run.queue.key("results", run.id);
    await run.queue.link.call("XADD", results, "*", "job", "1-1", "result", '{"next":"ended"}');
    assert.equal((await sending).kind, "lost");
  });

  it("gives a silent worker time to hand over its result, in case Redis was away for both", async () => {
    const run = await openRun(briefMs);
    const sending = sendLine(run, 1);
    const taken = await takeOne(run.queue, run);
    assert.equal(await run.queue.claim(run.id, taken.job, "worker"), "taken");
    const { withdraw } = run.queue;
    let times = 0;
    run.queue.withdraw = async (...line) => {
      const answer = await withdraw.apply(run.queue, line);
      times += 1;
      // The worker returns once the run has noticed its silence.
      if (times === 1) void run.queue.report(taken, JSON.stringify(success));
      else await sending;
      return answer;
    };
    assert.equal((await sending).kind, "ended");
    assert.ok(times > 0);
  });

  it("ends if it was resumed elsewhere", async () => {
    const run = await openRun(briefMs);
    const sending = sendLine(run, 1);
    await has(run, "1-1");
    await run.queue.end(run.id, false);
    assert.deepEqual(await sending, { kind: "refused", why: "The run was resumed elsewhere." });
  });

  it("does not report a canceled line as unsent if Redis lost the worker's claim", async () => {
    const gone = await startRedis();
    closing(() => gone.close());
    const run = await openRun(undefined, gone.url);
    const sending = sendLine(run, 1);
    const queue = await open(undefined, gone.url);
    const { job } = await takeOne(queue, run);
    assert.equal(await queue.claim(run.id, job, "worker"), "taken");
    await gone.kill();
    await gone.restart("nothing");
    run.stop();
    const why = "Redis forgot what it had confirmed.";
    assert.deepEqual(await sending, { kind: "refused", why });
  });

  it("ends with the reason if the key of its lines has another type, adds no line, and keeps the existing ones", async () => {
    const run = await openRun();
    const { queue } = run;
    let leave: () => void = () => undefined;
    let end: (event: LineEvent) => void = () => undefined;
    const later = new Promise<LineEvent>((resolve) => (end = resolve));
    run.send({ line: 1, text: "{}", digest: "" }, (event) => {
      if (event.kind === "started") leave = event.send;
      else end(event);
    });
    await queue.link.call("SET", queue.key("lines", run.id), "text");
    const ending = await sendLine(run, 2);
    assert.equal(ending.kind, "refused");
    if (ending.kind === "refused") assert.match(ending.why, /rejected a command: WRONGTYPE /);
    leave();
    assert.deepEqual(await endOf(later), { kind: "ended", result: notSentResult() });
    const other = await open();
    await run.close();
    assert.equal(await other.link.call("EXISTS", queue.key("claims", run.id)), 1);
    await other.delete(run.id);
  });

  it("waits for sent lines of an earlier run, and reads their outcome", async () => {
    const queue = await open();
    await queue.lease("earlier", noLimits, "begins");
    await queue.add("earlier", "1-1", "{}");
    const run = await openRun();
    const taken = await takeOne(queue, { id: "earlier" });
    assert.equal(await queue.claim("earlier", taken.job, "worker"), "taken");
    const left = await run.recoverRun("earlier", never, () => {
      void queue.report(taken, JSON.stringify(success));
    });
    assert.deepEqual(left(1), success);
  });

  it("waits for no worker of an earlier run that is silent", async () => {
    const queue = await open(briefMs);
    await queue.lease("earlier", noLimits, "begins");
    await queue.add("earlier", "1-1", "{}");
    const run = await openRun(briefMs);
    const taken = await takeOne(queue, { id: "earlier" });
    assert.equal(await queue.claim("earlier", taken.job, "worker"), "taken");
    assert.equal((await run.recoverRun("earlier", never, () => undefined))(1), undefined);
  });

  it("leaves results in Redis until the disk has them", async () => {
    let flush: () => void = () => undefined;
    const flushed = new Promise<void>((resolve) => (flush = resolve));
    const run = new QueueDispatcher(
      await open(),
      async () => undefined,
      () => flushed,
    );
    closing(() => run.close());
    await run.begin(undefined);
    const sending = sendLine(run, 1);
    await has(run, "1-1");
    const { link } = run.queue;
    const results = run.queue.key("results", run.id);
    const result = JSON.stringify(success);
    // One batch of results that nobody waits for, and one more result.
    for (let line = 2; line <= 51; line += 1) {
      await link.call("XADD", results, "*", "job", `${line}-${line}`, "result", result);
    }
    await link.call("XADD", results, "*", "job", "1-1", "result", result);
    await sending;
    assert.equal(await link.call("XLEN", results), 51);
    flush();
    while ((await link.call("XLEN", results)) !== 1);
  });
});
