import assert from "node:assert/strict";
import { once } from "node:events";
import { rm } from "node:fs/promises";
import { resolve } from "node:path";
import { Worker } from "node:worker_threads";
import { build } from "esbuild";
import { after, afterEach, before, beforeEach, describe, it } from "mocha";
import type { InvocationOutcome } from "../../../src/core/invocation/invocation";
import { type LineResult, notSentResult } from "../../../src/core/invocation/run/queuedLine";
import type { RunQueue } from "../../../src/queue/runQueue";
import { makeAuthority } from "../../fixtures/network/certificates";
import { cutNetwork } from "../../fixtures/network/cutNetwork";
import { startRawServer } from "../../fixtures/network/rawServer";
import { type RedisServer, startRedis, whatQueuesLack } from "../../fixtures/redisServer";

const of = { registry: "https://registry.example", skill: "text-stats", version: "1.0.0" };
const success: LineResult = {
  next: "ended",
  facts: { status: "success", ran: "yes", milliseconds: 3, cents: 2, currency: "USD" },
  outputText: '{"of":1}',
  waitSeconds: 0,
};

const notSent: InvocationOutcome = {
  kind: "notSent",
  failure: { kind: "unreachable", cause: "refused", detail: "ECONNREFUSED" },
};

/** Takes a queue for a run, and closes it when it is told to. */
const programOfRun = `
const { parentPort, workerData } = require("node:worker_threads");
const { RedisQueue, RunQueue } = require(workerData.bundle);
const open = async () => {
  const queue = await RedisQueue.open(workerData.of, workerData.settings);
  const run = await RunQueue.open(queue, undefined, new AbortController().signal);
  parentPort.once("message", () => run.close());
  parentPort.postMessage("open");
};
open();
`;

describe("a queue", () => {
  const lack = whatQueuesLack();
  if (lack !== undefined) {
    it(`is not tried: ${lack}`);
    return;
  }
  let redis: RedisServer;
  let parts: typeof import("../../../src/queue/openQueue");
  let stop: AbortController;
  let closing: (() => unknown)[] = [];
  before(async () => {
    redis = await startRedis();
    parts = await import("../../../src/queue/openQueue");
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
  /** All who use a queue look for the dead as often, so each time has a queue of its own. */
  const open = (silenceMs = usualMs, url = redis.url) =>
    parts.RedisQueue.open({ ...of, version: `${silenceMs}` }, { url, isTrusted: false, silenceMs });
  const openRun = async (silenceMs = usualMs): Promise<RunQueue> => {
    const run = await parts.RunQueue.open(await open(silenceMs), undefined, stop.signal);
    closing.push(() => run.close());
    return run;
  };
  const work = async (send: Parameters<typeof parts.workLines>[2], silenceMs = usualMs) => {
    const working = parts.workLines(await open(silenceMs), 8, send, stop.signal);
    closing.push(() => working);
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
      const entryPoints = [resolve("src/queue/openQueue.ts")];
      const external = ["bullmq", "ioredis"];
      await build({ entryPoints, outfile: bundle, bundle: true, platform: "node", external });
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
      const queue = await open(briefMs, gone.url);
      const clocks = new parts.QueueClocks(queue);
      const scope = { registry: of.registry, project: "0123abcd", skillSlug: of.skill };
      const { waitMs, place } = await clocks.claim(scope, undefined);
      assert.equal(waitMs, 0);
      closing.push(() => queue.close());
      await gone.kill();
      await queue.leave();
      assert.equal((await clocks.claim(scope, undefined)).waitMs, 1000);
      await clocks.giveBack(scope, place);
      assert.equal(await clocks.noteOutcome(scope, notSent, place), 0);
    });

    it("ends a worker although nobody answers", async () => {
      const working = parts.workLines(
        await open(briefMs, gone.url),
        8,
        async () => success,
        stop.signal,
      );
      await gone.kill();
      stop.abort();
      assert.deepEqual(await working, { isThere: false, lost: 0 });
    });

    it("has a worker wait for what it sent, and count what it cannot hand to the run", async () => {
      const run = await parts.RunQueue.open(await open(briefMs, gone.url), undefined, stop.signal);
      closing.push(() => run.close());
      let leave: () => void = () => undefined;
      const left = new Promise<void>((resolve) => (leave = resolve));
      let answer: (result: LineResult) => void = () => undefined;
      const answered = new Promise<LineResult>((resolve) => (answer = resolve));
      const send = async (_text: string, claim: () => Promise<void>) => {
        await claim();
        leave();
        return answered;
      };
      const waited: number[] = [];
      const queue = await open(briefMs, gone.url);
      const working = parts.workLines(queue, 8, send, stop.signal, (lines) => waited.push(lines));
      void run.send(1, "{}", never);
      await left;
      await gone.kill();
      stop.abort();
      answer(success);
      assert.deepEqual(await working, { isThere: false, lost: 1 });
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
    const endings = await Promise.all(lines.map((line, at) => run.send(at + 1, line, never)));
    assert.deepEqual(endings[0], { kind: "carried", result: success });
    assert.deepEqual(sent.toSorted(), lines.toSorted());
  });

  it("never gives a line away again that a silent worker had claimed, and still takes its result", async () => {
    const run = await openRun(briefMs);
    let claims = 0;
    let answer: ((result: LineResult) => void) | undefined;
    await work(async (_text, claim) => {
      await claim();
      claims += 1;
      return new Promise<LineResult>((resolve) => {
        answer = resolve;
        dropLocks();
      });
    }, briefMs);
    const dropper = await open(briefMs);
    closing.push(() => dropper.close());
    let timer: NodeJS.Timeout | undefined;
    const dropLocks = () => {
      timer = setInterval(() => {
        void dropper
          .eval(
            "for _, key in ipairs(redis.call('KEYS', '*:lock')) do redis.call('DEL', key) end",
            [],
          )
          .catch(() => undefined);
      }, 5);
    };
    closing.push(() => clearInterval(timer));
    const ending = await run.send(1, "{}", never);
    assert.equal(ending.kind, "lost");
    answer?.(success);
    if (ending.kind === "lost") assert.deepEqual(await ending.late, success);
    assert.equal(claims, 1);
  });

  it("has a result once more for the next run where this one is killed before it has noted it", async () => {
    const run = await openRun();
    await work(async (_text, claim) => {
      await claim();
      return success;
    });
    assert.equal((await run.send(1, "{}", never)).kind, "carried");
    const other = await open();
    closing.push(() => other.close());
    const { results } = await other.end(run.id);
    assert.equal(results.length, 1);
    await run.close();
    assert.deepEqual((await other.end(run.id)).results, []);
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
    const cancel = new AbortController();
    const sending = run.send(1, "{}", cancel.signal);
    await taken;
    cancel.abort();
    const message = "It was taken back from the queue.";
    assert.deepEqual(await sending, {
      kind: "carried",
      result: notSentResult(message),
      isTakenBack: true,
    });
    await assert.rejects(claimLater?.() ?? Promise.resolve(), /not claimed/);
    letGo(success);
  });

  it("knows of lines that a killed run left who claimed them, and what came of them", async () => {
    const queue = await open();
    closing.push(() => queue.close());
    await queue.lease("killed");
    const job = (line: number) => `killed-${line}-${line}`;
    for (const line of [1, 2]) assert.equal(await queue.claim("killed", job(line), "w"), "taken");
    await queue.report("killed", job(2), JSON.stringify(success));
    await queue.report("killed", job(3), JSON.stringify(notSentResult("Another run.")));
    assert.equal(await queue.takeBack("killed", job(4)), "taken");
    await queue.call("DEL", queue.key("run"));
    const run = await openRun();
    for (const _ of ["first", "again"]) {
      const left = await run.leftBy("killed");
      assert.deepEqual(
        [1, 2, 3, 4, 5].map((line) => left(line)),
        [undefined, success, "notSent", "notSent", "notSent"],
      );
    }
    assert.equal((await run.leftBy("never known"))(1), undefined);
    await queue.call("DEL", queue.key("run"));
    await queue.call("SET", queue.key("run"), "killed");
    assert.equal(await queue.claim("killed", job(5), "w"), "forgotten");
    await queue.call("DEL", queue.key("run"));
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
    const working = parts.workLines(
      await open(briefMs, `redis://127.0.0.1:${way.port}`),
      1,
      async (_text, claim) => {
        await claim();
        way.cut();
        hasClaimed();
        return new Promise<LineResult>((resolve) => {
          answer = resolve;
        });
      },
      stop.signal,
    );
    closing.push(() => working);
    const sending = run.send(7, "{}", never);
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
      const left = (await next.leftBy(run.id))(7);
      if (left === undefined) continue;
      assert.deepEqual(left, success);
      break;
    }
  });

  it("says why it cannot be reached, and never the password", async () => {
    const address = redis.url.replace("redis://", "");
    const asked = { isTrusted: true };
    const refused = (url: string) =>
      parts.RedisQueue.open(of, { ...asked, url }).then(
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

  it("lets no worker send what a run left that is gone, whoever has the queue now", async () => {
    const queue = await open();
    closing.push(() => queue.close());
    assert.equal(await queue.lease("killed"), true);
    assert.equal(await queue.lease("next"), false);
    await queue.call("DEL", queue.key("run"));
    assert.equal(await queue.claim("killed", "killed-1", "worker"), "gone");
    assert.equal(await queue.lease("next"), true);
    assert.equal(await queue.claim("killed", "killed-1", "worker"), "other");
    assert.equal(await queue.claim("next", "next-1", "worker"), "taken");
    assert.equal(await queue.claim("next", "next-1", "worker"), "taken");
    assert.equal(await queue.claim("next", "next-1", "another"), "held");
    assert.equal(await queue.takeBack("next", "next-1"), "held");
    await queue.forget("next");
    assert.equal(await queue.takeBack("next", "next-1"), "forgotten");
  });

  it("keeps all workers together to the rate of a run in any minute, by the time of Redis", async () => {
    const queue = await open();
    closing.push(() => queue.close());
    await queue.call("SET", queue.key("rate"), 3);
    const scope = { registry: of.registry, project: "0123abcd", skillSlug: of.skill };
    const clocks = [1, 2].map(() => new parts.QueueClocks(queue));
    const claim = (at: number) =>
      clocks[at % 2]?.claim(scope, undefined) ?? assert.fail("There are two.");
    const answers = await Promise.all([0, 1, 2, 3, 4, 5].map(claim));
    const holds = answers.map(({ waitMs }) => waitMs);
    assert.equal(holds.filter((hold) => hold === 0).length, 3);
    assert.ok(holds.every((hold) => hold === 0 || (hold > 50_000 && hold <= 60_000)));
    // Which three, is for them to decide.
    const given = holds.indexOf(0);
    await clocks[given % 2]?.giveBack(scope, answers[given]?.place);
    assert.equal((await claim(6)).waitMs, 0);
    assert.notEqual((await claim(7)).waitMs, 0);
    await queue.call("DEL", queue.key("rate"));
  });
});
