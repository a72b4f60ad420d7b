import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { readdir, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { after, before, describe, it } from "mocha";
import { Journal } from "../../../../../src/batch/journal";
import { readJournal } from "../../../../../src/batch/readJournal";
import { itInWholeSuite } from "../../../../fixtures/wholeSuite";
import { type CountingRegistry, startCountingRegistry } from "../../countingRegistry";
import { movableClock } from "../../movableClock";
import { buildProgram, cliFolder } from "../../runTestCli";

const inputs = (count: number) =>
  Array.from(
    { length: count },
    (_, index) => `${JSON.stringify({ text: `line ${index + 1}` })}\n`,
  ).join("");

/** Returns the last line of a run's output, below its table. */
const summaryOf = (out: string) => out.trimEnd().split("\n").at(-1);

describe("skill-registry run", () => {
  const folder = cliFolder();
  const clock = movableClock();
  let registry: CountingRegistry;
  before(async () => {
    registry = await startCountingRegistry();
  });
  after(() => registry.close());
  const env = { SKILL_REGISTRY_PROJECT_KEY: "skh_counting_0123456789" };
  /** One job, unless `args` say otherwise. */
  const run = (...args: string[]) => {
    const jobs = args.some((one) => ["--jobs", "--check-only"].includes(one))
      ? []
      : ["--jobs", "1"];
    const given = ["run", ...args, "--registry", registry.url, "--yes", ...jobs];
    const heard = jobs.length > 0 ? clock.hear : undefined;
    return folder.run(given, env, undefined, "", heard);
  };
  /** Deletes what the machine knows about the rate limit. */
  const forgetHolds = () => rm(folder.path("machine"), { recursive: true, force: true });
  const write = async (name: string, text: string) => {
    await forgetHolds();
    await writeFile(folder.path(name), text);
    await rm(folder.path(`${name}.journal`), { force: true });
    registry.forget();
  };

  it("announces its plan, sends every line once, and keeps a journal", async () => {
    await write("text-stats.jsonl", inputs(5));
    const { code, out, err } = await run("text-stats.jsonl");
    assert.equal(err, "5 invocations of text-stats@1.0.0, at most $0.10.\n");
    assert.equal(out, "5 succeeded, 0 failed, 0 with unknown outcome. Billed: $0.10.\n");
    assert.equal(code, 0);
    assert.deepEqual([...registry.counts.values()], [1, 1, 1, 1, 1]);
    const again = await run("text-stats.jsonl");
    assert.equal(again.code, 2);
    assert.match(again.err, /text-stats\.jsonl\.journal already exists\. Continue with --resume/);
    const resumed = await run("text-stats.jsonl", "--resume");
    assert.match(resumed.err, /^0 of 5 invocations/);
    assert.equal(registry.total(), 5);
    const merged = await folder.run(["merge", "text-stats.jsonl.journal"]);
    const lines = merged.out
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line));
    assert.deepEqual(
      lines.map(({ line, status, output }) => [line, status, output.of]),
      [
        [1, "success", "line 1"],
        [2, "success", "line 2"],
        [3, "success", "line 3"],
        [4, "success", "line 4"],
        [5, "success", "line 5"],
      ],
    );
  });

  it("sends nothing if one line is invalid, and names it", async () => {
    await write("text-stats.jsonl", `${inputs(2)}{"text":1}\n{\n\n${inputs(1)}`);
    const { code, err } = await run("text-stats.jsonl");
    assert.equal(code, 1);
    assert.match(err, /^text-stats\.jsonl:3:9: .* \(type\)$/m);
    assert.match(err, /^text-stats\.jsonl:4:\d+: .* \(json\)$/m);
    assert.match(err, /Nothing was sent: 2 lines of text-stats\.jsonl cannot be sent\.$/m);
    assert.equal(registry.total(), 0);
  });

  it("lists twenty problems of a file without JSON lines, and counts its lines", async () => {
    await write("text-stats.jsonl", "a:b:c:d:e:f:g:h:i:j:k\n".repeat(3));
    const { err } = await run("text-stats.jsonl");
    assert.equal(err.match(/\(json\)$/gm)?.length, 20);
    assert.match(err, /^Nothing was sent: 3 lines of text-stats\.jsonl cannot be sent\.$/m);
  });

  it("says that its file is missing, instead of looking up a mistyped name as a skill", async () => {
    const { code, err } = await run("text-stat.jsonl");
    assert.equal(err, "text-stat.jsonl could not be read: no such file (ENOENT).\n");
    assert.equal(code, 2);
  });

  it("sends nothing before somebody agreed to the price", async () => {
    await write("text-stats.jsonl", inputs(2));
    const { code, err } = await folder.run(
      ["run", "text-stats.jsonl", "--registry", registry.url],
      env,
    );
    assert.equal(code, 1);
    assert.match(
      err,
      /its terms have not been agreed to\.\n.*Cost: \$0\.02 per invocation\..*Accept them with --yes\.\n$/s,
    );
    assert.equal(registry.total(), 0);
    const keyless = await folder.run([
      "run",
      "text-stats.jsonl",
      "--registry",
      registry.url,
      "--yes",
    ]);
    assert.equal(keyless.code, 2);
    assert.match(
      keyless.err,
      /^Set SKILL_REGISTRY_PROJECT_KEY to the Project Key of http:\S+, or have the keyCommand/m,
    );
  });

  it("stops before it costs more than allowed, also over several runs", async () => {
    await write("text-stats.jsonl", inputs(6));
    assert.equal((await run("text-stats.jsonl", "--max-cents", "5")).code, 1);
    assert.equal(registry.total(), 2);
    assert.equal((await run("text-stats.jsonl", "--max-cents", "9", "--resume")).code, 1);
    assert.equal(registry.total(), 4);
    assert.equal((await run("text-stats.jsonl", "--max-cents", "12", "--resume")).code, 0);
    assert.equal(registry.total(), 6);
  });

  it("counts the listed price if the registry names no amount, also over several runs", async () => {
    await write("text-stats.jsonl", inputs(6));
    registry.describe({ namesCost: false });
    assert.equal((await run("text-stats.jsonl", "--max-cents", "5")).code, 1);
    assert.equal(registry.total(), 2);
    assert.equal((await run("text-stats.jsonl", "--max-cents", "9", "--resume")).code, 1);
    assert.equal(registry.total(), 4);
  });

  it("checks and plans without sending", async () => {
    await write("text-stats.jsonl", inputs(120));
    const { code, err } = await run("text-stats.jsonl", "--check-only", "--rate", "60");
    assert.deepEqual(
      [code, err, registry.total()],
      [
        0,
        "120 invocations of text-stats@1.0.0, at most $2.40, at least 1 min at 60 per minute.\n",
        0,
      ],
    );
  });

  it("estimates its time by the project's limit per minute", async () => {
    await write("text-stats.jsonl", inputs(1801));
    const plan = await folder.run(["run", "text-stats.jsonl", "--check-only"]);
    assert.equal(
      plan.err,
      "1801 invocations of text-stats@1.0.0, free, at least 3 min at the project's limit of 600 per minute.\n",
    );
    const slower = await folder.run(["run", "text-stats.jsonl", "--check-only", "--rate", "200"]);
    assert.match(slower.err, /, at least 9 min at 200 per minute\.$/m);
  });

  it("ends a line only at its line break, and not within a text", async () => {
    await write("text-stats.jsonl", '{"text":"a\u2028b"}\r\n{"text":"c\u2029"}');
    assert.equal((await run("text-stats.jsonl")).code, 0);
    assert.deepEqual([...registry.counts.keys()], ["a\u2028b", "c\u2029"]);
  });

  it("repeats a line that the rate limit rejected, after the requested time", async () => {
    await write("text-stats.jsonl", inputs(3));
    registry.answerNext("rateLimit", "line 2");
    const { code, err } = await run("text-stats.jsonl");
    assert.equal(code, 0, err);
    assert.match(err, /Rate limit reached\. Waiting 1 second\./);
    assert.deepEqual([...registry.counts.values()], [1, 2, 1]);
  });

  it("stops if the rate limit requires a longer wait than allowed", async () => {
    await write("text-stats.jsonl", inputs(2));
    registry.describe({ refusesFor: 86_400 });
    const day = await run("text-stats.jsonl");
    const tooLong =
      /^Stopped before line 1: the rate limit requires a wait of 24 hours, more than --max-wait 600 allows\. /m;
    assert.match(day.err, tooLong);
    assert.deepEqual([day.code, registry.total()], [1, 1]);
    const held = await run("text-stats.jsonl", "--resume");
    assert.match(held.err, tooLong);
    assert.deepEqual([held.code, registry.total()], [1, 1]);
    registry.describe({ refusesFor: 1 });
    await forgetHolds();
    const short = await run("text-stats.jsonl", "--resume", "--max-wait", "2");
    assert.match(short.err, /^Rate limit reached\. Waiting 1 second\.$/m);
    // Each wait is longer than the previous one, and they do not add up.
    assert.match(
      short.err,
      /Waiting 2 seconds\.\nStopped before line 1: .* a wait of 4 seconds, more than --max-wait 2 allows\./,
    );
    assert.deepEqual([short.code, registry.total()], [1, 4]);
    await forgetHolds();
    registry.describe({ refusesFor: undefined });
    assert.equal((await run("text-stats.jsonl", "--resume")).code, 0);
  });

  it("mixes no message into its progress bar", async () => {
    await write("text-stats.jsonl", inputs(3));
    registry.answerNext("rateLimit", "line 2");
    registry.answerNext("policy", "line 3");
    const { err } = await folder.run(
      ["run", "text-stats.jsonl", "--registry", registry.url, "--yes", "--jobs", "1"],
      env,
      undefined,
      "",
      clock.hear,
      [],
    );
    for (const line of err.split("\n")) {
      const shown = line.slice(line.lastIndexOf("\r") + 1);
      assert.doesNotMatch(shown, /.(Rate limit reached|Stopped at)/);
      assert.doesNotMatch(shown, /^\[.*\D \d+ s left.*[A-Z]/);
    }
    // The bar is drawn again below the message, since a wait may take a minute.
    assert.match(err, /\r(\[#+-+\] 1\/3, .*)\r +\rRate limit reached\. Waiting 1 second\.\n\r\1\r/);
  });

  describe("after its agreement is five minutes old", () => {
    const changes = [
      [{ cents: 3 }, "it changed at the registry after it was agreed to\\. Price: .+"],
      [{ verificationStatus: "suspended" }, ".*\\(skill_not_allowed\\)"],
      [{ fails: "skill" }, "its current price and permissions could not be read\\. .+"],
      [{ fails: "prices" }, "its current price and permissions could not be read\\."],
    ] as const;
    for (const [said, why] of changes) {
      it(`stops if the registry returns ${JSON.stringify(said)}`, async () => {
        await write("text-stats.jsonl", inputs(3));
        void registry.reached(2).then(() => {
          registry.describe(said);
          clock.pass(5);
        });
        const { code, out, err } = await run("text-stats.jsonl");
        assert.match(
          err,
          new RegExp(
            `^Stopped before line 3\\. text-stats was not invoked: ${why}\nContinue with --resume\\.$`,
            "m",
          ),
        );
        assert.equal(code, 1);
        assert.equal(out, "2 succeeded, 0 failed, 0 with unknown outcome. Billed: $0.04.\n");
        registry.describe({ verificationStatus: "verified", fails: "" });
        assert.equal((await run("text-stats.jsonl", "--resume")).code, 0);
        assert.deepEqual([...registry.counts.values()], [1, 1, 1]);
      });
    }

    it("continues without a change, or if a harmless skill cannot be read", async () => {
      for (const said of [{}, { cents: 0, fails: "skill" }] as const) {
        await write("text-stats.jsonl", inputs(3));
        registry.describe({ ...said, fails: "" });
        void registry.reached(2).then(() => {
          registry.describe(said);
          clock.pass(5);
        });
        assert.equal((await run("text-stats.jsonl")).code, 0);
        assert.equal(registry.total(), 3);
      }
    });

    it("sends a line once that was about to leave at that moment", async () => {
      await write("text-stats.jsonl", inputs(2));
      const { flush } = Journal.prototype;
      let starts = 0;
      Journal.prototype.flush = function (this: Journal) {
        starts += 1;
        if (starts === 2) clock.pass(5);
        return flush.call(this);
      };
      try {
        const { code } = await run("text-stats.jsonl");
        assert.deepEqual([code, starts, ...registry.counts.values()], [0, 3, 1, 1]);
      } finally {
        Journal.prototype.flush = flush;
      }
    });

    it("asks nothing sooner", async () => {
      await write("text-stats.jsonl", inputs(3));
      void registry.reached(2).then(() => {
        registry.describe({ cents: 3 });
        clock.pass(4);
      });
      assert.equal((await run("text-stats.jsonl")).code, 0);
    });
  });

  describe("with several lines in progress", () => {
    it("runs the chosen number at once, and joins their results in line order", async () => {
      await write("text-stats.jsonl", inputs(20));
      for (const line of [1, 2, 3, 4]) registry.answerNext("held", `line ${line}`);
      const running = run("text-stats.jsonl", "--jobs", "4");
      await registry.reached(4);
      registry.letGo();
      const { code, out } = await running;
      assert.equal(out, "20 succeeded, 0 failed, 0 with unknown outcome. Billed: $0.40.\n");
      assert.deepEqual([code, registry.mostAtOnce()], [0, 4]);
      const merged = await folder.run(["merge", "text-stats.jsonl.journal"]);
      const results = merged.out
        .trim()
        .split("\n")
        .map((line) => JSON.parse(line));
      assert.deepEqual(
        results.map(({ line, output }) => [line, output.of]),
        Array.from({ length: 20 }, (_, index) => [index + 1, `line ${index + 1}`]),
      );
      assert.match((await run("text-stats.jsonl", "--resume")).err, /^0 of 20 invocations/);
    });

    it("journals ends in the order in which they happen", async () => {
      await write("text-stats.jsonl", inputs(6));
      registry.answerNext("held", "line 1");
      const running = run("text-stats.jsonl", "--jobs", "2");
      await registry.reached(6);
      registry.letGo();
      assert.equal((await running).code, 0);
      const journal = await readFile(folder.path("text-stats.jsonl.journal"), "utf8");
      const entries = journal
        .trim()
        .split("\n")
        .map((line) => JSON.parse(line));
      const ended = entries.filter(({ kind }) => kind === "ended").map(({ line }) => line);
      assert.ok(ended.indexOf(1) > ended.indexOf(5), ended.join());
    });

    it("runs no more at once than the rate limit allows", async () => {
      await write("text-stats.jsonl", inputs(2));
      registry.describe({ takesMs: 20 });
      const start = Date.now();
      assert.equal((await run("text-stats.jsonl", "--rate", "2", "--jobs", "8")).code, 0);
      const usual = await folder.run(
        ["run", "text-stats.jsonl", "--registry", registry.url, "--yes", "--rate", "1"].concat([
          ...["--max-wait", "0", "--journal", "other.journal"],
        ]),
        env,
      );
      const wait = /^Stopped before line 1: the rate limit requires a wait of (\d+) seconds/m;
      const [, seconds] = wait.exec(usual.err) ?? [];
      // A minute, part of which may have passed on a busy machine.
      assert.ok(Number(seconds) >= 60 - (Date.now() - start) / 1000, usual.err);
    });

    it("stays under the cost limit, and comes as near as possible", async () => {
      await write("text-stats.jsonl", inputs(20));
      registry.describe({ takesMs: 20 });
      const { code } = await run("text-stats.jsonl", "--jobs", "8", "--max-cents", "11");
      assert.deepEqual([code, registry.total()], [1, 5]);
    });

    it("stays under it if the registry bills a skill that it lists as free", async () => {
      await write("text-stats.jsonl", inputs(20));
      registry.describe({ cents: 0, takesMs: 20 });
      const { code } = await run("text-stats.jsonl", "--jobs", "8", "--max-cents", "5");
      assert.deepEqual([code, registry.total()], [1, 2]);
    });

    const withoutJobs = () =>
      folder.run(["run", "text-stats.jsonl", "--registry", registry.url, "--yes"], env);

    it("runs one at a time if it costs and the project's budget is unknown", async () => {
      await write("text-stats.jsonl", inputs(8));
      registry.describe({ takesMs: 20 });
      assert.equal((await withoutJobs()).code, 0);
      assert.deepEqual([registry.total(), registry.mostAtOnce()], [8, 1]);
    });

    it("runs several at a time if it is free", async () => {
      await write("text-stats.jsonl", inputs(2));
      registry.describe({ cents: 0 });
      for (const line of [1, 2]) registry.answerNext("held", `line ${line}`);
      const running = withoutJobs();
      await registry.reached(2);
      registry.letGo();
      assert.equal((await running).code, 0);
    });

    it("waits for lines in progress if one stops the run, and sends the rest later", async () => {
      await write("text-stats.jsonl", inputs(10));
      registry.describe({ takesMs: 100 });
      registry.answerNext("policy", "line 2");
      const stopped = await run("text-stats.jsonl", "--jobs", "4");
      assert.match(stopped.err, /Stopped at line 2\. text-stats was not run: /);
      assert.doesNotMatch(stopped.out, /[1-9] with unknown outcome/);
      const resumed = await run("text-stats.jsonl", "--jobs", "4", "--resume");
      assert.equal(resumed.out, "10 succeeded, 0 failed, 0 with unknown outcome. Billed: $0.20.\n");
      assert.deepEqual(
        [...registry.counts].map(([text, count]) => (count === 2 ? text : "")).join(""),
        "line 2",
      );
    });

    it("repeats lines that the rate limit rejected while others continue", async () => {
      await write("text-stats.jsonl", inputs(10));
      registry.describe({ takesMs: 20 });
      registry.answerNext("rateLimit", "line 2");
      const { code, err } = await run("text-stats.jsonl", "--jobs", "4");
      assert.deepEqual([code, registry.counts.get("line 2"), registry.total()], [0, 2, 11], err);
      assert.equal(err.match(/Rate limit reached/g)?.length, 1);
    });

    it("names at Ctrl+C the responses that it waits for", async () => {
      await write("text-stats.jsonl", inputs(6));
      for (const line of [1, 2, 3]) registry.answerNext("never", `line ${line}`);
      const stop = new AbortController();
      let said = "";
      const args = ["run", "text-stats.jsonl", "--registry", registry.url, "--yes", "--jobs", "3"];
      const running = folder.run(args, env, stop.signal, "", (err) => {
        if (!err.startsWith("Waiting for")) return;
        said = err;
        registry.hangUp();
      });
      await registry.reached(3);
      stop.abort();
      const { code, out } = await running;
      assert.match(
        said,
        /^Waiting for the answers to lines 1, 2, 3\. Press Ctrl\+C again to end now; /,
      );
      assert.equal(
        summaryOf(out),
        "0 succeeded, 0 failed, 3 with unknown outcome. Expected where no amount was named: $0.06.",
      );
      assert.deepEqual([code, registry.total()], [3, 3]);
    });
  });

  it("stops if every line would be rejected, and continues with the same line", async () => {
    await write("text-stats.jsonl", inputs(3));
    registry.answerNext("policy", "line 2");
    const stopped = await run("text-stats.jsonl");
    assert.equal(stopped.code, 1);
    assert.match(
      stopped.err,
      /Stopped at line 2\. text-stats was not run: this project's monthly budget/,
    );
    const { code, out } = await run("text-stats.jsonl", "--resume");
    assert.equal(code, 0);
    assert.equal(out, "3 succeeded, 0 failed, 0 with unknown outcome. Billed: $0.06.\n");
  });

  it("never repeats a line with an unknown outcome", async () => {
    await write("text-stats.jsonl", inputs(3));
    registry.answerNext("lost", "line 2");
    const { code, out } = await run("text-stats.jsonl");
    assert.equal(code, 3);
    assert.equal(
      out,
      `Lines  Outcome    Reason  Which
    2  succeeded
    1  unknown            line 2
2 succeeded, 0 failed, 1 with unknown outcome. Billed: $0.04. Expected where no amount was named: $0.02.
`,
    );
    assert.equal((await run("text-stats.jsonl", "--resume")).code, 3);
    assert.deepEqual([...registry.counts.values()], [1, 1, 1]);
  });

  const resume = (typed: readonly string[] | undefined, ...args: string[]) =>
    folder.run(
      [
        ...["run", "text-stats.jsonl", "--registry", registry.url, "--yes", "--jobs", "1"],
        ...["--resume", ...args],
      ],
      env,
      undefined,
      "",
      undefined,
      typed,
    );

  it("lists unknown outcomes, and repeats the requested ones", async () => {
    await write("text-stats.jsonl", inputs(5));
    registry.answerNext("unavailable", "line 2");
    registry.answerNext("lost", "line 4");
    const { code, out, err } = await run("text-stats.jsonl");
    assert.equal(code, 3);
    assert.equal(
      summaryOf(out),
      "3 succeeded, 0 failed, 2 with unknown outcome. Billed: $0.06. Expected where no amount was named: $0.04.",
    );
    assert.match(err, /^The outcome of lines 2, 4 is unknown\. .*--resume --resend\.$/m);
    const wrong = await resume(undefined, "--resend", "2,3");
    assert.match(wrong.err, /^--resend: The outcome of line 3 is not unknown\.$/m);
    assert.deepEqual([wrong.code, registry.total()], [2, 5]);
    const none = await resume(undefined);
    assert.deepEqual([none.code, registry.total()], [3, 5]);
    const two = await resume(undefined, "--resend", "2");
    assert.match(two.err, /^1 of 5 invocations/m);
    assert.equal(
      summaryOf(two.out),
      "4 succeeded, 0 failed, 1 with unknown outcome. Billed: $0.08. Expected where no amount was named: $0.04.",
    );
    assert.deepEqual([...registry.counts.values()], [1, 2, 1, 1, 1]);
    const merged = await folder.run(["merge", "text-stats.jsonl.journal"]);
    const results = merged.out
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line));
    assert.deepEqual(
      results.map(({ line, status, output }) => [line, status, output?.of]),
      [
        [1, "success", "line 1"],
        [2, "success", "line 2"],
        [3, "success", "line 3"],
        [4, "outcome unknown", undefined],
        [5, "success", "line 5"],
      ],
    );
    const asked = await resume(["3", "4"]);
    assert.match(asked.err, /The outcome of line 4 is unknown: it may have run/);
    assert.match(asked.err, /The outcome of line 3 is not unknown\./);
    assert.equal(
      asked.out,
      "5 succeeded, 0 failed, 0 with unknown outcome. Billed: $0.10. Expected where no amount was named: $0.04.\n",
    );
    assert.deepEqual([asked.code, ...registry.counts.values()], [0, 1, 2, 1, 2, 1]);
  });

  it("asks at a terminal which unknown lines to send again, and by default sends none", async () => {
    await write("text-stats.jsonl", inputs(2));
    registry.answerNext("unavailable", "line 1");
    await run("text-stats.jsonl");
    const asked = await resume([""]);
    assert.match(asked.err, /Send again \(line numbers such as 3,17, all, or none\): /);
    assert.deepEqual([asked.code, registry.total()], [3, 2]);
    assert.match((await run("text-stats.jsonl", "--resend", "1")).err, /--resend needs --resume/);
    const all = await resume(undefined, "--resend", "all", "--max-cents", "5");
    // A line that was sent twice may be billed twice.
    assert.match(all.err, /could exceed --max-cents/);
    assert.equal((await resume(undefined, "--resend", "all", "--max-cents", "6")).code, 0);
    assert.deepEqual([...registry.counts.values()], [2, 1]);
  });

  it("reports at Ctrl+C that it waits for the response", async () => {
    await write("text-stats.jsonl", inputs(2));
    registry.answerNext("never", "line 1");
    const stop = new AbortController();
    const running = folder.run(
      ["run", "text-stats.jsonl", "--registry", registry.url, "--yes", "--jobs", "1"],
      env,
      stop.signal,
      "",
      (err) => err.startsWith("Waiting for the answer to line 1. ") && registry.hangUp(),
    );
    await registry.reached(1);
    stop.abort();
    const { code, out } = await running;
    assert.equal(
      summaryOf(out),
      "0 succeeded, 0 failed, 1 with unknown outcome. Expected where no amount was named: $0.02.",
    );
    assert.equal(code, 3);
  });

  itInWholeSuite(
    "lets one of two processes have a journal, where a killed one had it before too",
    async () => {
      const cli = await buildProgram();
      const args = ["run", "text-stats.jsonl", "--registry", registry.url, "--yes", "--resume"];
      for (const isDead of [true, false]) {
        await write("text-stats.jsonl", inputs(8));
        if (isDead) await writeFile(folder.path("text-stats.jsonl.journal.lock"), "");
        const codes = await Promise.all(
          [1, 2].map(async () => {
            const child = spawn(process.execPath, [cli, ...args], {
              cwd: folder.path(),
              env: { ...process.env, ...env },
              stdio: "ignore",
            });
            const [code] = await once(child, "exit");
            return code;
          }),
        );
        // The second line may arrive once the first has ended.
        assert.ok(codes.includes(0), codes.join());
        assert.deepEqual([...registry.counts.values()], Array(8).fill(1));
      }
    },
  );

  it("explains failures at its end, in the journal, in merge, and by reason for programs", async () => {
    await write("text-stats.jsonl", inputs(4));
    for (const line of ["line 1", "line 3"]) registry.answerNext("fails", line);
    const { code, out, err } = await run("text-stats.jsonl");
    assert.equal(code, 1);
    assert.equal(
      out,
      `Lines  Outcome    Reason       Which
    2  succeeded
    2  failed     row_invalid  lines 1, 3
2 succeeded, 2 failed, 0 with unknown outcome. Billed: $0.04. Expected where no amount was named: $0.04.
`,
    );
    assert.match(
      err,
      /^text-stats\.jsonl:1:1: error: text-stats ran and failed: line 1\. Also line 3\. \(row_invalid\)\ntext-stats\.jsonl\.journal has the reason for each failed line\. --resume does not send them again: /m,
    );
    const merged = await folder.run(["merge", "text-stats.jsonl.journal"], env);
    const ends = merged.out
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line));
    assert.deepEqual(
      ends.map(({ code: reason, message }) => [reason, message]),
      [
        ["row_invalid", "text-stats ran and failed: line 1."],
        [undefined, undefined],
        ["row_invalid", "text-stats ran and failed: line 3."],
        [undefined, undefined],
      ],
    );
    const resumed = await run("text-stats.jsonl", "--resume", "--format", "json");
    assert.deepEqual(JSON.parse(resumed.out).failures, [
      {
        code: "row_invalid",
        message: "text-stats ran and failed: line 1.",
        count: 2,
        lines: [1, 3],
      },
    ]);
  });

  it("leaves no journal if nothing was sent, and starts over if nothing ran", async () => {
    await write("text-stats.jsonl", '{"text":1}\n');
    assert.equal((await run("text-stats.jsonl")).code, 1);
    const left = await readdir(folder.path());
    assert.deepEqual(
      left.filter((name) => name.startsWith("text-stats.jsonl.journal")),
      [],
    );
    await writeFile(folder.path("text-stats.jsonl"), inputs(2));
    registry.answerNext("policy", "line 1");
    assert.equal((await run("text-stats.jsonl")).code, 1);
    await writeFile(folder.path("text-stats.jsonl"), inputs(3).replace("line 1", "line one"));
    const { code, out } = await run("text-stats.jsonl");
    assert.equal(out, "3 succeeded, 0 failed, 0 with unknown outcome. Billed: $0.06.\n");
    assert.equal(code, 0);
  });

  it("does not continue after a damaged last line, but after a truncated one", async () => {
    await write("text-stats.jsonl", inputs(3));
    await run("text-stats.jsonl");
    const path = folder.path("text-stats.jsonl.journal");
    const whole = await readFile(path, "utf8");
    for (const damaged of ['{"kind":"ended","li\n', "\n", "{}\n"]) {
      await writeFile(path, whole + damaged);
      const { code, err } = await run("text-stats.jsonl", "--resume");
      assert.match(err, /\.journal:9: This line is damaged\. Restore it, or delete it/);
      assert.equal(code, 2);
      assert.equal((await folder.run(["merge", path])).code, 2);
    }
    await writeFile(path, `${whole}{"kind":"started","li`);
    assert.equal((await folder.run(["merge", path])).code, 0);
    assert.equal((await run("text-stats.jsonl", "--resume")).code, 0);
    assert.equal(await readFile(path, "utf8"), whole);
  });

  it("writes no journal through a link, and sends nothing then", async () => {
    await write("text-stats.jsonl", inputs(1));
    const elsewhere = folder.path("notes.txt");
    await writeFile(elsewhere, "");
    for (const target of [elsewhere, folder.path("nowhere.txt")]) {
      await symlink(target, folder.path("text-stats.jsonl.journal"));
      for (const more of [[], ["--resume"]]) {
        const { code, err } = await run("text-stats.jsonl", ...more);
        assert.equal(code, 2);
        assert.match(err, /text-stats\.jsonl\.journal is a link\. Remove it, or name another file/);
      }
      await rm(folder.path("text-stats.jsonl.journal"));
    }
    assert.equal(await readFile(elsewhere, "utf8"), "");
    assert.equal(registry.total(), 0);
  });

  it("names missing shards and lines when it joins", async () => {
    await write("text-stats.jsonl", inputs(20));
    const journal = (shard: string) => `text-stats.jsonl.${shard.replace("/", "-")}.journal`;
    for (const shard of ["1/4", "3/4"]) {
      await rm(folder.path(journal(shard)), { force: true });
      await run("text-stats.jsonl", "--shard", shard, "--max-cents", "2");
    }
    const { code, err } = await folder.run(["merge", journal("1/4"), journal("3/4")]);
    assert.match(err, /^Missing: shards 2\/4, 4\/4\.$/m);
    assert.match(
      err,
      /^Missing: \d+ of \d+ lines of text-stats\.jsonl\.1-4\.journal\. Continue its run with --resume\.$/m,
    );
    assert.match(err, /lines of text-stats\.jsonl\.3-4\.journal/);
    assert.equal(code, 1);
  });

  it("does not continue if sent lines have changed, or with another skill's journal", async () => {
    await write("text-stats.jsonl", inputs(2));
    await run("text-stats.jsonl");
    await writeFile(folder.path("text-stats.jsonl"), `{"text":"new"}\n${inputs(2)}`);
    const changed = await run("text-stats.jsonl", "--resume");
    assert.equal(changed.code, 2);
    assert.match(
      changed.err,
      /^Nothing was sent: lines of text-stats\.jsonl changed since they were sent\./m,
    );
    await writeFile(folder.path("text-stats.jsonl"), inputs(4));
    const added = await run("text-stats.jsonl", "--resume");
    assert.equal(added.out, "4 succeeded, 0 failed, 0 with unknown outcome. Billed: $0.08.\n");
    const sharded = await run(
      "text-stats.jsonl",
      "--resume",
      "--shard",
      "1/2",
      "--journal",
      "text-stats.jsonl.journal",
    );
    assert.match(sharded.err, /belongs to another run: shard is none, not 1\/2\./);
  });

  const noJournals: readonly (readonly [what: string, text: string])[] = [
    ["a payload without a line break", '{"text":"line 1"}'],
    ["inputs whose last line has no line break", `${inputs(3)}{"text":"line 4"}`],
    ["a text", "Dear diary,\nnothing happened"],
  ];
  for (const [what, text] of noJournals) {
    it(`does not change a file that is no journal: ${what}`, async () => {
      await write("text-stats.jsonl", inputs(1));
      await writeFile(folder.path("notes"), text);
      const { code, err } = await run("text-stats.jsonl", "--resume", "--journal", "notes");
      assert.equal(code, 2);
      assert.match(err, /notes is not a run journal\.\n$/);
      assert.equal(await readFile(folder.path("notes"), "utf8"), text);
      assert.equal(registry.total(), 0);
    });
  }

  it("starts over with a journal whose first line a kill truncated", async () => {
    await write("text-stats.jsonl", inputs(1));
    await run("text-stats.jsonl");
    const path = folder.path("text-stats.jsonl.journal");
    const journal = await readFile(path, "utf8");
    for (const length of [0, 1, journal.indexOf("\n")]) {
      registry.forget();
      await writeFile(path, journal.slice(0, length));
      const { code, err } = await run("text-stats.jsonl", "--resume");
      assert.equal(code, 0, err);
      assert.equal(registry.total(), 1);
    }
  });

  it("sends each line in one shard, and joins their results", async () => {
    await write("text-stats.jsonl", inputs(20));
    for (const shard of ["1/3", "2/3", "3/3"]) {
      assert.equal((await run("text-stats.jsonl", "--shard", shard)).code, 0);
    }
    assert.deepEqual(new Set(registry.counts.values()), new Set([1]));
    assert.equal(registry.total(), 20);
    const journals = ["1-3", "2-3", "3-3"].map((one) => `text-stats.jsonl.${one}.journal`);
    assert.equal((await folder.run(["merge", ...journals, "--out", "all.jsonl"])).code, 0);
    const lines = (await readFile(folder.path("all.jsonl"), "utf8")).trim().split("\n");
    assert.deepEqual(
      lines.map((line) => JSON.parse(line).line),
      Array.from({ length: 20 }, (_, index) => index + 1),
    );
    const twice = await folder.run(["merge", journals[0] ?? "", journals[0] ?? ""]);
    assert.equal(twice.code, 2);
    assert.match(twice.err, /is in two journals/);
  });

  const linesIn = (text: string) =>
    text
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line));

  it("writes results into a file in line order, and again with the earlier ones after a resume", async () => {
    await write("text-stats.jsonl", inputs(6));
    await rm(folder.path("results.jsonl"), { force: true });
    registry.answerNext("held", "line 1");
    const running = run(
      "text-stats.jsonl",
      "--jobs",
      "3",
      "--max-cents",
      "8",
      "--out",
      "results.jsonl",
    );
    await registry.reached(1);
    registry.letGo();
    await running;
    const some = linesIn(await readFile(folder.path("results.jsonl"), "utf8"));
    assert.deepEqual(
      some.map(({ line, output }) => [line, output.of]),
      [1, 2, 3, 4].map((line) => [line, `line ${line}`]),
    );
    const again = await run("text-stats.jsonl", "--out", "results.jsonl");
    assert.match(again.err, /already exists/);
    assert.equal((await run("text-stats.jsonl", "--resume", "--out", "results.jsonl")).code, 0);
    const all = await readFile(folder.path("results.jsonl"), "utf8");
    assert.deepEqual(
      linesIn(all).map(({ line }) => line),
      [1, 2, 3, 4, 5, 6],
    );
    assert.match(
      all,
      /^\{"line":1,"status":"success","ran":"yes",.*"output":\{"of":"line 1"\}\}$/m,
    );
    const merged = await folder.run(["merge", "text-stats.jsonl.journal"]);
    assert.equal(merged.out, all);
  });

  it("writes results to a pipe, and its summary to stderr", async () => {
    await write("text-stats.jsonl", inputs(3));
    registry.answerNext("fails", "line 2");
    const { code, out, err } = await run("text-stats.jsonl", "--out", "-");
    assert.deepEqual(
      linesIn(out).map(({ line, status }) => [line, status]),
      [
        [1, "success"],
        [2, "error"],
        [3, "success"],
      ],
    );
    assert.match(err, /^2 succeeded, 1 failed, 0 with unknown outcome\./m);
    assert.equal(code, 1);
  });

  it("never overwrites its inputs, its journal, a link or another file with results", async () => {
    await write("text-stats.jsonl", inputs(1));
    await writeFile(folder.path("notes.txt"), "Dear diary");
    await rm(folder.path("link.jsonl"), { force: true });
    await symlink(folder.path("notes.txt"), folder.path("link.jsonl"));
    const names = ["text-stats.jsonl", "text-stats.jsonl.journal", "link.jsonl", "notes.txt"];
    for (const name of names) {
      const { code } = await run("text-stats.jsonl", "--resume", "--out", name);
      assert.equal(code, 2, name);
    }
    assert.equal(await readFile(folder.path("text-stats.jsonl"), "utf8"), inputs(1));
    assert.equal(await readFile(folder.path("notes.txt"), "utf8"), "Dear diary");
    assert.equal(registry.total(), 0);
  });

  it("awaits sent lines, and explains how to continue, once nobody reads its output", async () => {
    await write("text-stats.jsonl", inputs(100));
    registry.describe({ takesMs: 50 });
    const args = ["run", "text-stats.jsonl", "--registry", registry.url, "--yes", "--out", "-"];
    const child = spawn(process.execPath, [await buildProgram(), ...args, "--jobs", "8"], {
      cwd: folder.path(),
      env: { ...process.env, ...env },
      stdio: ["ignore", "pipe", "pipe"],
    });
    const exit = once(child, "exit");
    child.stdout.once("data", () => child.stdout.destroy());
    let said = "";
    child.stderr.on("data", (chunk) => {
      said += chunk;
    });
    const [code] = await exit;
    registry.describe({ takesMs: 0 });
    assert.match(said, /^Canceled\. Continue with --resume\.$/m);
    assert.equal(code, 3);
    const { state } = await readJournal(folder.path("text-stats.jsonl.journal"));
    assert.deepEqual([...state.open.keys()], []);
  });

  itInWholeSuite("repeats and loses nothing when it is killed at any moment", async () => {
    const cli = await buildProgram();
    const count = 60;
    await write("text-stats.jsonl", inputs(count));
    const args = ["run", "text-stats.jsonl", "--registry", registry.url, "--yes", "--resume"];
    const start = () =>
      spawn(process.execPath, [cli, ...args], {
        cwd: folder.path(),
        env: { ...process.env, ...env },
        stdio: "ignore",
      });
    for (const kill of [7, 23, 41]) {
      const killed = start();
      const exit = once(killed, "exit");
      await registry.reached(kill);
      killed.kill("SIGKILL");
      await exit;
    }
    const [code] = await once(start(), "exit");
    const merged = await folder.run(["merge", "text-stats.jsonl.journal"]);
    const lines = merged.out
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line));
    assert.deepEqual(
      lines.map(({ line }) => line),
      Array.from({ length: count }, (_, index) => index + 1),
    );
    const unknown = lines.filter(({ status }) => status === "outcome unknown").length;
    assert.ok(unknown <= 3 * 8, `${unknown}`);
    assert.equal(code, unknown > 0 ? 3 : 0);
    assert.ok([...registry.counts.values()].every((times) => times === 1));
    for (const { line, status } of lines) {
      if (status === "success") assert.equal(registry.counts.get(`line ${line}`), 1);
    }
  });
});
