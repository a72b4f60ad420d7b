import assert from "node:assert/strict";
import { once } from "node:events";
import { mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { dirname } from "node:path";
import { after, before, describe, it } from "mocha";
import { LineQueue } from "../../../../../src/batch/queue/lineQueue";
import { RedisLink } from "../../../../../src/batch/queue/redisLink";
import { sha256 } from "../../../../../src/engine/sha256";
import {
  isSkippedWithoutRedis,
  type RedisServer,
  startRedis,
} from "../../../../fixtures/redisServer";
import { projectKey, queueRuns } from "../../queueRuns";

describe("skill-registry run --queue", () => {
  if (isSkippedWithoutRedis()) return;
  let redis: RedisServer;
  before(async () => {
    redis = await startRedis();
  });
  after(() => redis.close());
  const {
    folder,
    registry,
    journal,
    writeLines,
    envOf,
    options,
    run,
    startWorker,
    atWork,
    end,
    requireNothingTwiceOrLost,
  } = queueRuns(() => redis.url);

  it("lets workers send every line once, and keeps the only journal", async () => {
    await writeLines(40);
    const workers = [startWorker("one"), startWorker("two")];
    try {
      await atWork(...workers);
      const { code, out } = await run();
      assert.equal(out, "40 succeeded, 0 failed, 0 with unknown outcome. Billed: $0.80.\n");
      assert.equal(code, 0);
      assert.equal(await requireNothingTwiceOrLost(40), 0);
      assert.match(await readFile(journal(), "utf8"), /"output":\{"of":"line 40"\}/);
      const written = await redis.written();
      assert.ok(written.includes("line 40"));
      assert.ok(!written.includes(projectKey), "Redis was told the Project Key");
    } finally {
      await end(...workers);
    }
  });

  it("sends nothing through a Redis that may lose confirmed data, unless that is allowed", async () => {
    await writeLines(1);
    const volatile = await startRedis(["--appendonly", "no"]);
    try {
      const { code, err } = await run("--queue", volatile.url);
      assert.equal(code, 3);
      assert.match(err, /may forget what was sent: it does not say that appendonly is yes\./);
      const worker = startWorker("one", "--queue", volatile.url, "--trust-queue");
      await atWork(worker);
      assert.equal((await run("--queue", volatile.url, "--trust-queue")).code, 0);
      await end(worker);
    } finally {
      await volatile.close();
    }
  });

  it("gives Redis no line with a placeholder, and no secret", async () => {
    const file = folder.path(".skill-registry", "environments.json");
    const staging = { registry: registry().url, secrets: ["token"] };
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, JSON.stringify({ format: 1, environments: { staging } }));
    await writeFile(folder.path("text-stats.jsonl"), '{"text":"With {{token}}."}\n');
    const args = ["run", "text-stats.jsonl", ...options()];
    const secrets = { SKILL_REGISTRY_SECRET_TOKEN: "canarys3cret9f27" };
    const { code, err } = await folder.run(args, { ...envOf("machine"), ...secrets });
    await rm(file);
    assert.equal(code, 1, err);
    assert.match(err, /Values of an environment are not sent through a queue\./);
    assert.doesNotMatch(await redis.written(), /s3cret|With \{\{token/);
  });

  it("takes back unsent lines after a cancellation, awaits the rest, and can resume", async () => {
    await writeLines(4);
    registry().answerNext("held", "line 1");
    const worker = startWorker("one", "--jobs", "1");
    try {
      await atWork(worker);
      const cancel = new AbortController();
      const args = ["run", "text-stats.jsonl", ...options()];
      const running = folder.run(args, envOf("machine"), cancel.signal, "", (said) => {
        if (said.includes("Waiting for the answers")) registry().answerHeld();
      });
      await registry().reached(1);
      cancel.abort();
      const { code, out, err } = await running;
      assert.equal(out, "1 succeeded, 0 failed, 0 with unknown outcome. Billed: $0.02.\n");
      assert.match(err, /^Canceled\. Continue with --resume\.$/m);
      assert.equal(code, 3);
      const { code: later } = await run("--resume");
      assert.equal(later, 0);
      assert.equal(await requireNothingTwiceOrLost(4), 0);
    } finally {
      await end(worker);
    }
  });

  it("takes results of a killed run from the queue, and sends only unsent lines", async () => {
    await writeLines(4);
    const of = { registry: registry().url, skill: "text-stats", version: "1.0.0" };
    const link = await RedisLink.open({ url: redis.url, isTrusted: false });
    const queue = new LineQueue(link, of);
    await queue.lease("killed", { perMinute: undefined }, "begins");
    for (const line of [1, 2, 3]) {
      await queue.add("killed", `${line}-${line}`, `{"text":"line ${line}"}`);
    }
    for (const line of [1, 2]) await queue.claim("killed", `${line}-${line}`, "worker");
    const facts = { status: "success", ran: "yes", cents: 2, currency: "USD" };
    const result = { next: "ended", facts, outputText: '{"of":"line 2"}', waitSeconds: 0 };
    await queue.report({ run: "killed", job: "2-2", id: "0-1" }, JSON.stringify(result));
    // The worker must not send the remaining lines.
    await queue.end("killed", false);
    link.close();
    const starts = [1, 2, 3].map((line) => {
      return { kind: "started", line, digest: sha256(`{"text":"line ${line}"}`), at: 1, cents: 2 };
    });
    const head = { journal: 1, ...of, shard: "" };
    const entries = [head, { kind: "queued", run: "killed" }, ...starts];
    await writeFile(journal(), entries.map((entry) => `${JSON.stringify(entry)}\n`).join(""));
    const worker = startWorker("one");
    try {
      await atWork(worker);
      const { code, out, err } = await run("--resume");
      assert.match(
        err,
        /^Of the lines with an unknown outcome, .* 1 ended and 1 were not sent\.$/m,
      );
      assert.match(
        out,
        /^3 succeeded, 0 failed, 1 with unknown outcome\. Billed: \$0\.06\. Expected cost of invocations without a named amount: 0\.02\.$/m,
      );
      assert.match(err, /^The outcome of line 1 is unknown\. .* --resume takes from the queue\./m);
      assert.equal(code, 3);
      assert.deepEqual([...registry().counts.keys()].toSorted(), ["line 3", "line 4"]);
      assert.match(await readFile(journal(), "utf8"), /"output":\{"of":"line 2"\}/);
    } finally {
      await end(worker);
    }
  });

  it("makes an ended worker wait for its sent lines, and leave the rest to others", async () => {
    await writeLines(6);
    registry().answerNext("held", "line 1");
    const [leaving, staying] = [startWorker("one", "--jobs", "1"), startWorker("two")];
    try {
      await atWork(leaving);
      const running = run();
      await registry().reached(1);
      const exit = once(leaving, "exit");
      leaving.kill("SIGTERM");
      await atWork(staying);
      await registry().reached(6);
      registry().answerHeld();
      await exit;
      assert.equal((await running).code, 0);
      assert.equal(await requireNothingTwiceOrLost(6), 0);
    } finally {
      await end(leaving, staying);
    }
  });

  it("ends a worker whose Redis is gone at the first signal, with a message", async () => {
    const gone = await startRedis();
    const worker = startWorker("one", "--queue", gone.url);
    try {
      let said = "";
      await new Promise<void>((ready) => {
        worker.stderr?.on("data", (chunk) => {
          said += chunk;
          if (said.includes("Waiting for lines")) ready();
        });
      });
      await gone.kill();
      const exit = once(worker, "exit");
      worker.kill("SIGTERM");
      await exit;
      assert.match(
        said,
        /^The Redis at 127\.0\.0\.1:\d+ does not answer\.\nNo result is missing\.$/m,
      );
    } finally {
      await end(worker);
      await gone.close();
    }
  });
});
