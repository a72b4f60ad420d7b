import assert from "node:assert/strict";
import { copyFile, readFile, rm, writeFile } from "node:fs/promises";
import { after, before, describe, it } from "mocha";
import { mountSmallDisk, type SmallDisk } from "../../fixtures/smallDisk";
import { itInWholeSuite } from "../../fixtures/wholeSuite";
import { env, failingCli, lines } from "./failingCli";

describe("the command line on a failure", () => {
  const bench = failingCli();
  const { folder } = bench;

  describe("on a separate disk", () => {
    let disk: SmallDisk;
    before(function () {
      disk = mountSmallDisk(this, folder.path("disk"));
    });
    after(() => disk?.unmount());
    const run = (...args: string[]) =>
      folder.run(["run", "many.jsonl", ...args, "--registry", bench.registry.url, "--yes"], env);

    itInWholeSuite(
      "stops a run whose journal has no room, and loses and repeats nothing",
      async () => {
        const count = 500;
        const lines = Array.from({ length: count }, (_, line) => `{"text":"line ${line}"}\n`);
        await writeFile(folder.path("many.jsonl"), lines.join(""));
        bench.registry.forget();
        const full = await run("--skill", "text-stats", "--journal", "disk/a.journal");
        assert.match(full.err, /a\.journal could not be written: the disk is full \(ENOSPC\)\. ./);
        assert.match(full.err, /Nothing more was sent\.\n$/);
        assert.equal(full.code, 2);
        let sent = bench.registry.total();
        assert.ok(sent > 10 && sent < count);
        for (const _ of [1, 2, 3]) {
          const again = await run(
            "--skill",
            "text-stats",
            "--journal",
            "disk/a.journal",
            "--resume",
          );
          assert.match(again.err, /could not be written: the disk is full \(ENOSPC\)/);
          // With fewer lines in progress, a few more ends fit.
          assert.ok(bench.registry.total() - sent <= 8, `${bench.registry.total()} after ${sent}`);
          sent = bench.registry.total();
        }
        await copyFile(folder.path("disk/a.journal"), folder.path("a.journal"));
        const rest = await run("--skill", "text-stats", "--journal", "a.journal", "--resume");
        assert.equal(rest.code, 0, rest.err);
        assert.equal(bench.registry.counts.size, count);
        assert.ok([...bench.registry.counts.values()].every((times) => times === 1));
        const into = await folder.run(["merge", "a.journal", "--out", "disk/all.jsonl"]);
        assert.match(into.err, /all\.jsonl could not be written: the disk is full \(ENOSPC\)\.\n$/);
        assert.equal(into.code, 2);
        await assert.rejects(readFile(folder.path("disk/all.jsonl")));
        await rm(folder.path("disk/a.journal"));
      },
    );

    it("keeps the end of a line whose output does not fit", async () => {
      const text = "long ".repeat(4800);
      await writeFile(folder.path("many.jsonl"), lines("a", text, "c", text, "e", text, "g"));
      bench.registry.forget();
      const full = await run("--skill", "text-stats", "--journal", "disk/c.journal");
      assert.match(
        full.err,
        /Line \d ended with “success”, invocation ID .*; its output is missing from the journal\.\n$/,
      );
      assert.equal(full.code, 2);
      await copyFile(folder.path("disk/c.journal"), folder.path("c.journal"));
      const rest = await run("--skill", "text-stats", "--journal", "c.journal", "--resume");
      assert.match(rest.out, /^7 succeeded, 0 failed, 0 with unknown outcome/);
      assert.deepEqual([...bench.registry.counts.values()].toSorted(), [1, 1, 1, 1, 3]);
      await rm(folder.path("disk/c.journal"));
    });

    it("reports sent cases if their outputs cannot be stored", async () => {
      const cases = [{ name: "a", payload: { text: "kept" }, expect: { snapshot: true } }];
      const suite = JSON.stringify({ format: 1, skill: "text-stats", cases });
      await writeFile(folder.path("disk/b.skill-suite.json"), suite);
      disk.makeReadOnly();
      bench.registry.forget();
      const args = ["test", "disk/b.skill-suite.json", "--live", "--update", "--yes"];
      const at = ["--format", "json", "--registry", bench.registry.url];
      const { code, out, err } = await folder.run([...args, ...at], env);
      assert.equal(JSON.parse(out).items[0].invocationId, "kept 1");
      assert.match(err, /b\.skill-snapshots\.json could not be written: the disk is read-only/);
      assert.equal(code, 2);
    });

    it("sends nothing if the journal's disk is read-only", async () => {
      disk.makeReadOnly();
      bench.registry.forget();
      const { code, err } = await run("--skill", "text-stats", "--journal", "disk/b.journal");
      assert.match(err, /could not be written: the disk is read-only \(EROFS\)\.$/m);
      assert.deepEqual([code, bench.registry.total()], [2, 0]);
    });
  });
});
