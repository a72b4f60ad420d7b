import assert from "node:assert/strict";
import { readFile, rm } from "node:fs/promises";
import { describe, it } from "mocha";
import { inputs, useRuns } from "./useRuns";

describe("skill-registry run", () => {
  const bench = useRuns();
  const { folder, run, write } = bench;

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

  it("sends each line in one shard, and joins their results", async () => {
    await write("text-stats.jsonl", inputs(20));
    for (const shard of ["1/3", "2/3", "3/3"]) {
      assert.equal((await run("text-stats.jsonl", "--shard", shard)).code, 0);
    }
    assert.deepEqual(new Set(bench.registry.counts.values()), new Set([1]));
    assert.equal(bench.registry.total(), 20);
    const journals = ["1-3", "2-3", "3-3"].map((one) => `text-stats.jsonl.${one}.journal`);
    assert.equal((await folder.run(["merge", ...journals, "--out", "all.jsonl"])).code, 0);
    const lines = (await readFile(folder.path("all.jsonl"), "utf8")).trim().split("\n");
    assert.deepEqual(
      lines.map((line) => JSON.parse(line).line),
      Array.from({ length: 20 }, (_, index) => index + 1),
    );
    const named = await folder.run(["merge", "text-stats.jsonl"]);
    assert.equal(named.out, await readFile(folder.path("all.jsonl"), "utf8"));
    const twice = await folder.run(["merge", journals[0] ?? "", journals[0] ?? ""]);
    assert.equal(twice.code, 2);
    assert.match(twice.err, /is in two journals/);
  });
});
