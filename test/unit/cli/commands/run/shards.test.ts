import assert from "node:assert/strict";
import { rm, writeFile } from "node:fs/promises";
import { describe, it } from "mocha";
import { env, inputs, useRuns } from "./useRuns";

describe("a shard of skill-registry run", () => {
  const bench = useRuns();
  const { folder, write } = bench;
  /** Runs the first shard of an array job of two tasks. */
  const runAuto = (attempt: number, args: readonly string[] = [], typed?: readonly string[]) =>
    folder.run(
      [
        ...["run", "text-stats.jsonl", "--shard", "auto", "--yes", "--jobs", "1"],
        ...["--registry", bench.registry.url, ...args],
      ],
      {
        ...{ ...env, AWS_BATCH_JOB_ARRAY_INDEX: "0", AWS_BATCH_JOB_ARRAY_SIZE: "2" },
        AWS_BATCH_JOB_ATTEMPT: `${attempt}`,
      },
      undefined,
      "",
      bench.clock.hear,
      typed,
    );
  const journal = "text-stats.jsonl.1-2.journal";
  const start = async (count: number) => {
    await write("text-stats.jsonl", inputs(count));
    await rm(folder.path(journal), { force: true });
  };

  it("continues from its journal by itself if an engine starts it again", async () => {
    await start(10);
    const first = await runAuto(1, ["--max-cents", "4"]);
    assert.match(
      first.err,
      /^Shard 1 of 2 \(AWS_BATCH_JOB_ARRAY_INDEX\): at most 2 of 4 cents\.$/m,
    );
    assert.equal(bench.registry.total(), 1);
    assert.equal((await runAuto(2)).code, 0);
    assert.deepEqual(new Set(bench.registry.counts.values()), new Set([1]));
    assert.ok(bench.registry.total() > 1);
  });

  it("sends nothing without its journal if it was started before, unless a person agrees", async () => {
    await start(10);
    const { code, err } = await runAuto(2);
    assert.match(
      err,
      /^text-stats\.jsonl\.1-2\.journal does not exist, so lines may have been sent already\. Restore it, or send all lines with --shard 1\/2\.$/m,
    );
    assert.equal(code, 2);
    assert.equal((await runAuto(2, [], ["n"])).code, 1);
    assert.equal(bench.registry.total(), 0);
    const agreed = await runAuto(2, [], ["y", "y"]);
    assert.match(
      agreed.err,
      /Lines may have been sent already\. Send all of them again\? \(y\/N\)/,
    );
    assert.equal(agreed.code, 0);
    assert.ok(bench.registry.total() > 0);
  });

  it("takes its part of the limits of the run, however it was named", async () => {
    await start(10);
    for (const [shard, cents] of [
      ["1/3", 2],
      ["3/3", 1],
    ] as const) {
      const args = ["--shard", shard, "--check-only", "--rate", "31", "--max-cents", "4"];
      const { err } = await bench.run("text-stats.jsonl", ...args);
      const [index] = shard;
      assert.match(err, new RegExp(`^Shard ${index} of 3: .*, and ${cents} of 4 cents\\.$`, "m"));
      assert.match(err, new RegExp(`, stopping at ${cents} cents\\.$`, "m"));
    }
    const low = await bench.run("text-stats.jsonl", "--shard", "1/3", "--rate", "2");
    assert.match(low.err, /^--rate 2 is less than one invocation a minute for each of 3 shards\./);
    assert.equal(low.code, 2);
  });

  it("without lines succeeds, and is not missing when it is merged", async () => {
    await write("text-stats.jsonl", inputs(1));
    const journals: string[] = [];
    for (const shard of ["1/2", "2/2"]) {
      const name = `text-stats.jsonl.${shard.replace("/", "-")}.journal`;
      await rm(folder.path(name), { force: true });
      journals.push(name);
      assert.equal((await bench.run("text-stats.jsonl", "--shard", shard)).code, 0);
    }
    const { code, err } = await folder.run(["merge", ...journals]);
    assert.equal(err, "1 lines, 0 with unknown outcome.\n");
    assert.equal(code, 0);
  });

  it("of other inputs is named when it is merged", async () => {
    await write("text-stats.jsonl", inputs(8));
    const journals = ["1/2", "2/2"].map(
      (shard) => `text-stats.jsonl.${shard.replace("/", "-")}.journal`,
    );
    for (const name of journals) await rm(folder.path(name), { force: true });
    await bench.run("text-stats.jsonl", "--shard", "1/2");
    await writeFile(folder.path("text-stats.jsonl"), inputs(9));
    await bench.run("text-stats.jsonl", "--shard", "2/2");
    const { code, err } = await folder.run(["merge", ...journals]);
    assert.match(
      err,
      /^text-stats\.jsonl\.2-2\.journal has other inputs than text-stats\.jsonl\.1-2/m,
    );
    assert.equal(code, 1);
    assert.equal((await bench.run("text-stats.jsonl", "--shard", "1/2", "--resume")).code, 0);
    assert.equal((await folder.run(["merge", ...journals])).code, 0);
  });
});

describe("skill-registry run --resume", () => {
  const bench = useRuns();

  it("sends nothing without a journal", async () => {
    await bench.write("text-stats.jsonl", inputs(2));
    const { code, err } = await bench.run("text-stats.jsonl", "--resume");
    assert.match(
      err,
      /journal does not exist, .*Restore it, or leave out --resume to send all lines/,
    );
    assert.equal(code, 2);
    assert.equal(bench.registry.total(), 0);
  });
});
