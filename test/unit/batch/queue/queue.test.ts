import assert from "node:assert/strict";
import { once } from "node:events";
import { rm } from "node:fs/promises";
import { resolve } from "node:path";
import { Worker } from "node:worker_threads";
import { build } from "esbuild";
import { after, afterEach, before, beforeEach, describe, it } from "mocha";
import type { LineEvent, RunCost, SendLine } from "../../../../src/batch/lineCarrier";
import { FleetLimits } from "../../../../src/batch/queue/fleetLimits";
import { LineQueue, type TakenLine, takeLines } from "../../../../src/batch/queue/lineQueue";
import { workLines } from "../../../../src/batch/queue/lineWorker";
import { QueueCarrier } from "../../../../src/batch/queue/queueCarrier";
import { RedisLink } from "../../../../src/batch/queue/redisLink";
import type { InvocationOutcome } from "../../../../src/core/invocation/invocation";
import { type LineResult, notSentResult } from "../../../../src/core/invocation/run/lineResult";
import { makeAuthority } from "../../../fixtures/network/certificates";
import { cutNetwork } from "../../../fixtures/network/cutNetwork";
import { startRawServer } from "../../../fixtures/network/rawServer";
import { isSkippedWithoutRedis, type RedisServer, startRedis } from "../../../fixtures/redisServer";

const of = { registry: "https://registry.example", skill: "text-stats", version: "1.0.0" };
const success: LineResult = {
  next: "ended",
  facts: { status: "success", ran: "yes", milliseconds: 3, cents: 2, currency: "USD" },
  outputText: '{"of":1}',
  waitSeconds: 0,
};

/** Sends a payload once `claim` has resolved. */
type Send = (text: string, claim: () => Promise<void>, signal: AbortSignal) => Promise<LineResult>;

function sentBy(send: Send): SendLine {
  return async ({ text }, { leaves }, signal) => {
    return { kind: "ended", result: await send(text, leaves, signal) };
  };
}

const noLimits = { perMinute: undefined };
const unknownBudget = async () => undefined;

const notSent: InvocationOutcome = {
  kind: "notSent",
  failure: { kind: "unreachable", cause: "refused", detail: "ECONNREFUSED" },
};

/** Takes a queue for a run, and closes it when it is told to. */
const programOfRun = `
const { parentPort, workerData } = require("node:worker_threads");
const { LineQueue, QueueCarrier, RedisLink } = require(workerData.bundle);
const open = async () => {
  const queue = new LineQueue(await RedisLink.open(workerData.settings), workerData.of);
  const run = new QueueCarrier(queue, async () => undefined, async () => undefined);
  await run.begin(undefined);
  parentPort.once("message", () => run.close());
  parentPort.postMessage("open");
};
open();
`;

describe("a queue", () => {
  if (isSkippedWithoutRedis()) return;
  let redis: RedisServer;
  let stop: AbortController;
  let closing: (() => unknown)[] = [];
  before(async () => {
    redis = await startRedis();
    stop = new AbortController();
  });
  afterEach(async () => {
    stop.abort();
    for (const close of closing.reverse()) await close();
    closing = [];
    stop = new AbortController();
  });
  after(() => redis.close());
  /** A busy machine is silent for less; who is silent for longer than `briefMs` counts as dead where a test is about that. */
  const [usualMs, briefMs] = [60_000, 300];
  const flushed = async () => undefined;
  const openLink = (silenceMs = usualMs, url = redis.url, refused = (_: string) => undefined) =>
    RedisLink.open({ url, isTrusted: true, silenceMs, refused });
  /** All who use a queue look for the dead as often, so each time has a queue of its own. */
  const open = async (silenceMs = usualMs, url = redis.url) =>
    new LineQueue(await openLink(silenceMs, url), { ...of, version: `${silenceMs}` });
  const openRun = async (
    silenceMs = usualMs,
    url = redis.url,
    perMinute?: number,
    cost?: RunCost,
  ) => {
    const run = new QueueCarrier(await open(silenceMs, url), async () => perMinute, flushed);
    closing.push(() => run.close());
    await run.begin(cost);
    return run;
  };
  const workAt = (queue: LineQueue, send: Send, signal = stop.signal, jobs = 8) =>
    workLines(queue.link, [{ queue, send: sentBy(send) }], jobs, signal);
  const work = async (send: Send, silenceMs = usualMs) => {
    const working = workAt(await open(silenceMs), send);
    closing.push(() => working);
  };
  /** Sends a line that may leave at once. Resolves to what became of it; `later` hears what comes after that. */
  const sendLine = (run: QueueCarrier, line: number, text = "{}", later = (_: LineEvent) => {}) =>
    new Promise<LineEvent>((resolve) => {
      let isKnown = false;
      run.send({ line, text, digest: "" }, (event) => {
        if (event.kind === "started") event.leave();
        else if (isKnown) later(event);
        else resolve(event);
        isKnown = event.kind !== "started";
      });
    });
  /** What became of a line, without the function that says that it is noted. */
  const endOf = async (ending: Promise<LineEvent>) => {
    const { noted: _, ...rest } = { noted: undefined, ...(await ending) };
    return rest;
  };
  const never = new AbortController().signal;

  describe("whose Redis is gone", () => {
    let gone: RedisServer;
    beforeEach(async () => {
      gone = await startRedis();
    });
    afterEach(() => gone.close());

    /** Ends a run whose Redis is gone by then, and resolves once nothing keeps its program any more. */
    const endRun = async (url: string, go: () => unknown) => {
      const bundle = resolve("out/test", `queue-${process.pid}.js`);
      const files = ["lineQueue", "queueCarrier", "redisLink"];
      const contents = files.map((file) => `export * from "./${file}";`).join("");
      const stdin = { contents, resolveDir: resolve("src/batch/queue") };
      await build({ stdin, outfile: bundle, bundle: true, platform: "node" });
      closing.push(() => rm(bundle));
      const workerData = {
        bundle,
        of,
        settings: { url, isTrusted: true, silenceMs: briefMs },
      };
      const program = new Worker(programOfRun, { eval: true, workerData });
      const exit = once(program, "exit");
      await once(program, "message");
      await go();
      program.postMessage("close");
      await exit;
    };

    it("leaves nothing of a run that could keep its program", () => endRun(gone.url, gone.kill));

    it("leaves nothing of a run that is cut off from it, either", async () => {
      const way = await cutNetwork(Number(new URL(gone.url).port));
      closing.push(() => way.close());
      await endRun(`redis://127.0.0.1:${way.port}`, way.cut);
    });

    it("holds an invocation, since the others would not know of it", async () => {
      const { link } = await open(briefMs, gone.url);
      const clocks = new FleetLimits(link, unknownBudget);
      const scope = { registry: of.registry, project: "0123abcd", skillSlug: of.skill };
      const { waitMs, place } = await clocks.claim(scope);
      assert.equal(waitMs, 0);
      closing.push(() => link.close());
      await gone.kill();
      await link.giveUp();
      assert.equal((await clocks.claim(scope)).waitMs, 1000);
      await clocks.giveBack(scope, place);
      assert.equal(await clocks.noteOutcome(scope, notSent, place), 0);
    });

    it("ends a worker although nobody answers", async () => {
      const working = workAt(await open(briefMs, gone.url), async () => success);
      await gone.kill();
      stop.abort();
      const ending = { isThere: false, unreported: [], problem: undefined };
      assert.deepEqual(await working, ending);
    });

    it("has a worker wait for what it sent, and return what it cannot hand to the run", async () => {
      const run = await openRun(briefMs, gone.url);
      let leave: () => void = () => undefined;
      const left = new Promise<void>((resolve) => (leave = resolve));
      let answer: (result: LineResult) => void = () => undefined;
      const answered = new Promise<LineResult>((resolve) => (answer = resolve));
      const send: Send = async (_text, claim) => {
        await claim();
        leave();
        return answered;
      };
      const waited: number[] = [];
      const queue = await open(briefMs, gone.url);
      const heard = (lines: number) => waited.push(lines);
      const working = workLines(queue.link, [{ queue, send: sentBy(send) }], 8, stop.signal, heard);
      void sendLine(run, 1);
      await left;
      await gone.kill();
      stop.abort();
      answer(success);
      const unreported = [{ run: run.id, line: 1, result: success }];
      assert.deepEqual(await working, { isThere: false, unreported, problem: undefined });
      assert.deepEqual(waited, [1]);
    });
  });

  it("hands a line to one of its workers, and what became of it to the run", async () => {
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

  it("never gives a line away again that a silent worker had claimed, and still takes its result", async () => {
    const run = await openRun(briefMs);
    const silent = await open(briefMs);
    closing.push(() => silent.link.close());
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

  it("gives a line away again that a silent worker took and had not claimed", async () => {
    const run = await openRun(briefMs);
    const silent = await open(briefMs);
    closing.push(() => silent.link.close());
    const sending = endOf(sendLine(run, 1));
    const { job } = await takeOne(silent, run);
    assert.deepEqual(await sending, { kind: "ended", result: notSentResult() });
    assert.equal(await silent.claim(run.id, job, "silent"), "held");
  });

  it("has a line sent once where Redis delivers it to one worker twice", async () => {
    const run = await openRun();
    const queue = await open();
    closing.push(() => queue.link.close());
    const keys = [queue.key("lines", run.id)];
    const twice = `
      local lines = redis.call('XRANGE', KEYS[1], '-', '+')
      if #lines == 0 then return 0 end
      redis.call('XADD', KEYS[1], '*', unpack(lines[1][2]))
      return 1`;
    const sending = endOf(sendLine(run, 1));
    while ((await queue.link.eval(twice, keys)) !== 1);
    let sent = 0;
    await work(async (_text, claim) => {
      await claim();
      sent += 1;
      return success;
    });
    assert.deepEqual(await sending, { kind: "ended", result: success });
    const left = () => queue.link.eval("return redis.call('XLEN', KEYS[1])", keys);
    while (sent === 1 && (await left()) !== 0);
    assert.equal(sent, 1);
  });

  it("has a result once more for the next run where this one is killed before it has noted it", async () => {
    const run = await openRun();
    await work(async (_text, claim) => {
      await claim();
      return success;
    });
    const ending = await sendLine(run, 1);
    const other = await open();
    closing.push(() => other.link.close());
    assert.equal((await other.left(run.id)).length, 1);
    if (ending.kind === "ended") ending.noted?.();
    await run.close();
    assert.deepEqual(await other.left(run.id), []);
  });

  it("gives a line back that a worker took and left before it claimed it, who cannot claim it later", async () => {
    const run = await openRun();
    let claimLater: (() => Promise<void>) | undefined;
    let hasTaken: () => void;
    const taken = new Promise<void>((resolve) => {
      hasTaken = resolve;
    });
    let letGo: (result: LineResult) => void = () => undefined;
    await work((_text, claim) => {
      claimLater = claim;
      hasTaken();
      return new Promise((resolve) => {
        letGo = resolve;
      });
    });
    const sending = sendLine(run, 1);
    await taken;
    run.stop();
    assert.deepEqual(await endOf(sending), { kind: "ended", result: notSentResult() });
    await assert.rejects(claimLater?.() ?? Promise.resolve(), /not claimed/);
    assert.deepEqual(await sendLine(run, 2), { kind: "stopped", why: "" });
    letGo(success);
  });

  it("knows of lines that a killed run left who claimed them, and what came of them", async () => {
    const queue = await open();
    closing.push(() => queue.link.close());
    await queue.lease("killed", noLimits, "begins");
    const job = (line: number) => `${line}-${line}`;
    for (const line of [1, 2, 3, 4, 5]) await queue.add("killed", job(line), "{}");
    for (const line of [1, 2]) assert.equal(await queue.claim("killed", job(line), "w"), "taken");
    const report = (line: number, result: LineResult) =>
      queue.report({ run: "killed", job: job(line), id: "0-1" }, JSON.stringify(result));
    await report(2, success);
    await report(3, notSentResult("The worker may not."));
    // Its first try was not sent, and a worker has claimed the next one.
    await queue.add("killed", "7-7", "{}");
    await queue.add("killed", "7-8", "{}");
    assert.equal(await queue.claim("killed", "7-8", "w"), "taken");
    await report(7, notSentResult());
    assert.equal(await queue.takeBack("killed", job(4)), "taken");
    const run = await openRun();
    for (const _ of ["first", "again"]) {
      const left = await run.leftBy("killed", never, () => undefined);
      assert.deepEqual(
        [1, 2, 3, 4, 5, 6, 7].map((line) => left(line)),
        [undefined, success, "notSent", "notSent", "notSent", "notSent", undefined],
      );
    }
    assert.equal((await run.leftBy("never known", never, () => undefined))(1), undefined);
    assert.equal(await queue.claim("killed", job(5), "w"), "gone");
    assert.equal(await queue.lease("killed", noLimits, "goes on"), "over");
    assert.ok(
      !(await queue.runs()).includes("killed"),
      "workers would ask for its lines again and again",
    );
  });

  it("keeps what a worker still reports of a run that ended without it", async () => {
    const run = await openRun(briefMs);
    let answer: (result: LineResult) => void = () => undefined;
    let hasClaimed: () => void = () => undefined;
    const claimed = new Promise<void>((resolve) => {
      hasClaimed = resolve;
    });
    const way = await cutNetwork(Number(new URL(redis.url).port));
    closing.push(() => way.close());
    const queue = await open(briefMs, `redis://127.0.0.1:${way.port}`);
    const working = workAt(queue, async (_text, claim) => {
      await claim();
      way.cut();
      hasClaimed();
      return new Promise<LineResult>((resolve) => {
        answer = resolve;
      });
    });
    closing.push(() => working);
    const sending = sendLine(run, 7);
    await claimed;
    let others = 0;
    // One that is there ends what the other no longer keeps.
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
      const left = (await next.leftBy(run.id, never, () => undefined))(7);
      if (left === undefined) continue;
      assert.deepEqual(left, success);
      break;
    }
  });

  it("says why it cannot be reached, and never the password", async () => {
    const address = redis.url.replace("redis://", "");
    const asked = { isTrusted: true };
    const refused = (url: string) =>
      RedisLink.open({ ...asked, url }).then(
        () => "it was",
        (error: Error) => error.message,
      );
    assert.equal(
      await refused("redis://:secret@127.0.0.1:1"),
      "The Redis at 127.0.0.1:1 could not be reached (ECONNREFUSED).",
    );
    assert.equal(
      await refused(`redis://someone:secret@${address}`),
      `The Redis at ${address} does not let you in (WRONGPASS). Check the user and password in --queue.`,
    );
    const { port, close } = await startRawServer(() => {}, makeAuthority().issue(["127.0.0.1"]));
    closing.push(close);
    assert.equal(
      await refused(`rediss://:secret@127.0.0.1:${port}`),
      `The Redis at 127.0.0.1:${port} has a certificate that is not trusted (UNABLE_TO_VERIFY_LEAF_SIGNATURE). Set NODE_EXTRA_CA_CERTS to a file with its authority's certificate.`,
    );
  });

  it("lets no worker claim a line twice, nor one that was taken back or is of a run that is gone", async () => {
    const queue = await open();
    closing.push(() => queue.link.close());
    assert.equal(await queue.lease("one", noLimits, "begins"), "emptied");
    assert.equal(await queue.lease("other", noLimits, "begins"), "emptied");
    for (const run of ["one", "other"]) {
      for (const job of ["1-1", "2-2"]) await queue.add(run, job, "{}");
      // The answer was lost, and it is asked once more.
      assert.equal(await queue.add(run, "1-1", "{}"), true);
    }
    assert.equal(await queue.claim("one", "1-1", "worker"), "taken");
    assert.equal(await queue.claim("one", "1-1", "worker"), "taken");
    assert.equal(await queue.claim("one", "1-1", "another"), "held");
    assert.equal(await queue.takeBack("one", "1-1"), "held");
    assert.equal(await queue.takeBack("one", "2-2"), "taken");
    assert.equal(await queue.claim("one", "2-2", "worker"), "held");
    assert.equal(await queue.claim("one", "never added", "worker"), "held");
    await queue.forget("one");
    assert.equal(await queue.claim("one", "1-1", "worker"), "gone");
    assert.equal(await queue.takeBack("one", "1-1"), "forgotten");
    assert.equal(await queue.add("one", "3-3", "{}"), false);
    assert.equal(await queue.claim("other", "1-1", "worker"), "taken");
    await queue.forget("other");
  });

  it("has one worker send the lines of several skills, and tells who works and what waits", async () => {
    const link = await openLink();
    const skills = ["one", "other"];
    const queues = skills.map((skill) => new LineQueue(link, { ...of, skill }));
    const sent: string[] = [];
    const worked = queues.map((queue, at) => {
      const send: Send = async (text, claim) => {
        await claim();
        sent.push(`${skills[at]} ${text}`);
        return success;
      };
      return { queue, send: sentBy(send) };
    });
    const runs = [];
    for (const skill of skills) {
      const queue = new LineQueue(await openLink(), { ...of, skill });
      const run = new QueueCarrier(queue, async () => undefined, flushed);
      closing.push(() => run.close());
      await run.begin(undefined);
      runs.push(run);
    }
    const sending = runs.flatMap((run) => [1, 2].map((line) => sendLine(run, line, `${line}`)));
    const working = workLines(link, worked, 3, stop.signal);
    closing.push(() => working);
    await Promise.all(sending);
    assert.deepEqual(sent.toSorted(), ["one 1", "one 2", "other 1", "other 2"]);
    const status = await runs[0]?.queue.status();
    assert.equal(status?.workers.length, 1);
    assert.deepEqual(status?.runs, [{ run: runs[0]?.id, lines: 0, taken: 0 }]);
    assert.equal(status?.lastMinute, 2);
  });

  describe("whose Redis refuses what it is told", () => {
    let small: RedisServer;
    beforeEach(async () => {
      small = await startRedis();
    });
    afterEach(() => small.close());

    /** Starts a run with a line that a worker has claimed, and whose answer comes later. */
    const sentOne = async () => {
      const run = await openRun(usualMs, small.url);
      const end = new AbortController();
      let hasClaimed: () => void = () => undefined;
      const claimed = new Promise<void>((resolve) => (hasClaimed = resolve));
      let answer: (result: LineResult) => void = () => undefined;
      const answered = new Promise<LineResult>((resolve) => (answer = resolve));
      const said: string[] = [];
      let wasRefused: () => void = () => undefined;
      const refused = new Promise<void>((resolve) => (wasRefused = resolve));
      const hear = (message: string) => {
        said.push(message);
        wasRefused();
        return undefined;
      };
      const link = await openLink(briefMs, small.url, hear);
      const queue = new LineQueue(link, { ...of, version: `${usualMs}` });
      const send: Send = async (_text, claim) => {
        await claim();
        hasClaimed();
        return answered;
      };
      const working = workAt(queue, send, end.signal, 1);
      closing.push(() => working);
      closing.push(() => end.abort());
      closing.push(() => answer(success));
      const sending = endOf(sendLine(run, 1));
      await claimed;
      const config = await openLink(usualMs, small.url);
      closing.push(() => config.close());
      const set = (...given: string[]) => config.call(given[0] ?? "", ...given.slice(1));
      return { run, sending, working, end, answer, refused, said, set };
    };
    const full = ["CONFIG", "SET", "maxmemory", "1"];
    const notFull = ["CONFIG", "SET", "maxmemory", "0"];

    for (const [kind, refuse, allow, word] of [
      ["full", full, notFull, "OOM"],
      ["read-only", ["REPLICAOF", "127.0.0.1", "1"], ["REPLICAOF", "NO", "ONE"], "READONLY"],
    ] as const) {
      it(`has a worker hold its result while it is ${kind}, say so once, and hand it over then`, async () => {
        const { sending, answer, refused, said, set } = await sentOne();
        await set(...refuse);
        answer(success);
        await refused;
        await set(...allow);
        assert.deepEqual(await sending, { kind: "ended", result: success });
        const { host } = new URL(small.url);
        const message = `The Redis at ${host} takes nothing for now (${word}). Trying again.`;
        assert.deepEqual(said, [message]);
      });
    }

    it("returns what a worker could not hand over until its end while it is full", async () => {
      const { run, working, end, answer, refused, set } = await sentOne();
      await set(...full);
      answer(success);
      await refused;
      end.abort();
      const { unreported, isThere } = await working;
      assert.deepEqual(unreported, [{ run: run.id, line: 1, result: success }]);
      assert.equal(isThere, true);
    });

    it("takes all back that no worker claimed although it is full", async () => {
      const { run, set } = await sentOne();
      const sending = endOf(sendLine(run, 2));
      const queue = await open(usualMs, small.url);
      closing.push(() => queue.link.close());
      while ((await queue.status()).runs[0]?.lines !== 2);
      await set(...full);
      run.stop();
      assert.equal((await sending).kind, "ended");
      await set(...notFull);
    });

    it("ends a run and a worker with a sentence where a key is of another type", async () => {
      const { run, sending, working, answer, set } = await sentOne();
      const key = run.queue.key("results", run.id);
      await set("DEL", key);
      await set("SET", key, "text");
      answer(success);
      const { unreported, problem = "" } = await working;
      assert.equal(unreported.length, 1);
      const sentence = /^The Redis at [\d.:]+ rejected a command: WRONGTYPE /;
      assert.match(problem, sentence);
      const ending = await sending;
      assert.equal(ending.kind, "refused");
      if (ending.kind === "refused") assert.match(ending.why, sentence);
      assert.equal((await sendLine(run, 2)).kind, "refused");
    });

    it("sends nothing again and ends the run where it forgot what it had confirmed", async () => {
      const run = await openRun(briefMs, small.url);
      const queue = await open(briefMs, small.url);
      closing.push(() => queue.link.close());
      const sending = sendLine(run, 1);
      const taken = await takeOne(queue, run);
      assert.equal(await queue.claim(run.id, taken.job, "worker"), "taken");
      await small.kill();
      await small.restart("nothing");
      const why = "Redis forgot what it had confirmed.";
      assert.deepEqual(await sending, { kind: "refused", why });
      assert.equal(await queue.claim(run.id, taken.job, "another"), "gone");
    });
  });

  it("holds the results of workers while more bytes wait than a run reads, and those of a run that is gone no more", async () => {
    const queue = await open();
    closing.push(() => queue.link.close());
    await queue.lease("slow", noLimits, "begins");
    const half = "x".repeat(17_000_000);
    const report = (job: string) => queue.report({ run: "slow", job, id: "0-1" }, half);
    assert.deepEqual(
      [await report("1-1"), await report("2-2"), await report("3-3")],
      [true, true, false],
    );
    const [first] = await queue.results("slow", "0");
    if (first !== undefined) await queue.noted("slow", [first]);
    assert.deepEqual([await report("3-3"), await report("4-4")], [true, false]);
    await queue.end("slow", true);
    assert.equal(await report("4-4"), true);
    await queue.link.call("DEL", queue.key("results", "slow"));
    await queue.forget("slow");
  });

  it("has no more bytes of payloads at once than it may, and lets a single one be larger", async () => {
    const run = await openRun();
    const large = sendLine(run, 1, "x".repeat(40_000_000));
    let hasStarted = false;
    run.send({ line: 2, text: "{}", digest: "" }, (event) => {
      hasStarted ||= event.kind === "started";
    });
    const lines = async () => {
      const { runs } = await run.queue.status();
      return runs.find((one) => one.run === run.id)?.lines;
    };
    while ((await lines()) !== 1);
    assert.equal(hasStarted, false);
    run.stop();
    await large;
  });

  describe("whose lines may cost so much together", () => {
    const openCosting = async (maxCents: number, eachCents: number) => {
      const queue = await open();
      closing.push(() => queue.link.close());
      await queue.lease("costs", { perMinute: undefined, cost: { maxCents, eachCents } }, "begins");
      closing.push(() => queue.forget("costs"));
      closing.push(() => queue.link.call("DEL", queue.key("results", "costs")));
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

    it("lets workers have as many under way as fit, and counts what these were billed", async () => {
      const { claim, report } = await openCosting(5, 2);
      assert.deepEqual(
        [await claim(1), await claim(2), await claim(3)],
        ["taken", "taken", "full"],
      );
      await report(1, 0);
      assert.equal(await claim(3), "taken");
      await report(2, 2);
      await report(3, 2);
      // The answer was lost, and it is handed over once more.
      await report(3, 2);
      assert.equal(await claim(4), "over");
    });

    it("goes by the highest price that an answer named", async () => {
      const { claim, report } = await openCosting(10, 0);
      assert.equal(await claim(1), "taken");
      await report(1, 6);
      assert.equal(await claim(2), "over");
    });

    it("counts the price of a line whose worker is silent, and waits for it no longer", async () => {
      const { queue, claim, report } = await openCosting(4, 2);
      assert.deepEqual(
        [await claim(1), await claim(2), await claim(3)],
        ["taken", "taken", "full"],
      );
      await report(2, 2);
      assert.equal(await claim(3), "full");
      await queue.lost("costs", "1-1");
      assert.equal(await claim(3), "over");
      // Its late result is still taken, and counts no second time.
      assert.equal(await report(1, 2), true);
      assert.equal((await queue.left("costs")).length, 2);
      assert.equal(await claim(3), "over");
    });

    it("has a worker send what fits, and the run hear why the rest was not sent", async () => {
      const run = await openRun(usualMs, redis.url, undefined, { maxCents: 3, eachCents: 1 });
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

  describe("of which all workers keep one budget", () => {
    const scope = { registry: of.registry, project: "0123abcd", skillSlug: of.skill };
    const refused = { kind: "refused", reason: "policy" } as unknown as InvocationOutcome;
    const billed = (amountCents: number) => {
      const outcome = { kind: "success", acceptedNotRun: false, durationMs: 1, amountCents };
      return outcome as unknown as InvocationOutcome;
    };
    const openWorkers = async (left: number | undefined) => {
      const link = await openLink();
      closing.push(() => link.close());
      await link.call("FLUSHALL");
      const open = () => new FleetLimits(link, async () => left);
      return [open(), open()] as const;
    };
    /** Whether an invocation is held still, by a question to Redis that comes after its own. */
    const isHeld = async (limits: FleetLimits, claiming: Promise<unknown>) => {
      let isHeld = true;
      void claiming.then(() => {
        isHeld = false;
      });
      await limits.giveBack(scope, "nobody");
      await limits.giveBack(scope, "nobody");
      return isHeld;
    };

    it("holds an invocation that would pass it with those of other workers, until one ends", async () => {
      const [one, other] = await openWorkers(5);
      const first = await one.claim(scope, undefined, 2);
      const second = await other.claim(scope, undefined, 2);
      const third = one.claim(scope, undefined, 2);
      assert.equal(await isHeld(other, third), true);
      await one.noteOutcome(scope, refused, first.place);
      assert.equal((await third).waitMs, 0);
      await other.noteOutcome(scope, billed(2), second.place);
      const fourth = other.claim(scope, undefined, 2);
      assert.equal(await isHeld(one, fourth), true);
      // One may always be under way: the registry decides about it.
      await one.giveBack(scope, (await third).place);
      assert.equal((await fourth).waitMs, 0);
    });

    it("holds none where nobody may read the budget, or the skill is free", async () => {
      const [one, other] = await openWorkers(undefined);
      for (const limits of [one, other]) {
        assert.equal((await limits.claim(scope, undefined, 2)).waitMs, 0);
      }
      const [free] = await openWorkers(0);
      for (const _ of [1, 2]) assert.equal((await free.claim(scope, undefined, 0)).waitMs, 0);
    });
  });

  describe("of which all workers keep one rate", () => {
    const scope = { registry: of.registry, project: "0123abcd", skillSlug: of.skill };
    const openClocks = async () => {
      const link = await openLink();
      closing.push(() => link.close());
      await link.call("FLUSHALL");
      return { link, clocks: new FleetLimits(link, unknownBudget) };
    };

    it("keeps to the rate of a run in any minute, by the time of Redis", async () => {
      const { clocks } = await openClocks();
      await openRun(usualMs, redis.url, 3);
      const claim = () => clocks.claim(scope);
      const answers = await Promise.all([0, 1, 2, 3, 4, 5].map(claim));
      const holds = answers.map(({ waitMs }) => waitMs);
      assert.equal(holds.filter((hold) => hold === 0).length, 3);
      assert.ok(holds.every((hold) => hold === 0 || (hold > 50_000 && hold <= 60_000)));
      await clocks.giveBack(scope, answers.find(({ waitMs }) => waitMs === 0)?.place);
      assert.equal((await claim()).waitMs, 0);
      assert.notEqual((await claim()).waitMs, 0);
    });

    it("keeps to the lowest rate of several runs, until that one has ended", async () => {
      const { clocks } = await openClocks();
      await openRun(usualMs, redis.url, 5);
      const slow = await openRun(usualMs, redis.url, 1);
      assert.equal((await clocks.claim(scope)).waitMs, 0);
      assert.notEqual((await clocks.claim(scope)).waitMs, 0);
      await slow.close();
      assert.equal((await clocks.claim(scope)).waitMs, 0);
    });

    it("keeps to a limit that the project lowers while the run goes on", async () => {
      const { clocks } = await openClocks();
      const queue = await open(briefMs);
      let limit = 5;
      const run = new QueueCarrier(queue, async () => limit, flushed);
      closing.push(() => run.close());
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
      assert.equal((await clocks.claim(scope)).waitMs, 0);
      assert.notEqual((await clocks.claim(scope)).waitMs, 0);
    });

    it("has all workers wait for as long as the registry asked one of them, and none once it accepts again", async () => {
      const { clocks, link } = await openClocks();
      const refused = { kind: "refused", reason: "rateLimit", retryAfterSeconds: 30 };
      const outcome = refused as unknown as InvocationOutcome;
      const first = await clocks.claim(scope);
      assert.equal(await clocks.noteOutcome(scope, outcome, first.place), 30_000);
      const { waitMs: hold } = await clocks.claim(scope);
      assert.ok(hold > 29_000 && hold <= 30_000, `${hold}`);
      const accepted = { kind: "success", acceptedNotRun: false, durationMs: 1 };
      const [waits = ""] = (await link.call("KEYS", "*:waits:*")) as string[];
      const known = JSON.parse(String(await link.call("GET", waits)));
      // The wait is over.
      const past = { ...known, refusedAt: known.refusedAt - 30_000 };
      await link.call("SET", waits, JSON.stringify(past));
      const next = await clocks.claim(scope);
      assert.equal(next.waitMs, 0);
      const success = accepted as unknown as InvocationOutcome;
      assert.equal(await clocks.noteOutcome(scope, success, next.place), 0);
      assert.equal(await link.call("EXISTS", waits), 0);
    });
  });
});

/** Takes the one line that a run has in its queue, as a worker that says nothing more. */
async function takeOne(queue: LineQueue, run: QueueCarrier): Promise<TakenLine> {
  for (;;) {
    const lines = await takeLines(queue.link, "silent", [{ queue, run: run.id }], 1, 250);
    const [line] = lines === "gone" ? [] : lines;
    if (line !== undefined) return line;
  }
}
