import assert from "node:assert/strict";
import { describe, it } from "mocha";
import type { InvocationResult } from "../../../../src/engine/sendInvocation";
import { DedupeInWindow } from "../../../../src/host/invoke/invoker";

function counted(end: InvocationResult = "done") {
  let count = 0;
  const work = async () => {
    count += 1;
    return end;
  };
  return { work, count: () => count };
}

describe("repeated triggers of an invocation", () => {
  it("join it while it runs, even with another text", async () => {
    const triggers = new DedupeInWindow();
    const { work, count } = counted();
    let end = () => {};
    const running = triggers.run("a.json", "1", async () => {
      const ended = new Promise<void>((resolve) => {
        end = resolve;
      });
      await ended;
      return work();
    });
    const joined = triggers.run("a.json", "2", work);
    const meant = triggers.run("a.json", "2", work, true);
    assert.equal(joined, running);
    assert.equal(meant, running);
    end();
    await running;
    assert.equal(count(), 1);
  });

  it("join it within a double click with the same text", async () => {
    const triggers = new DedupeInWindow();
    const { work, count } = counted();
    await triggers.run("a.json", "1", work);
    await triggers.run("a.json", "1", work);
    assert.equal(count(), 1);
  });

  it("start another invocation with another text, from another document, or on request", async () => {
    const triggers = new DedupeInWindow();
    const { work, count } = counted();
    await triggers.run("a.json", "1", work);
    await triggers.run("a.json", "2", work);
    await triggers.run("b.json", "2", work);
    await triggers.run("b.json", "2", work, true);
    assert.equal(count(), 4);
  });

  it("start another invocation at once after a cancellation", async () => {
    const triggers = new DedupeInWindow();
    const { work, count } = counted("cancelled");
    await triggers.run("a.json", "1", work);
    await triggers.run("a.json", "1", work);
    assert.equal(count(), 2);
  });

  it("start another invocation after a failure, once the double click is over", async () => {
    const triggers = new DedupeInWindow();
    const fail = () => Promise.reject(new Error("broken"));
    await assert.rejects(triggers.run("a.json", "1", fail));
    const { work, count } = counted();
    await triggers.run("a.json", "2", work);
    assert.equal(count(), 1);
  });
});
