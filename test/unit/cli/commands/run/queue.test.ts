import assert from "node:assert/strict";
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { readFile, rm, writeFile } from "node:fs/promises";
import { setTimeout as delay } from "node:timers/promises";
import { after, before, beforeEach, describe, it } from "mocha";
import { LineQueue } from "../../../../../src/batch/queue/lineQueue";
import { RedisLink } from "../../../../../src/batch/queue/redisLink";
import { readJournal } from "../../../../../src/batch/readJournal";
import { settledCounts, unknownLines } from "../../../../../src/core/invocation/run/runJournal";
import { sha256 } from "../../../../../src/engine/sha256";
import {
  isSkippedWithoutRedis,
  type RedisServer,
  startRedis,
} from "../../../../fixtures/redisServer";
import { itInWholeSuite } from "../../../../fixtures/wholeSuite";
import { type CountingRegistry, startCountingRegistry } from "../../countingRegistry";
import { buildProgram, cliFolder } from "../../runTestCli";

const projectKey = "skh_counting_0123456789";

describe("skill-registry run --queue", () => {
  if (isSkippedWithoutRedis()) return;
  const folder = cliFolder();
  let registry: CountingRegistry;
  let redis: RedisServer;
  let program: string;
  before(async () => {
    registry = await startCountingRegistry();
    redis = await startRedis();
    program = await buildProgram();
  });
  after(async () => {
    registry.close();
    await redis.close();
  });
  const journal = () => folder.path("text-stats.jsonl.journal");
  beforeEach(async () => {
    registry.forget();
    await rm(journal(), { force: true });
    await rm(folder.path("machine"), { recursive: true, force: true });
  });
  const writeLines = (count: number) =>
    writeFile(
      folder.path("text-stats.jsonl"),
      Array.from({ length: count }, (_, at) => `{"text":"line ${at + 1}"}\n`).join(""),
    );
  const envOf = (machine: string) => ({
    SKILL_REGISTRY_PROJECT_KEY: projectKey,
    SKILL_REGISTRY_HOME: folder.path(machine),
  });
  const options = () => ["--registry", registry.url, "--yes", "--queue", redis.url];
  const run = (...more: string[]) =>
    folder.run(["run", "text-stats.jsonl", ...options(), ...more], envOf("machine"));
  /** Starts a worker, as on a machine of its own. */
  const startWorker = (machine: string, ...more: string[]): ChildProcess =>
    spawn(process.execPath, [program, "work", "text-stats", ...options(), ...more], {
      cwd: folder.path(),
      env: { ...process.env, ...envOf(machine) },
      stdio: ["ignore", "ignore", "pipe"],
    });
  const atWork = async (...workers: ChildProcess[]) => {
    await Promise.all(
      workers.map(async ({ stderr }) => {
        let text = "";
        for await (const chunk of stderr ?? []) {
          text += chunk;
          if (text.includes("Waiting for lines")) return;
        }
        throw new Error(`A worker ended: ${text}`);
      }),
    );
  };
  const end = async (...workers: ChildProcess[]) => {
    await Promise.all(
      workers.map(async (worker) => {
        if (worker.exitCode !== null || worker.signalCode !== null) return;
        const exit = once(worker, "exit");
        worker.kill("SIGTERM");
        await exit;
      }),
    );
  };
  /** Every line has one known end or an unknown outcome, and came in at most once, those that succeeded once. */
  const requireNothingTwiceOrLost = async (lines: number) => {
    assert.ok(
      [...registry.counts.values()].every((times) => times === 1),
      JSON.stringify([...registry.counts].filter(([, times]) => times > 1)),
    );
    const state = (await readJournal(journal())).state;
    const { success, failed, unknown } = settledCounts(state);
    assert.deepEqual([success + unknown, failed, state.notRun.size], [lines, 0, 0]);
    const open = new Set(unknownLines(state));
    for (let line = 1; line <= lines; line += 1) {
      if (!open.has(line)) assert.equal(registry.counts.get(`line ${line}`), 1, `line ${line}`);
    }
    return unknown;
  };

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

  it("takes back unsent lines after a cancellation, awaits the rest, and can resume", async () => {
    await writeLines(4);
    registry.answerNext("held", "line 1");
    const worker = startWorker("one", "--jobs", "1");
    try {
      await atWork(worker);
      const cancel = new AbortController();
      const args = ["run", "text-stats.jsonl", ...options()];
      const running = folder.run(args, envOf("machine"), cancel.signal, "", (said) => {
        if (said.includes("Waiting for the answers")) registry.letGo();
      });
      await registry.reached(1);
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
    const of = { registry: registry.url, skill: "text-stats", version: "1.0.0" };
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
    // The worker is not to send what the run left.
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
        /^3 succeeded, 0 failed, 1 with unknown outcome\. Billed: \$0\.06\. Expected where no amount was named: 0\.02\.$/m,
      );
      assert.match(err, /^The outcome of line 1 is unknown\. .* --resume takes from the queue\./m);
      assert.equal(code, 3);
      assert.deepEqual([...registry.counts.keys()].toSorted(), ["line 3", "line 4"]);
      assert.match(await readFile(journal(), "utf8"), /"output":\{"of":"line 2"\}/);
    } finally {
      await end(worker);
    }
  });

  it("lets an ended worker wait for its sent lines, and leave the rest to others", async () => {
    await writeLines(6);
    registry.answerNext("held", "line 1");
    const [leaving, staying] = [startWorker("one", "--jobs", "1"), startWorker("two")];
    try {
      await atWork(leaving);
      const running = run();
      await registry.reached(1);
      const exit = once(leaving, "exit");
      leaving.kill("SIGTERM");
      await atWork(staying);
      await registry.reached(6);
      registry.letGo();
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

  itInWholeSuite(
    "repeats and loses nothing where the run itself is killed and goes on",
    async function () {
      this.timeout(180_000);
      const count = 200;
      await writeLines(count);
      registry.describe({ takesMs: 30 });
      const workers = ["one", "two", "three"].map((machine) => startWorker(machine));
      try {
        await atWork(...workers);
        const killed = spawn(process.execPath, [program, "run", "text-stats.jsonl", ...options()], {
          cwd: folder.path(),
          env: { ...process.env, ...envOf("machine") },
          stdio: "ignore",
        });
        await registry.reached(50);
        const exit = once(killed, "exit");
        killed.kill("SIGKILL");
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
    "repeats and loses nothing where a worker is killed, one is cut off, and Redis is killed",
    async function () {
      this.timeout(180_000);
      const count = 300;
      await writeLines(count);
      registry.describe({ takesMs: 50 });
      const workers = ["one", "two", "three"].map((machine) => startWorker(machine));
      const [killed, cutOff] = workers;
      try {
        await atWork(...workers);
        const running = run();
        await registry.reached(40);
        killed?.kill("SIGKILL");
        await registry.reached(100);
        await redis.kill();
        await redis.restart();
        await registry.reached(160);
        cutOff?.kill("SIGSTOP");
        await registry.reached(220);
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
      registry.describe({ takesMs: 50 });
      const machines = ["one", "two", "three"];
      const workers = machines.map((machine) => startWorker(machine));
      const startRun = (...more: string[]) => {
        const args = [program, "run", "text-stats.jsonl", ...options(), ...more];
        const env = { ...process.env, ...envOf("machine") };
        const child = spawn(process.execPath, args, { cwd: folder.path(), env, stdio: "ignore" });
        return { child, exit: once(child, "exit") };
      };
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
      /** Has Redis refuse commands, until a worker was killed and the next one has found that, or some time. */
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
        // It ends by itself where Redis forgot what it had confirmed.
        if (running.child.exitCode === null && running.child.signalCode === null) return;
        running = startRun("--resume");
      };
      try {
        for (const [at, happen] of shuffled(happenings).entries()) {
          const next = Math.floor((count * (at + Math.random())) / (happenings.length + 1));
          goOn();
          // Lines whose outcome is unknown are not sent.
          await Promise.race([registry.reached(next), running.exit]);
          await happen();
        }
        goOn();
        await running.exit;
        // It may have ended since Redis forgot what it had confirmed.
        running = startRun("--resume");
        const [code] = await running.exit;
        const unknown = await requireNothingTwiceOrLost(count);
        // What is in the queue where it is forgotten, and what a worker had that was killed.
        assert.ok(unknown <= 200 + events * 8, `${unknown} with unknown outcome`);
        assert.equal(code, unknown > 0 ? 3 : 0);
      } finally {
        await killed(running.child);
        await end(...workers);
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
