import assert from "node:assert/strict";
import { describe, it } from "mocha";
import type { LineEvent } from "../../../../src/batch/lineDispatcher";
import { LineQueue } from "../../../../src/batch/queue/lineQueue";
import { workLines } from "../../../../src/batch/queue/lineWorker";
import { QueueDispatcher } from "../../../../src/batch/queue/queueDispatcher";
import { type LineResult, notSentResult } from "../../../../src/core/invocation/run/lineResult";
import { cutNetwork } from "../../../fixtures/network/cutNetwork";
import {
  briefMs,
  endOf,
  never,
  noLimits,
  queueBench,
  queueOf,
  type Send,
  sendLine,
  sentBy,
  success,
  takeOne,
} from "../../../fixtures/queueBench";
import { isSkippedWithoutRedis } from "../../../fixtures/redisServer";

/** Adds a run's line to its stream again, as if Redis gave it to another worker. */
const givenAgain = `
  local lines = redis.call('XRANGE', KEYS[1], '-', '+')
  if #lines == 0 then return 0 end
  redis.call('XADD', KEYS[1], '*', unpack(lines[1][2]))
  return 1`;

describe("a queue", () => {
  if (isSkippedWithoutRedis()) return;
  const { redis, closing, openLink, open, openRun, workAt, work, signal } = queueBench();

  it("passes a line to one worker, and its result to the run", async () => {
    const run = await openRun();
    const sent: string[] = [];
    for (const _ of [1, 2, 3]) {
      await work(async (text, claim) => {
        await claim();
        sent.push(text);
        return success;
      });
    }
    const lines = Array.from({ length: 30 }, (_, at) => `{"text":"${at}"}`);
    const endings = await Promise.all(lines.map((line, at) => endOf(sendLine(run, at + 1, line))));
    assert.deepEqual(endings[0], { kind: "ended", result: success });
    assert.deepEqual(sent.toSorted(), lines.toSorted());
  });

  it("never passes a line that a silent worker claimed to another, and still accepts its result", async () => {
    const run = await openRun(briefMs);
    const silent = await open(briefMs);
    let comesLate: (event: LineEvent) => void;
    const late = new Promise<LineEvent>((resolve) => (comesLate = resolve));
    const sending = sendLine(run, 1, "{}", (event) => comesLate(event));
    const taken = await takeOne(silent, run);
    assert.equal(await silent.claim(run.id, taken.job, "silent"), "taken");
    let others = 0;
    await work(async () => {
      others += 1;
      return success;
    }, briefMs);
    assert.equal((await sending).kind, "lost");
    await silent.report(taken, JSON.stringify(success));
    assert.deepEqual(await endOf(late), { kind: "ended", result: success });
    assert.equal(others, 0);
  });

  it("passes a line that a silent worker had not claimed to another", async () => {
    const run = await openRun(briefMs);
    const silent = await open(briefMs);
    const sending = endOf(sendLine(run, 1));
    const { job } = await takeOne(silent, run);
    assert.deepEqual(await sending, { kind: "ended", result: notSentResult() });
    assert.equal(await silent.claim(run.id, job, "silent"), "held");
  });

  it("sends a line once if Redis delivers it to one worker twice", async () => {
    const run = await openRun(briefMs);
    const queue = await open(briefMs);
    const keys = [queue.key("lines", run.id)];
    const sending = endOf(sendLine(run, 1));
    while ((await queue.link.eval(givenAgain, keys)) !== 1);
    let sent = 0;
    await work(async (_text, claim) => {
      await claim();
      sent += 1;
      return success;
    }, briefMs);
    assert.deepEqual(await sending, { kind: "ended", result: success });
    const left = () => queue.link.eval("return redis.call('XLEN', KEYS[1])", keys);
    while (sent === 1 && (await left()) !== 0);
    assert.equal(sent, 1);
  });

  it("rejects a later claim of a line, even by the worker that got the line first and paused", async () => {
    const run = await openRun();
    const queue = await open();
    let take: () => void = () => undefined;
    let goOn: () => void = () => undefined;
    const taken = new Promise<void>((resolve) => (take = resolve));
    const goesOn = new Promise<void>((resolve) => (goOn = resolve));
    let refuse: (error: unknown) => void = () => undefined;
    const refused = new Promise<unknown>((resolve) => (refuse = resolve));
    const sent: string[] = [];
    const standsStill: Send = async (_text, claim) => {
      take();
      await goesOn;
      await claim().catch((error: unknown) => {
        refuse(error);
        throw error;
      });
      sent.push("by the one that stood still");
      return success;
    };
    void workAt(await open(), standsStill, signal(), 1);
    const sending = endOf(sendLine(run, 1));
    await taken;
    assert.equal(await queue.link.eval(givenAgain, [queue.key("lines", run.id)]), 1);
    await work(async (_text, claim) => {
      await claim();
      sent.push("by the other");
      goOn();
      assert.match(`${await refused}`, /not claimed/);
      return success;
    });
    assert.deepEqual(await sending, { kind: "ended", result: success });
    assert.deepEqual(sent, ["by the other"]);
  });

  it("keeps a result for the next run if this one is killed before it has stored it", async () => {
    const run = await openRun();
    await work(async (_text, claim) => {
      await claim();
      return success;
    });
    const ending = await sendLine(run, 1);
    const other = await open();
    const results = run.queue.key("results", run.id);
    // A result that nobody waits for.
    await other.link.call("XADD", results, "*", "job", "9-9", "result", JSON.stringify(success));
    const last = await sendLine(run, 2);
    if (last.kind === "ended") last.noted?.();
    assert.equal((await other.remainingResults(run.id)).length, 3);
    if (ending.kind === "ended") ending.noted?.();
    await run.close();
    assert.deepEqual(await other.remainingResults(run.id), []);
  });

  it("returns an unclaimed line of a worker that has left, and rejects a later claim", async () => {
    const run = await openRun();
    let claimLater: (() => Promise<void>) | undefined;
    let hasTaken: () => void;
    const taken = new Promise<void>((resolve) => {
      hasTaken = resolve;
    });
    let endSending: (result: LineResult) => void = () => undefined;
    await work((_text, claim) => {
      claimLater = claim;
      hasTaken();
      return new Promise((resolve) => {
        endSending = resolve;
      });
    });
    const sending = sendLine(run, 1);
    await taken;
    run.stop();
    assert.deepEqual(await endOf(sending), { kind: "ended", result: notSentResult() });
    await assert.rejects(claimLater?.() ?? Promise.resolve(), /not claimed/);
    assert.deepEqual(await sendLine(run, 2), { kind: "stopped", why: "" });
    endSending(success);
  });

  it("knows who claimed the lines of a killed run, and their results", async () => {
    const queue = await open();
    await queue.lease("killed", noLimits, "begins");
    const job = (line: number) => `${line}-${line}`;
    for (const line of [1, 2, 3, 4, 5]) await queue.add("killed", job(line), "{}");
    for (const line of [1, 2]) assert.equal(await queue.claim("killed", job(line), "w"), "taken");
    const report = (line: number, result: LineResult) =>
      queue.report({ run: "killed", job: job(line), id: "0-1" }, JSON.stringify(result));
    await report(2, success);
    await report(3, notSentResult("The worker may not."));
    // Line 7: its first try was not sent, and a worker has claimed the next one.
    await queue.add("killed", "7-7", "{}");
    await queue.add("killed", "7-8", "{}");
    assert.equal(await queue.claim("killed", "7-8", "w"), "taken");
    await report(7, notSentResult());
    // Line 8: an earlier try has ended, so it was sent, whatever the last one says.
    await queue.add("killed", "8-8", "{}");
    await queue.add("killed", "8-9", "{}");
    await queue.report({ run: "killed", job: "8-8", id: "0-1" }, JSON.stringify(success));
    // Line 9 is for Redis listing tries in any order; the result of line 1 is unreadable.
    await queue.add("killed", "9-12", "{}");
    assert.equal(await queue.claim("killed", "9-12", "w"), "taken");
    await queue.add("killed", "9-11", "{}");
    await queue.report({ run: "killed", job: job(1), id: "0-1" }, "{}");
    assert.equal(await queue.withdraw("killed", job(4)), "taken");
    const run = await openRun();
    for (const _ of ["first", "again"]) {
      const left = await run.recoverRun("killed", never, () => undefined);
      assert.deepEqual(
        [1, 2, 3, 4, 5, 6, 7, 8, 9].map((line) => left(line)),
        [undefined, success, ...Array(4).fill("notSent"), undefined, success, undefined],
      );
    }
    assert.equal((await run.recoverRun("never known", never, () => undefined))(1), undefined);
    assert.equal(await queue.claim("killed", job(5), "w"), "gone");
    assert.equal(await queue.lease("killed", noLimits, "goes on"), "over");
    assert.ok(
      !(await queue.runs()).includes("killed"),
      "workers would ask for its lines again and again",
    );
  });

  it("keeps results that arrive after their run ended without them", async () => {
    const run = await openRun(briefMs);
    let answer: (result: LineResult) => void = () => undefined;
    let hasClaimed: () => void = () => undefined;
    const claimed = new Promise<void>((resolve) => {
      hasClaimed = resolve;
    });
    const way = await cutNetwork(Number(new URL(redis().url).port));
    closing(() => way.close());
    const queue = await open(briefMs, `redis://127.0.0.1:${way.port}`);
    void workAt(queue, async (_text, claim) => {
      await claim();
      way.cut();
      hasClaimed();
      return new Promise<LineResult>((resolve) => {
        answer = resolve;
      });
    });
    const sending = sendLine(run, 7);
    await claimed;
    let others = 0;
    // This worker is alive, and ends lines of the silent one.
    await work(async () => {
      others += 1;
      return success;
    }, briefMs);
    assert.equal((await sending).kind, "lost");
    assert.equal(others, 0);
    await run.close();
    answer(success);
    way.mend();
    const next = await openRun(briefMs);
    for (;;) {
      const left = (await next.recoverRun(run.id, never, () => undefined))(7);
      if (left === undefined) continue;
      assert.deepEqual(left, success);
      break;
    }
  });

  it("lets no worker claim a line twice, a withdrawn line, or a line of an ended run", async () => {
    const queue = await open();
    assert.equal(await queue.lease("one", noLimits, "begins"), "emptied");
    assert.equal(await queue.lease("other", noLimits, "begins"), "emptied");
    for (const run of ["one", "other"]) {
      for (const job of ["1-1", "2-2"]) await queue.add(run, job, "{}");
      // The response was lost, so the line is added again.
      assert.equal(await queue.add(run, "1-1", "{}"), true);
    }
    const lengthOf = (run: string) => queue.link.call("XLEN", queue.key("lines", run));
    assert.deepEqual(await Promise.all(["one", "other"].map(lengthOf)), [2, 2]);
    assert.equal(await queue.claim("one", "1-1", "worker"), "taken");
    assert.equal(await queue.claim("one", "1-1", "worker"), "taken");
    assert.equal(await queue.claim("one", "1-1", "another"), "held");
    assert.equal(await queue.withdraw("one", "1-1"), "held");
    assert.equal(await queue.withdraw("one", "2-2"), "taken");
    assert.equal(await queue.claim("one", "2-2", "worker"), "held");
    assert.equal(await queue.claim("one", "never added", "worker"), "held");
    await queue.delete("one");
    assert.equal(await queue.claim("one", "1-1", "worker"), "gone");
    assert.equal(await queue.withdraw("one", "1-1"), "gone");
    assert.equal(await queue.add("one", "3-3", "{}"), false);
    assert.equal(await queue.claim("other", "1-1", "worker"), "taken");
    await queue.delete("other");
  });

  it("takes a line back that is added after its run was canceled", async () => {
    const run = await openRun();
    let leave: () => void = () => undefined;
    let end: (event: LineEvent) => void = () => undefined;
    const ending = new Promise<LineEvent>((resolve) => (end = resolve));
    await new Promise<void>((isStarted) => {
      run.send({ line: 1, text: "{}", digest: "" }, (event) => {
        if (event.kind !== "started") return end(event);
        leave = event.send;
        isStarted();
      });
    });
    run.stop();
    const key = run.queue.key("claims", run.id);
    while ((await run.queue.link.call("HGET", key, "open")) !== null);
    assert.equal(await run.queue.link.call("HGET", key, "1-1"), null, "its start is not noted yet");
    leave();
    assert.deepEqual(await endOf(ending), { kind: "ended", result: notSentResult() });
  });

  it("returns a line whose stream has expired, and creates a new stream for the next lines", async () => {
    const run = await openRun(briefMs);
    const { link } = run.queue;
    const lines = run.queue.key("lines", run.id);
    await link.call("DEL", lines);
    assert.deepEqual(await endOf(sendLine(run, 1)), { kind: "ended", result: notSentResult() });
    while ((await link.call("EXISTS", lines)) === 0);
    await work(async (_text, claim) => {
      await claim();
      return success;
    }, briefMs);
    assert.deepEqual(await endOf(sendLine(run, 2)), { kind: "ended", result: success });
  });

  it("keeps data of a killed run for a day at most, and its payloads only briefly", async () => {
    const queue = await open(briefMs);
    await queue.lease("killed", { perMinute: 1 }, "begins");
    await queue.add("killed", "1-1", "{}");
    assert.equal(await queue.claim("killed", "1-1", "worker"), "taken");
    await queue.report({ run: "killed", job: "1-1", id: "0-1" }, JSON.stringify(success));
    const { link } = queue;
    const seconds = async (key: string) => Number(await link.call("TTL", key));
    for (const kind of ["claims", "results"]) {
      const left = await seconds(queue.key(kind, "killed"));
      assert.ok(left > 86_000 && left <= 86_400, `${kind}: ${left}`);
    }
    const minutes = (await link.call("KEYS", queue.key("minute", "*"))) as readonly string[];
    for (const key of minutes) assert.ok((await seconds(key)) > 0, key);
    const lines = queue.key("lines", "killed");
    assert.notEqual(await seconds(lines), -1);
    while ((await link.call("EXISTS", lines)) === 1);
    await openRun(briefMs);
    assert.equal(await link.call("ZSCORE", queue.key("runs"), "killed"), null);
  });

  it("lets one worker send the lines of several skills, and lists workers and waiting lines", async () => {
    const link = await openLink();
    const skills = ["one", "other"];
    const queues = skills.map((skill) => new LineQueue(link, { ...queueOf, skill }));
    const sent: string[] = [];
    const worked = queues.map((queue, at) => {
      const send: Send = async (text, claim) => {
        await claim();
        sent.push(`${skills[at]} ${text}`);
        return success;
      };
      return { queue, send: sentBy(send) };
    });
    const runs: QueueDispatcher[] = [];
    for (const skill of skills) {
      const queue = new LineQueue(await openLink(), { ...queueOf, skill });
      const run = new QueueDispatcher(
        queue,
        async () => undefined,
        async () => undefined,
      );
      closing(() => run.close());
      await run.begin(undefined);
      runs.push(run);
    }
    const sending = runs.flatMap((run) => [1, 2].map((line) => sendLine(run, line, `${line}`)));
    while ((await runs[0]?.queue.status())?.lines !== 2);
    const end = new AbortController();
    const working = workLines(link, worked, 3, end.signal);
    closing(() => end.abort());
    await Promise.all(sending);
    assert.deepEqual(sent.toSorted(), ["one 1", "one 2", "other 1", "other 2"]);
    const status = await runs[0]?.queue.status();
    const { workers: named, ...counts } = status ?? { workers: [] };
    assert.equal(named.length, 1);
    assert.deepEqual(counts, { runs: 1, lines: 0, taken: 0, lastMinute: 2 });
    const workers = async () => (await runs[0]?.queue.status())?.workers.length;
    await runs[0]?.queue.register("one that was there", -1);
    assert.equal(await workers(), 1);
    end.abort();
    await working;
    assert.equal(await workers(), 0);
  });
});
