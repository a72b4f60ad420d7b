import assert from "node:assert/strict";
import { describe, it } from "mocha";
import { Journal } from "../../../../../src/batch/journal";
import { inputs, useRuns } from "./useRuns";

describe("skill-registry run", () => {
  const bench = useRuns();
  const { clock, run, write } = bench;

  describe("with an agreement that becomes five minutes old", () => {
    const changes = [
      [{ cents: 3 }, "it changed at the registry after it was agreed to\\. Price: .+"],
      [{ fails: "prices" }, "its current price and permissions could not be read\\."],
    ] as const;
    for (const [said, why] of changes) {
      it(`stops if the registry returns ${JSON.stringify(said)}`, async () => {
        await write("text-stats.jsonl", inputs(3));
        void bench.registry.reached(2).then(() => {
          bench.registry.describe(said);
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
        bench.registry.describe({ fails: "" });
        assert.equal((await run("text-stats.jsonl", "--resume")).code, 0);
        assert.deepEqual([...bench.registry.counts.values()], [1, 1, 1]);
      });
    }

    it("continues without a change, or if a harmless skill cannot be read", async () => {
      for (const said of [{}, { cents: 0, fails: "skill" }] as const) {
        await write("text-stats.jsonl", inputs(3));
        bench.registry.describe({ ...said, fails: "" });
        void bench.registry.reached(2).then(() => {
          bench.registry.describe(said);
          clock.pass(5);
        });
        assert.equal((await run("text-stats.jsonl")).code, 0);
        assert.equal(bench.registry.total(), 3);
      }
    });

    it("sends a line once that was about to be sent at that moment", async () => {
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
        assert.deepEqual([code, starts, ...bench.registry.counts.values()], [0, 3, 1, 1]);
      } finally {
        Journal.prototype.flush = flush;
      }
    });

    it("asks nothing before that", async () => {
      await write("text-stats.jsonl", inputs(3));
      void bench.registry.reached(2).then(() => {
        bench.registry.describe({ cents: 3 });
        clock.pass(4);
      });
      assert.equal((await run("text-stats.jsonl")).code, 0);
    });
  });
});
