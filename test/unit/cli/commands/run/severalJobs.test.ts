import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { describe, it } from "mocha";
import { env, inputs, summaryOf, useRuns } from "./useRuns";

describe("skill-registry run", () => {
  const bench = useRuns();
  const { folder, run, write } = bench;

  describe("with several lines in progress", () => {
    it("runs the chosen number at once, and joins their results in line order", async () => {
      await write("text-stats.jsonl", inputs(20));
      for (const line of [1, 2, 3, 4]) bench.registry.answerNext("held", `line ${line}`);
      const running = run("text-stats.jsonl", "--jobs", "4");
      await bench.registry.reached(4);
      bench.registry.answerHeld();
      const { code, out } = await running;
      assert.equal(out, "20 succeeded, 0 failed, 0 with unknown outcome. Billed: $0.40.\n");
      assert.deepEqual([code, bench.registry.mostAtOnce()], [0, 4]);
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
      bench.registry.answerNext("held", "line 1");
      const running = run("text-stats.jsonl", "--jobs", "2");
      await bench.registry.reached(6);
      bench.registry.answerHeld();
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
      bench.registry.describe({ takesMs: 20 });
      const start = Date.now();
      assert.equal((await run("text-stats.jsonl", "--rate", "2", "--jobs", "8")).code, 0);
      const usual = await folder.run(
        [
          "run",
          "text-stats.jsonl",
          "--registry",
          bench.registry.url,
          "--yes",
          "--rate",
          "1",
        ].concat([...["--max-wait", "0", "--journal", "other.journal"]]),
        env,
      );
      const wait = /^Stopped before line 1: the rate limit requires a wait of (\d+) seconds/m;
      const [, seconds] = wait.exec(usual.err) ?? [];
      // A minute, part of which may have passed on a busy machine.
      assert.ok(Number(seconds) >= 60 - (Date.now() - start) / 1000, usual.err);
    });

    it("stays under the cost limit, and comes as near as possible", async () => {
      await write("text-stats.jsonl", inputs(20));
      bench.registry.describe({ takesMs: 20 });
      const { code } = await run("text-stats.jsonl", "--jobs", "8", "--max-cents", "11");
      assert.deepEqual([code, bench.registry.total()], [1, 5]);
    });

    it("runs several at a time if it is free", async () => {
      await write("text-stats.jsonl", inputs(2));
      bench.registry.describe({ cents: 0 });
      for (const line of [1, 2]) bench.registry.answerNext("held", `line ${line}`);
      const args = ["run", "text-stats.jsonl", "--registry", bench.registry.url, "--yes"];
      const running = folder.run(args, env);
      await bench.registry.reached(2);
      bench.registry.answerHeld();
      assert.equal((await running).code, 0);
    });

    it("waits for lines in progress if one stops the run, and sends the rest later", async () => {
      await write("text-stats.jsonl", inputs(10));
      bench.registry.describe({ takesMs: 100 });
      bench.registry.answerNext("policy", "line 2");
      const stopped = await run("text-stats.jsonl", "--jobs", "4");
      assert.match(stopped.err, /Stopped at line 2\. text-stats was not run: /);
      assert.doesNotMatch(stopped.out, /[1-9] with unknown outcome/);
      const resumed = await run("text-stats.jsonl", "--jobs", "4", "--resume");
      assert.equal(resumed.out, "10 succeeded, 0 failed, 0 with unknown outcome. Billed: $0.20.\n");
      assert.deepEqual(
        [...bench.registry.counts].map(([text, count]) => (count === 2 ? text : "")).join(""),
        "line 2",
      );
    });

    it("repeats lines that the rate limit rejected while others continue", async () => {
      await write("text-stats.jsonl", inputs(10));
      bench.registry.describe({ takesMs: 20 });
      bench.registry.answerNext("rateLimit", "line 2");
      const { code, err } = await run("text-stats.jsonl", "--jobs", "4");
      assert.deepEqual(
        [code, bench.registry.counts.get("line 2"), bench.registry.total()],
        [0, 2, 11],
        err,
      );
      assert.equal(err.match(/Rate limit reached/g)?.length, 1);
    });

    it("names at Ctrl+C the responses that it waits for", async () => {
      await write("text-stats.jsonl", inputs(6));
      for (const line of [1, 2, 3]) bench.registry.answerNext("never", `line ${line}`);
      const stop = new AbortController();
      let said = "";
      const args = [
        "run",
        "text-stats.jsonl",
        "--registry",
        bench.registry.url,
        "--yes",
        "--jobs",
        "3",
      ];
      const running = folder.run(args, env, stop.signal, "", (err) => {
        if (!err.startsWith("Waiting for")) return;
        said = err;
        bench.registry.hangUp();
      });
      await bench.registry.reached(3);
      stop.abort();
      const { code, out } = await running;
      assert.match(
        said,
        /^Waiting for the answers to lines 1, 2, 3\. Press Ctrl\+C again to end now; /,
      );
      assert.equal(
        summaryOf(out),
        "0 succeeded, 0 failed, 3 with unknown outcome. Expected cost of invocations without a named amount: $0.06.",
      );
      assert.deepEqual([code, bench.registry.total()], [3, 3]);
    });
  });
});
