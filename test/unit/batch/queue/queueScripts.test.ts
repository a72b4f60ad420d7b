import assert from "node:assert/strict";
import { beforeEach, describe, it } from "mocha";
import { LineQueue } from "../../../../src/batch/queue/lineQueue";
import type { QueueDispatcher } from "../../../../src/batch/queue/queueDispatcher";
import { RedisLink } from "../../../../src/batch/queue/redisLink";
import { notSentResult } from "../../../../src/core/invocation/run/lineResult";
import { cutNetwork } from "../../../fixtures/network/cutNetwork";
import {
  briefMs,
  endOf,
  noLimits,
  queueBench,
  queueOf,
  type Send,
  sendLine,
  success,
  takeOne,
  usualMs,
} from "../../../fixtures/queueBench";
import {
  becomeMaster,
  becomeReplica,
  isSkippedWithoutRedis,
  portOf,
  type RedisPair,
  startRedis,
  startRedisPair,
} from "../../../fixtures/redisServer";

describe("a queue whose Redis fails over to a replica", () => {
  if (isSkippedWithoutRedis()) return;
  const { closing, openLink, openRun, workAt } = queueBench();
  let pair: RedisPair;
  beforeEach(async () => {
    pair = await startRedisPair(closing);
  });

  /** Opens a queue at the current master of the two. */
  const openAt = async (url: string, silenceMs: number, refused = (_: string): void => undefined) =>
    new LineQueue(await openLink(briefMs, url, refused), { ...queueOf, version: `${silenceMs}` });
  /** Resolves once a member of a run's hash in a Redis is as expected; null means missing. */
  const has = async (
    url: string,
    run: QueueDispatcher,
    name: string,
    isIt: (value: string | null) => boolean,
  ) => {
    const key = run.queue.key("claims", run.id);
    const link = await openLink(briefMs, url);
    while (!isIt((await link.call("HGET", key, name)) as string | null));
  };
  const isThere = (value: string | null) => value !== null;
  const claimed: Send = async (_text, claim) => {
    await claim();
    return success;
  };

  it("sends a line once if the replica did not have its claim", async () => {
    const { url, master, replica, lag, failOver } = pair;
    const run = await openRun(usualMs, url);
    const sending = endOf(sendLine(run, 1));
    await has(replica.url, run, "1-1", isThere);
    lag();
    let sent = 0;
    const count: Send = async (_text, claim) => {
      await claim();
      sent += 1;
      return success;
    };
    // It connects to the master directly, so it is lost together with the master.
    void workAt(await openAt(master.url, usualMs), count);
    await has(master.url, run, "1-1", (mark) => mark !== "");
    await failOver();
    void workAt(await openAt(url, usualMs), count);
    assert.deepEqual(await sending, { kind: "ended", result: success });
    assert.equal(sent, 1);
  });

  it("gets an unread result again that only the lost master had", async () => {
    const { url, master, replica, lag, failOver } = pair;
    const way = await cutNetwork(portOf(master));
    closing(() => way.close());
    const run = await openRun(usualMs, `redis://127.0.0.1:${way.port}`);
    let answer: () => void = () => undefined;
    const answered = new Promise<void>((resolve) => (answer = resolve));
    let claim: () => void = () => undefined;
    const isClaimed = new Promise<void>((resolve) => (claim = resolve));
    const said: string[] = [];
    let refuse: () => void = () => undefined;
    const refused = new Promise<void>((resolve) => (refuse = resolve));
    const hear = (message: string) => {
      said.push(message);
      refuse();
    };
    void workAt(await openAt(url, usualMs, hear), async (_text, claims) => {
      await claims();
      claim();
      await answered;
      return success;
    });
    const sending = endOf(sendLine(run, 1));
    await isClaimed;
    way.cut();
    lag();
    answer();
    await refused;
    await failOver();
    way.lead(portOf(replica));
    assert.deepEqual(await sending, { kind: "ended", result: success });
    const { host } = new URL(url);
    assert.deepEqual(said, [
      `The Redis at ${host} takes nothing for now (NOREPLICAS). Trying again.`,
    ]);
  });

  it("adds a line again if only the lost master had it", async () => {
    const { url, master, lag, failOver } = pair;
    const run = await openRun(briefMs, url);
    lag();
    const sending = endOf(sendLine(run, 1));
    await has(master.url, run, "1-1", isThere);
    await failOver();
    assert.deepEqual(await sending, { kind: "ended", result: notSentResult() });
  });

  it("counts canceled lines as unsent once the replica lets nobody claim them either", async () => {
    const { url, master, replica, lag, failOver } = pair;
    const run = await openRun(usualMs, url);
    const sending = endOf(sendLine(run, 1));
    await has(replica.url, run, "1-1", isThere);
    lag();
    run.stop();
    await has(master.url, run, "open", (value) => value === null);
    await failOver();
    assert.deepEqual(await sending, { kind: "ended", result: notSentResult() });
    const queue = await openAt(url, usualMs);
    assert.equal(await queue.claim(run.id, "1-1", "late"), "gone");
  });

  it("takes back the line of a silent worker once the replica lets nobody claim it either", async () => {
    const { url, master, replica, lag, failOver } = pair;
    const run = await openRun(usualMs, url);
    void sendLine(run, 1);
    await has(replica.url, run, "1-1", isThere);
    lag();
    const queue = await openAt(url, usualMs);
    const taking = queue.withdraw(run.id, "1-1");
    await has(master.url, run, "1-1", (mark) => mark === "run");
    await failOver();
    assert.equal(await taking, "taken");
    assert.equal(await queue.claim(run.id, "1-1", "late"), "held");
  });

  it("reads results whose IDs at the new master are lower than the last one before", async () => {
    const { url, master, replica, lag, failOver } = pair;
    const run = await openRun(usualMs, url);
    const [first, second] = [1, 2].map((line) => endOf(sendLine(run, line)));
    await has(replica.url, run, "2-2", isThere);
    lag();
    const { link } = await openAt(master.url, usualMs);
    const result = ["job", "1-1", "result", JSON.stringify(success)];
    await link.call("XADD", run.queue.key("results", run.id), "99999999999999-1", ...result);
    assert.deepEqual(await first, { kind: "ended", result: success });
    await failOver();
    void workAt(await openAt(url, usualMs), claimed);
    assert.deepEqual(await second, { kind: "ended", result: success });
  });

  it("claims a line only if the replica has the claim too, even a disconnected or late one", async () => {
    const { url, master, replica, failOver } = pair;
    let refuse: () => void = () => undefined;
    const queue = new LineQueue(await openLink(usualMs, url, () => refuse()), queueOf);
    const claim = async (line: number, isRefused: boolean) => {
      await queue.add("run", `${line}-${line}`, "{}");
      const refused = new Promise<void>((resolve) => (refuse = resolve));
      const claiming = queue.claim("run", `${line}-${line}`, "worker");
      if (isRefused) await refused;
      return { claiming };
    };
    await queue.lease("run", noLimits, "begins");
    await replica.kill();
    const { claiming } = await claim(1, true);
    await replica.restart();
    await becomeReplica(replica, portOf(master));
    assert.equal(await claiming, "taken");
    const another = await startRedis();
    closing(() => another.close());
    const replication = await cutNetwork(portOf(master));
    closing(() => replication.close());
    await becomeReplica(another, replication.port);
    replication.cut();
    const later = await claim(2, true);
    replication.mend();
    assert.equal(await later.claiming, "taken");
    // The next master continues although it has no replica yet.
    await failOver();
    assert.equal(await (await claim(3, false)).claiming, "taken");
  });

  for (const [what, ask, answer] of [
    ["a claim", (queue: LineQueue) => queue.claim("run", "1-1", "worker"), "taken"],
    ["a line that is taken back", (queue: LineQueue) => queue.withdraw("run", "1-1"), "taken"],
    [
      "the end of a run",
      async (queue: LineQueue) => (await queue.end("run", false))?.get("1-1"),
      "",
    ],
    [
      "a result",
      (queue: LineQueue) => queue.report({ run: "run", job: "2-2", id: "0-1" }, "{}"),
      true,
    ],
  ] as const) {
    it(`waits until the replica has ${what}, even if the connection is lost meanwhile`, async () => {
      const { url, lag, failOver, reconnect, executed } = pair;
      const queue = new LineQueue(await openLink(usualMs, url), queueOf);
      await queue.lease("run", noLimits, "begins");
      for (const job of ["1-1", "2-2"]) await queue.add("run", job, "{}");
      await queue.claim("run", "2-2", "worker");
      lag();
      const before = await executed();
      const asking: Promise<unknown> = ask(queue);
      let isAnswered = false;
      void asking.then(() => {
        isAnswered = true;
      });
      while ((await executed()) === before);
      reconnect();
      // The third script runs after one on the new connection was not confirmed either.
      while ((await executed()) < before + 3);
      assert.equal(isAnswered, false);
      await failOver();
      assert.equal(await asking, answer);
    });
  }

  it("keeps a claim at the next master, even if that is already replicated", async () => {
    const { url, master, replica, lag, failOver } = pair;
    const run = await openRun(usualMs, url);
    void sendLine(run, 1);
    await has(replica.url, run, "1-1", isThere);
    const another = await startRedis();
    closing(() => another.close());
    await becomeReplica(another, portOf(replica));
    lag();
    const queue = await openAt(url, usualMs);
    const claiming = queue.claim(run.id, "1-1", "worker");
    await has(master.url, run, "1-1", (mark) => mark === "worker");
    await failOver();
    assert.equal(await claiming, "taken");
    await has(replica.url, run, "1-1", (mark) => mark === "worker");
  });

  it("finds the next master by its name if the previous one is its replica now", async () => {
    const { url, master, replica, leadNext } = pair;
    const queue = new LineQueue(await openLink(usualMs, url), queueOf);
    await queue.lease("run", noLimits, "begins");
    await queue.add("run", "1-1", "{}");
    await becomeMaster(replica);
    leadNext();
    await becomeReplica(master, portOf(replica));
    assert.equal(await queue.claim("run", "1-1", "worker"), "taken");
  });

  it("ends a run at a full master that later got a replica", async () => {
    const master = await startRedis();
    closing(() => master.close());
    const queue = new LineQueue(await openLink(usualMs, master.url), queueOf);
    await queue.lease("run", noLimits, "begins");
    await becomeReplica(pair.replica, portOf(master));
    await queue.link.call("CONFIG", "SET", "maxmemory", "1");
    assert.equal((await queue.end("run", false))?.get("begun"), "1");
  });

  it("claims nothing at a master that may lose confirmed data, unlike the one before", async () => {
    const { url, failOver } = await startRedisPair(closing, ["--appendonly", "no"]);
    const link = await RedisLink.open({ url, isTrusted: false, silenceMs: briefMs });
    closing(() => link.close());
    const queue = new LineQueue(link, queueOf);
    await queue.lease("run", noLimits, "begins");
    for (const job of ["1-1", "2-2"]) await queue.add("run", job, "{}");
    assert.equal(await queue.claim("run", "1-1", "worker"), "taken");
    const stats = `${await link.call("INFO", "commandstats")}`;
    assert.match(stats, /cmdstat_config\|get:calls=3,/, "the settings are read once a connection");
    await failOver();
    await assert.rejects(
      queue.claim("run", "2-2", "worker"),
      /does not say that appendonly is yes/,
    );
  });

  it("never waits for the cost of a worker that was already silent at the earlier master", async () => {
    const { url } = pair;
    const run = await openRun(briefMs, url, undefined, { maxCents: 3, eachCents: 2 });
    const lost = endOf(sendLine(run, 1));
    const queue = await openAt(url, briefMs);
    const { job } = await takeOne(queue, run);
    assert.equal(await queue.claim(run.id, job, "silent"), "taken");
    assert.deepEqual(await lost, { kind: "lost" });
    await has(url, run, `billed:${job}`, isThere);
    const key = run.queue.key("claims", run.id);
    await queue.link.call("HDEL", key, `billed:${job}`);
    await queue.link.call("HSET", key, "underway", "1", "spent", "0");
    void workAt(await openAt(url, briefMs), claimed);
    const result = notSentResult("Its invocation could exceed --max-cents.");
    assert.deepEqual(await endOf(sendLine(run, 2)), { kind: "ended", result });
  });
});
