import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFile, rm, writeFile } from "node:fs/promises";
import { describe, it } from "mocha";
import { itInWholeSuite } from "../../../../fixtures/wholeSuite";
import { buildProgram } from "../../runTestCli";
import { env, inputs, useRuns } from "./useRuns";

describe("skill-registry run", () => {
  const bench = useRuns();
  const { folder, clock, run, forgetHolds, write } = bench;

  it("announces its plan, sends every line once, and keeps a journal", async () => {
    await write("text-stats.jsonl", inputs(5));
    const { code, out, err } = await run("text-stats.jsonl");
    assert.equal(err, "5 invocations of text-stats@1.0.0, at most $0.10.\n");
    assert.equal(out, "5 succeeded, 0 failed, 0 with unknown outcome. Billed: $0.10.\n");
    assert.equal(code, 0);
    assert.deepEqual([...bench.registry.counts.values()], [1, 1, 1, 1, 1]);
    const again = await run("text-stats.jsonl");
    assert.equal(again.code, 2);
    assert.match(again.err, /text-stats\.jsonl\.journal already exists\. Continue with --resume/);
    const resumed = await run("text-stats.jsonl", "--resume");
    assert.match(resumed.err, /^0 of 5 invocations/);
    assert.equal(bench.registry.total(), 5);
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

  it("takes its skill before the file, as invoke does", async () => {
    await write("lines.jsonl", inputs(2));
    assert.equal((await run("text-stats", "lines.jsonl")).code, 0);
    const twice = await run("text-stats", "lines.jsonl", "--skill", "text-stats");
    assert.equal(twice.code, 2);
    assert.match(twice.err, /Name the skill once/);
  });

  const table = 'text,other\n"line 1",\n"two\nlines",\nline 3,\n';
  const list = JSON.stringify([{ text: "line 1" }, { text: "two\nlines" }, { text: "line 3" }]);
  for (const [name, text, numbers] of [
    ["people.csv", table, [2, 3, 5]],
    ["people.json", list, [1, 2, 3]],
  ] as const) {
    it(`sends the records of ${name}, and keeps their numbers in the results and the journal`, async () => {
      await write(name, text);
      await rm(folder.path("out.jsonl"), { force: true });
      const args = [name, "--skill", "text-stats", "--out", "out.jsonl"];
      const sent = await run(...args);
      assert.equal(sent.code, 0, sent.err);
      const results = (await readFile(folder.path("out.jsonl"), "utf8")).trim().split("\n");
      const found = results.map((one) => JSON.parse(one));
      assert.deepEqual(
        found.map(({ line, output }) => [line, output.of]),
        numbers.map((line, at) => [line, ["line 1", "two\nlines", "line 3"][at]]),
      );
      const resumed = await run(...args, "--resume");
      assert.match(resumed.err, /^0 of 3 invocations/, resumed.err);
      assert.equal(bench.registry.total(), 3);
    });
  }

  it("names a file of another format in one sentence", async () => {
    await write("text-stats.jsonl", '{\n  "text": "a"\n}\n');
    const { code, err } = await run("text-stats.jsonl");
    assert.equal(code, 2);
    assert.match(
      err,
      /^text-stats\.jsonl looks like one JSON object over several lines\. [^\n]*\n$/,
    );
    assert.equal(bench.registry.total(), 0);
  });

  it("sends nothing if one line is invalid, and names it", async () => {
    await write("text-stats.jsonl", `${inputs(2)}{"text":1}\n{\n\n${inputs(1)}`);
    const { code, err } = await run("text-stats.jsonl");
    assert.equal(code, 1);
    assert.match(err, /^text-stats\.jsonl:3:9: .* \(type\)$/m);
    assert.match(err, /^text-stats\.jsonl:4:\d+: .* \(json\)$/m);
    assert.match(err, /Nothing was sent: 2 lines of text-stats\.jsonl cannot be sent\.$/m);
    assert.equal(bench.registry.total(), 0);
  });

  it("lists twenty problems of a file without JSON lines, and counts its lines", async () => {
    await write("text-stats.jsonl", "a b c d e f g h i j k\n".repeat(3));
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
      ["run", "text-stats.jsonl", "--registry", bench.registry.url],
      env,
    );
    assert.equal(code, 1);
    assert.match(
      err,
      /its terms have not been agreed to\.\n.*Price: \$0\.02 per invocation\..*Accept them with --yes\.\n$/s,
    );
    assert.equal(bench.registry.total(), 0);
    const keyless = await folder.run([
      "run",
      "text-stats.jsonl",
      "--registry",
      bench.registry.url,
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
    assert.equal(bench.registry.total(), 2);
    assert.equal((await run("text-stats.jsonl", "--max-cents", "9", "--resume")).code, 1);
    assert.equal(bench.registry.total(), 4);
    assert.equal((await run("text-stats.jsonl", "--max-cents", "12", "--resume")).code, 0);
    assert.equal(bench.registry.total(), 6);
  });

  it("counts the listed price if the registry names no amount, also over several runs", async () => {
    await write("text-stats.jsonl", inputs(6));
    bench.registry.describe({ namesCost: false });
    assert.equal((await run("text-stats.jsonl", "--max-cents", "5")).code, 1);
    assert.equal(bench.registry.total(), 2);
    assert.equal((await run("text-stats.jsonl", "--max-cents", "9", "--resume")).code, 1);
    assert.equal(bench.registry.total(), 4);
  });

  it("checks and plans without sending", async () => {
    await write("text-stats.jsonl", inputs(120));
    const { code, err } = await run("text-stats.jsonl", "--check-only", "--rate", "60");
    assert.deepEqual(
      [code, err, bench.registry.total()],
      [
        0,
        "120 invocations of text-stats@1.0.0, at most $2.40, at least 1 min at 60 per minute.\n",
        0,
      ],
    );
  });

  it("checks without an agreement to the terms", async () => {
    await write("text-stats.jsonl", inputs(2));
    const args = ["run", "text-stats.jsonl", "--check-only", "--registry", bench.registry.url];
    const { code, err } = await folder.run(args, env);
    assert.deepEqual([code, err], [0, "2 invocations of text-stats@1.0.0, at most $0.04.\n"]);
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
    assert.deepEqual([...bench.registry.counts.keys()], ["a\u2028b", "c\u2029"]);
  });

  it("repeats a line that the rate limit rejected, after the requested time", async () => {
    await write("text-stats.jsonl", inputs(3));
    bench.registry.answerNext("rateLimit", "line 2");
    const { code, err } = await run("text-stats.jsonl");
    assert.equal(code, 0, err);
    assert.match(err, /Rate limit reached\. Waiting 1 second\./);
    assert.deepEqual([...bench.registry.counts.values()], [1, 2, 1]);
  });

  it("stops if the rate limit requires a longer wait than allowed", async () => {
    await write("text-stats.jsonl", inputs(2));
    bench.registry.describe({ refusesFor: 86_400 });
    const day = await run("text-stats.jsonl");
    const tooLong =
      /^Stopped before line 1: the rate limit requires a wait of 24 hours, more than --max-wait 600 allows\. /m;
    assert.match(day.err, tooLong);
    assert.deepEqual([day.code, bench.registry.total()], [1, 1]);
    const held = await run("text-stats.jsonl", "--resume");
    assert.match(held.err, tooLong);
    assert.deepEqual([held.code, bench.registry.total()], [1, 1]);
    bench.registry.describe({ refusesFor: 1 });
    await forgetHolds();
    const short = await run("text-stats.jsonl", "--resume", "--max-wait", "2");
    assert.match(short.err, /^Rate limit reached\. Waiting 1 second\.$/m);
    // Each wait is longer than the previous one, and they do not add up.
    assert.match(
      short.err,
      /Waiting 2 seconds\.\nStopped before line 1: .* a wait of 4 seconds, more than --max-wait 2 allows\./,
    );
    assert.deepEqual([short.code, bench.registry.total()], [1, 4]);
    await forgetHolds();
    bench.registry.describe({ refusesFor: undefined });
    assert.equal((await run("text-stats.jsonl", "--resume")).code, 0);
  });

  it("mixes no message into its progress bar", async () => {
    await write("text-stats.jsonl", inputs(3));
    bench.registry.answerNext("rateLimit", "line 2");
    bench.registry.answerNext("policy", "line 3");
    const { err } = await folder.run(
      ["run", "text-stats.jsonl", "--registry", bench.registry.url, "--yes", "--jobs", "1"],
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

  it("stops if every line would be rejected, and continues with the same line", async () => {
    await write("text-stats.jsonl", inputs(3));
    bench.registry.answerNext("policy", "line 2");
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

  itInWholeSuite(
    "gives a journal to one of two processes, even if a killed one had it before",
    async () => {
      const cli = await buildProgram();
      const args = [
        "run",
        "text-stats.jsonl",
        "--registry",
        bench.registry.url,
        "--yes",
        "--resume",
      ];
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
        assert.deepEqual([...bench.registry.counts.values()], Array(8).fill(1));
      }
    },
  );

  it("explains failures at its end, in the journal, in merge, and by reason for programs", async () => {
    await write("text-stats.jsonl", inputs(4));
    for (const line of ["line 1", "line 3"]) bench.registry.answerNext("fails", line);
    const { code, out, err } = await run("text-stats.jsonl");
    assert.equal(code, 1);
    assert.equal(
      out,
      `Lines  Outcome    Reason       Which
    2  succeeded
    2  failed     row_invalid  lines 1, 3
2 succeeded, 2 failed, 0 with unknown outcome. Billed: $0.04. Expected cost of invocations without a named amount: $0.04.
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

  itInWholeSuite("repeats and loses nothing when it is killed at any moment", async () => {
    const cli = await buildProgram();
    const count = 60;
    await write("text-stats.jsonl", inputs(count));
    const args = ["run", "text-stats.jsonl", "--registry", bench.registry.url, "--yes", "--resume"];
    const start = () =>
      spawn(process.execPath, [cli, ...args], {
        cwd: folder.path(),
        env: { ...process.env, ...env },
        stdio: "ignore",
      });
    for (const kill of [7, 23, 41]) {
      const killed = start();
      const exit = once(killed, "exit");
      await bench.registry.reached(kill);
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
    assert.ok([...bench.registry.counts.values()].every((times) => times === 1));
    for (const { line, status } of lines) {
      if (status === "success") assert.equal(bench.registry.counts.get(`line ${line}`), 1);
    }
  });
});
