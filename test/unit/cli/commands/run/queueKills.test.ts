import assert from "node:assert/strict";
import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { setTimeout as delay } from "node:timers/promises";
import { after, before, describe } from "mocha";
import { RedisLink } from "../../../../../src/batch/queue/redisLink";
import {
  isSkippedWithoutRedis,
  type RedisServer,
  startRedis,
  startRedisPair,
} from "../../../../fixtures/redisServer";
import { itInWholeSuite } from "../../../../fixtures/wholeSuite";
import { queueRuns } from "../../queueRuns";

describe("skill-registry run --queue whose programs are killed", () => {
  if (isSkippedWithoutRedis()) return;
  let redis: RedisServer;
  before(async () => {
    redis = await startRedis();
  });
  after(() => redis.close());
  const {
    registry,
    writeLines,
    run,
    startRun,
    startWorker,
    atWork,
    end,
    requireNothingTwiceOrLost,
  } = queueRuns(() => redis.url);

  itInWholeSuite(
    "repeats and loses nothing if the run itself is killed and resumed",
    async function () {
      this.timeout(180_000);
      const count = 200;
      await writeLines(count);
      registry().describe({ takesMs: 30 });
      const workers = ["one", "two", "three"].map((machine) => startWorker(machine));
      try {
        await atWork(...workers);
        const { child, exit } = startRun();
        await registry().reached(50);
        child.kill("SIGKILL");
        await exit;
        const { code, out, err } = await run("--resume");
        assert.match(err, /^Of the lines with an unknown outcome, the queue knows that /m);
        assert.equal(await requireNothingTwiceOrLost(count), 0, "the queue has what came of each");
        assert.equal(code, 0, out);
      } finally {
        await end(...workers);
      }
    },
  );

  itInWholeSuite(
    "repeats and loses nothing if a worker is killed, one is cut off, and Redis is killed",
    async function () {
      this.timeout(180_000);
      const count = 300;
      await writeLines(count);
      registry().describe({ takesMs: 50 });
      const workers = ["one", "two", "three"].map((machine) => startWorker(machine));
      const [killed, cutOff] = workers;
      try {
        await atWork(...workers);
        const running = run();
        await registry().reached(40);
        killed?.kill("SIGKILL");
        await registry().reached(100);
        await redis.kill();
        await redis.restart();
        await registry().reached(160);
        cutOff?.kill("SIGSTOP");
        await registry().reached(220);
        const { code, out, err } = await running;
        cutOff?.kill("SIGCONT");
        const unknown = await requireNothingTwiceOrLost(count);
        assert.ok(unknown <= 16, `${out}${err}`);
        assert.equal(code, unknown > 0 ? 3 : 0, `${out}${err}`);
      } finally {
        cutOff?.kill("SIGCONT");
        await end(...workers);
      }
    },
  );

  itInWholeSuite(
    "repeats and loses nothing in forty kills and refusals at random",
    async function () {
      this.timeout(900_000);
      const [count, events] = [2000, 40];
      await writeLines(count);
      registry().describe({ takesMs: 50 });
      const machines = ["one", "two", "three"];
      const workers = machines.map((machine) => startWorker(machine));
      const killed = async (child: ChildProcess | undefined) => {
        if (child === undefined || child.exitCode !== null || child.signalCode !== null) return;
        const exit = once(child, "exit");
        child.kill("SIGKILL");
        await exit;
      };
      const killWorker = async () => {
        const at = Math.floor(Math.random() * machines.length);
        await killed(workers[at]);
        workers[at] = startWorker(machines[at] ?? "");
      };
      /** Makes Redis reject commands for a second, during which a worker is killed and its successor starts. */
      const refuse = async (begin: readonly string[], end: readonly string[]) => {
        const link = await RedisLink.open({ url: redis.url, isTrusted: true });
        const [command = "", ...args] = begin;
        await link.call(command, ...args);
        await killWorker();
        await delay(1000);
        const [back = "", ...backArgs] = end;
        await link.call(back, ...backArgs);
        link.close();
      };
      let running = startRun();
      const killRun = () => killed(running.child);
      const restart = async (what: "its data" | "nothing") => {
        await redis.kill();
        await redis.restart(what);
      };
      const happenings = [
        ...Array.from({ length: events - 14 }, () => killWorker),
        ...Array.from({ length: 5 }, () => killRun),
        ...Array.from({ length: 4 }, () => () => restart("its data")),
        () => restart("nothing"),
        ...[1, 2].flatMap(() => [
          () => refuse(["CONFIG", "SET", "maxmemory", "1"], ["CONFIG", "SET", "maxmemory", "0"]),
          () => refuse(["REPLICAOF", "127.0.0.1", "1"], ["REPLICAOF", "NO", "ONE"]),
        ]),
      ];
      const goOn = () => {
        // The run ends by itself if Redis lost confirmed data.
        if (running.child.exitCode === null && running.child.signalCode === null) return;
        running = startRun("--resume");
      };
      try {
        for (const [at, happen] of shuffled(happenings).entries()) {
          const next = Math.floor((count * (at + Math.random())) / (happenings.length + 1));
          goOn();
          // Lines whose outcome is unknown are not sent.
          await Promise.race([registry().reached(next), running.exit]);
          await happen();
        }
        goOn();
        await running.exit;
        // It may have ended because Redis lost confirmed data.
        running = startRun("--resume");
        const [code] = await running.exit;
        const unknown = await requireNothingTwiceOrLost(count);
        // Lines in the queue that Redis lost, and lines of killed workers.
        assert.ok(unknown <= 200 + events * 8, `${unknown} with unknown outcome`);
        assert.equal(code, unknown > 0 ? 3 : 0);
      } finally {
        await killed(running.child);
        await end(...workers);
      }
    },
  );

  itInWholeSuite(
    "repeats and loses nothing if Redis fails over three times to a replica that lags",
    async function () {
      this.timeout(300_000);
      const [count, times] = [400, 3];
      await writeLines(count);
      registry().describe({ takesMs: 30 });
      const closing: (() => unknown)[] = [];
      const pair = await startRedisPair((close) => closing.push(close));
      const workers = ["one", "two", "three"].map((machine) =>
        startWorker(machine, "--queue", pair.url),
      );
      try {
        await atWork(...workers);
        const running = run("--queue", pair.url);
        for (let time = 1; time <= times; time += 1) {
          await registry().reached((count * time) / (times + 1));
          pair.lag();
          // The next master lacks what this master confirms now.
          const before = await pair.executed();
          while ((await pair.executed()) < before + 20);
          await pair.failOver();
          await pair.renew();
        }
        const { code, out, err } = await running;
        assert.equal(await requireNothingTwiceOrLost(count), 0, `${out}${err}`);
        assert.equal(code, 0, `${out}${err}`);
      } finally {
        await end(...workers);
        for (const close of closing.reverse()) await close();
      }
    },
  );
});

function shuffled<Value>(values: readonly Value[]): readonly Value[] {
  return values
    .map((value) => ({ value, key: Math.random() }))
    .toSorted((one, other) => one.key - other.key)
    .map(({ value }) => value);
}
