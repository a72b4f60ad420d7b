import assert from "node:assert/strict";
import { once } from "node:events";
import { rm } from "node:fs/promises";
import { resolve } from "node:path";
import { Worker } from "node:worker_threads";
import { build } from "esbuild";
import { beforeEach, describe, it } from "mocha";
import { LineQueue } from "../../../../src/batch/queue/lineQueue";
import { workLines } from "../../../../src/batch/queue/lineWorker";
import { RedisLimits } from "../../../../src/batch/queue/redisLimits";
import { RedisLink } from "../../../../src/batch/queue/redisLink";
import type { InvocationOutcome } from "../../../../src/core/invocation/invocation";
import type { LineResult } from "../../../../src/core/invocation/run/lineResult";
import { makeAuthority } from "../../../fixtures/network/certificates";
import { cutNetwork } from "../../../fixtures/network/cutNetwork";
import { startRawServer } from "../../../fixtures/network/rawServer";
import {
  briefMs,
  endOf,
  queueBench,
  queueOf,
  type Send,
  sendLine,
  sentBy,
  success,
  takeOne,
  usualMs,
} from "../../../fixtures/queueBench";
import { isSkippedWithoutRedis, type RedisServer, startRedis } from "../../../fixtures/redisServer";

const notSent: InvocationOutcome = {
  kind: "notSent",
  failure: { kind: "unreachable", cause: "refused", detail: "ECONNREFUSED" },
};

/** Opens a run at a queue, and closes it on request. */
const programOfRun = `
const { parentPort, workerData } = require("node:worker_threads");
const { LineQueue, QueueDispatcher, RedisLink } = require(workerData.bundle);
const open = async () => {
  const queue = new LineQueue(await RedisLink.open(workerData.settings), workerData.of);
  const run = new QueueDispatcher(queue, async () => undefined, async () => undefined);
  await run.begin(undefined);
  parentPort.once("message", () => run.close());
  parentPort.postMessage("open");
};
open();
`;

describe("a queue", () => {
  if (isSkippedWithoutRedis()) return;
  const { redis, closing, openLink, open, openRun, workAt } = queueBench();

  describe("with an unreachable Redis", () => {
    let gone: RedisServer;
    beforeEach(async () => {
      gone = await startRedis();
      closing(() => gone.close());
    });

    /** Ends a run whose Redis has become unreachable. Resolves once nothing keeps the run's program alive. */
    const endRun = async (url: string, go: () => unknown) => {
      const bundle = resolve("out/test", `queue-${process.pid}.js`);
      const files = ["lineQueue", "queueDispatcher", "redisLink"];
      const contents = files.map((file) => `export * from "./${file}";`).join("");
      const stdin = { contents, resolveDir: resolve("src/batch/queue") };
      await build({ stdin, outfile: bundle, bundle: true, platform: "node" });
      closing(() => rm(bundle));
      const workerData = {
        bundle,
        of: queueOf,
        settings: { url, isTrusted: true, silenceMs: briefMs },
      };
      const program = new Worker(programOfRun, { eval: true, workerData });
      const exit = once(program, "exit");
      await once(program, "message");
      await go();
      program.postMessage("close");
      await exit;
    };

    it("keeps no timer or socket of a run that could keep the program alive", () =>
      endRun(gone.url, gone.kill));

    it("keeps no timer or socket of a run whose connection was cut", async () => {
      const way = await cutNetwork(Number(new URL(gone.url).port));
      closing(() => way.close());
      await endRun(`redis://127.0.0.1:${way.port}`, way.cut);
    });

    it("holds an invocation, since other workers would not count it", async () => {
      const { link } = await open(briefMs, gone.url);
      const clocks = new RedisLimits(link, async () => undefined);
      const scope = { registry: queueOf.registry, project: "0123abcd", skillSlug: queueOf.skill };
      const { waitMs, permit } = await clocks.acquire(scope);
      assert.equal(waitMs, 0);
      await gone.kill();
      await link.giveUp();
      assert.equal((await clocks.acquire(scope)).waitMs, 1000);
      await clocks.release(scope, permit);
      assert.equal(await clocks.noteOutcome(scope, notSent, permit), 0);
    });

    it("ends a worker at its signal", async () => {
      const stop = new AbortController();
      const working = workAt(await open(briefMs, gone.url), async () => success, stop.signal);
      await gone.kill();
      stop.abort();
      const ending = { isReachable: false, unreported: [], problem: undefined };
      assert.deepEqual(await working, ending);
    });

    it("lets a worker wait for its sent lines, and returns results that the run did not get", async () => {
      const run = await openRun(briefMs, gone.url);
      let leave: () => void = () => undefined;
      const left = new Promise<void>((resolve) => (leave = resolve));
      let answer: (result: LineResult) => void = () => undefined;
      const answered = new Promise<LineResult>((resolve) => (answer = resolve));
      const send: Send = async (_text, claim) => {
        await claim();
        leave();
        const _stop = new AbortController();
        return answered;
      };
      const stop = new AbortController();
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
      assert.deepEqual(await working, { isReachable: false, unreported, problem: undefined });
      assert.deepEqual(waited, [1]);
    });
  });

  it("repeats all commands during a temporary refusal, reports that refusal once, and rejects other errors", async () => {
    const refusals = "OOM MISCONF READONLY LOADING MASTERDOWN NOREPLICAS CLUSTERDOWN TRYAGAIN BUSY";
    const refuse = `
      if redis.call('INCR', KEYS[1]) > tonumber(ARGV[2]) then return 'done' end
      return redis.error_reply(ARGV[1] .. ' for now')`;
    await Promise.all(
      ["UNBLOCKED", ...refusals.split(" ")].map(async (word) => {
        const said: string[] = [];
        const link = await openLink(usualMs, redis().url, (message) => said.push(message));
        const ask = (name: string) => link.eval(refuse, [`${word} ${name}`], word, 2);
        assert.deepEqual(await Promise.all([ask("one"), ask("other")]), ["done", "done"]);
        const { host } = new URL(redis().url);
        const message = `The Redis at ${host} takes nothing for now (${word}). Trying again.`;
        assert.deepEqual(said, word === "UNBLOCKED" ? [] : [message]);
        await ask("later");
        assert.deepEqual(said, word === "UNBLOCKED" ? [] : [message, message]);
      }),
    );
    const link = await openLink();
    await assert.rejects(link.eval(refuse, ["ERR"], "ERR", 2), /rejected a command: ERR for now/);
  });

  it("keeps no connection once it is closed, or was refused", async () => {
    const own = await startRedis(["--appendonly", "no"]);
    closing(() => own.close());
    const watching = await openLink(usualMs, own.url);
    const others = async () =>
      `${await watching.call("CLIENT", "LIST")}`.trim().split("\n").length - 2;
    const link = await RedisLink.open({ url: own.url, isTrusted: true });
    assert.equal(await others(), 2);
    link.close();
    while ((await others()) !== 0);
    const volatile = { url: own.url, isTrusted: false };
    await assert.rejects(RedisLink.open(volatile), /does not say that appendonly is yes/);
    while ((await others()) !== 0);
  });

  it("explains why it is unreachable, without the password", async () => {
    const address = redis().url.replace("redis://", "");
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
    closing(close);
    assert.equal(
      await refused(`rediss://:secret@127.0.0.1:${port}`),
      `The Redis at 127.0.0.1:${port} has a certificate that is not trusted (UNABLE_TO_VERIFY_LEAF_SIGNATURE). Set NODE_EXTRA_CA_CERTS to a file with its authority's certificate.`,
    );
  });

  describe("with a Redis that rejects commands", () => {
    let small: RedisServer;
    beforeEach(async () => {
      small = await startRedis();
      closing(() => small.close());
    });

    /** Starts a run with one line, which a worker has claimed and answers later. */
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
      const queue = new LineQueue(link, { ...queueOf, version: `${usualMs}` });
      const send: Send = async (_text, claim) => {
        await claim();
        hasClaimed();
        return answered;
      };
      const working = workAt(queue, send, end.signal, 1);
      closing(() => end.abort());
      closing(() => answer(success));
      const sending = endOf(sendLine(run, 1));
      await claimed;
      const config = await openLink(usualMs, small.url);
      const set = (...given: string[]) => config.call(given[0] ?? "", ...given.slice(1));
      return { run, sending, working, end, answer, refused, said, set };
    };
    const full = ["CONFIG", "SET", "maxmemory", "1"];
    const notFull = ["CONFIG", "SET", "maxmemory", "0"];

    for (const [kind, refuse, allow, word] of [
      ["full", full, notFull, "OOM"],
      ["read-only", ["REPLICAOF", "127.0.0.1", "1"], ["REPLICAOF", "NO", "ONE"], "READONLY"],
    ] as const) {
      it(`lets a worker keep its result while it is ${kind}, report that once, and deliver later`, async () => {
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

    it("returns results that a worker could not deliver until its end because Redis was full", async () => {
      const { run, working, end, answer, refused, set } = await sentOne();
      await set(...full);
      answer(success);
      await refused;
      end.abort();
      const { unreported, isReachable } = await working;
      assert.deepEqual(unreported, [{ run: run.id, line: 1, result: success }]);
      assert.equal(isReachable, true);
    });

    it("takes back all unclaimed lines although Redis is full", async () => {
      const { run, set } = await sentOne();
      const sending = endOf(sendLine(run, 2));
      const queue = await open(usualMs, small.url);
      while ((await queue.link.call("XLEN", queue.key("lines", run.id))) !== 2);
      await set(...full);
      run.stop();
      assert.equal((await sending).kind, "ended");
      await set(...notFull);
    });

    it("ends a run and a worker with an explanation if a key has another type", async () => {
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

    it("repeats nothing and ends the run if Redis lost confirmed data", async () => {
      const run = await openRun(briefMs, small.url);
      const queue = await open(briefMs, small.url);
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
});
