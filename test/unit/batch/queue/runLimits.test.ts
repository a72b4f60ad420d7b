import assert from "node:assert/strict";
import { describe, it } from "mocha";
import { noLimits, queueBench, sendLine, success } from "../../../fixtures/queueBench";
import { isSkippedWithoutRedis } from "../../../fixtures/redisServer";

describe("a queue", () => {
  if (isSkippedWithoutRedis()) return;
  const { open, openRun, work } = queueBench();

  it("lets workers keep results while too many bytes wait, unless their run has ended", async () => {
    const queue = await open();
    await queue.lease("slow", noLimits, "begins");
    const half = "x".repeat(17_000_000);
    const report = (job: string) => queue.report({ run: "slow", job, id: "0-1" }, half);
    assert.deepEqual(
      [await report("1-1"), await report("2-2"), await report("3-3")],
      [true, true, false],
    );
    const [first] = await queue.results("slow", "0");
    const claims = queue.key("claims", "slow");
    await queue.link.call("HSET", claims, "1-1", "ended");
    for (const _ of ["once", "and once more"]) if (first) await queue.deleteNoted("slow", [first]);
    assert.equal(await queue.link.call("HGET", claims, "1-1"), null, "a line that is over is kept");
    assert.deepEqual([await report("3-3"), await report("4-4")], [true, false]);
    await queue.end("slow", true);
    assert.equal(await report("4-4"), true);
    await queue.delete("slow");
    assert.equal(await report("5-5"), true);
    await queue.deleteNoted("slow", await queue.remainingResults("slow"));
    assert.equal(await queue.link.call("EXISTS", claims), 0, "nothing would delete it");
  });

  it("limits the bytes of payloads at once, but allows a single larger one", async () => {
    const run = await openRun();
    const large = sendLine(run, 1, "x".repeat(40_000_000));
    let hasStarted = false;
    const second = new Promise<void>((resolve) => {
      run.send({ line: 2, text: "{}", digest: "" }, (event) => {
        hasStarted ||= event.kind === "started";
        if (event.kind === "started") event.send();
        else resolve();
      });
    });
    const { link } = run.queue;
    while ((await link.call("XLEN", run.queue.key("lines", run.id))) !== 1);
    assert.equal(hasStarted, false);
    await work(async (_text, claim) => {
      await claim();
      return success;
    });
    await large;
    await second;
  });
});
