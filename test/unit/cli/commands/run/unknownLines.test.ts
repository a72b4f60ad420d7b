import assert from "node:assert/strict";
import { describe, it } from "mocha";
import { env, inputs, summaryOf, useRuns } from "./useRuns";

describe("skill-registry run", () => {
  const bench = useRuns();
  const { folder, run, write } = bench;

  it("never repeats a line with an unknown outcome", async () => {
    await write("text-stats.jsonl", inputs(3));
    bench.registry.answerNext("lost", "line 2");
    const { code, out } = await run("text-stats.jsonl");
    assert.equal(code, 3);
    assert.equal(
      out,
      `Lines  Outcome    Reason  Which
    2  succeeded
    1  unknown            line 2
2 succeeded, 0 failed, 1 with unknown outcome. Billed: $0.04. Expected cost of invocations without a named amount: $0.02.
`,
    );
    assert.equal((await run("text-stats.jsonl", "--resume")).code, 3);
    assert.deepEqual([...bench.registry.counts.values()], [1, 1, 1]);
  });

  const resume = (typed: readonly string[] | undefined, ...args: string[]) =>
    folder.run(
      [
        ...["run", "text-stats.jsonl", "--registry", bench.registry.url, "--yes", "--jobs", "1"],
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
    bench.registry.answerNext("unavailable", "line 2");
    bench.registry.answerNext("lost", "line 4");
    const { code, out, err } = await run("text-stats.jsonl");
    assert.equal(code, 3);
    assert.equal(
      summaryOf(out),
      "3 succeeded, 0 failed, 2 with unknown outcome. Billed: $0.06. Expected cost of invocations without a named amount: $0.04.",
    );
    assert.match(err, /^The outcome of lines 2, 4 is unknown\. .*--resume --resend\.$/m);
    const wrong = await resume(undefined, "--resend", "2,3");
    assert.match(wrong.err, /^--resend: The outcome of line 3 is not unknown\.$/m);
    assert.deepEqual([wrong.code, bench.registry.total()], [2, 5]);
    const none = await resume(undefined);
    assert.deepEqual([none.code, bench.registry.total()], [3, 5]);
    const two = await resume(undefined, "--resend", "2");
    assert.match(two.err, /^1 of 5 invocations/m);
    assert.equal(
      summaryOf(two.out),
      "4 succeeded, 0 failed, 1 with unknown outcome. Billed: $0.08. Expected cost of invocations without a named amount: $0.04.",
    );
    assert.deepEqual([...bench.registry.counts.values()], [1, 2, 1, 1, 1]);
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
      "5 succeeded, 0 failed, 0 with unknown outcome. Billed: $0.10. Expected cost of invocations without a named amount: $0.04.\n",
    );
    assert.deepEqual([asked.code, ...bench.registry.counts.values()], [0, 1, 2, 1, 2, 1]);
  });

  it("asks at a terminal which unknown lines to send again, and by default sends none", async () => {
    await write("text-stats.jsonl", inputs(2));
    bench.registry.answerNext("unavailable", "line 1");
    await run("text-stats.jsonl");
    const asked = await resume([""]);
    assert.match(asked.err, /Send again \(line numbers such as 3,17, all, or none\): /);
    assert.deepEqual([asked.code, bench.registry.total()], [3, 2]);
    assert.match((await run("text-stats.jsonl", "--resend", "1")).err, /--resend needs --resume/);
    const all = await resume(undefined, "--resend", "all", "--max-cents", "5");
    // A line that was sent twice may be billed twice.
    assert.match(all.err, /could exceed --max-cents/);
    assert.equal((await resume(undefined, "--resend", "all", "--max-cents", "6")).code, 0);
    assert.deepEqual([...bench.registry.counts.values()], [2, 1]);
  });

  it("reports at Ctrl+C that it waits for the response", async () => {
    await write("text-stats.jsonl", inputs(2));
    bench.registry.answerNext("never", "line 1");
    const stop = new AbortController();
    const running = folder.run(
      ["run", "text-stats.jsonl", "--registry", bench.registry.url, "--yes", "--jobs", "1"],
      env,
      stop.signal,
      "",
      (err) => err.startsWith("Waiting for the answer to line 1. ") && bench.registry.hangUp(),
    );
    await bench.registry.reached(1);
    stop.abort();
    const { code, out } = await running;
    assert.equal(
      summaryOf(out),
      "0 succeeded, 0 failed, 1 with unknown outcome. Expected cost of invocations without a named amount: $0.02.",
    );
    assert.equal(code, 3);
  });
});
