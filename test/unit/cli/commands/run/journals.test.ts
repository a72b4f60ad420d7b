import assert from "node:assert/strict";
import { readdir, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { describe, it } from "mocha";
import { inputs, useRuns } from "./useRuns";

describe("skill-registry run", () => {
  const bench = useRuns();
  const { folder, run, write } = bench;

  it("leaves no journal if nothing was sent, and starts over if nothing ran", async () => {
    await write("text-stats.jsonl", '{"text":1}\n');
    assert.equal((await run("text-stats.jsonl")).code, 1);
    const left = await readdir(folder.path());
    assert.deepEqual(
      left.filter((name) => name.startsWith("text-stats.jsonl.journal")),
      [],
    );
    await writeFile(folder.path("text-stats.jsonl"), inputs(2));
    bench.registry.answerNext("policy", "line 1");
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
    assert.equal(bench.registry.total(), 0);
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
      assert.equal(bench.registry.total(), 0);
    });
  }

  it("starts over with a journal whose first line a kill truncated", async () => {
    await write("text-stats.jsonl", inputs(1));
    await run("text-stats.jsonl");
    const path = folder.path("text-stats.jsonl.journal");
    const journal = await readFile(path, "utf8");
    for (const length of [0, 1, journal.indexOf("\n")]) {
      bench.registry.forget();
      await writeFile(path, journal.slice(0, length));
      const { code, err } = await run("text-stats.jsonl", "--resume");
      assert.equal(code, 0, err);
      assert.equal(bench.registry.total(), 1);
    }
  });
});
