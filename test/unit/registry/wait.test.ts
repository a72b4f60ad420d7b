import assert from "node:assert/strict";
import { describe, it } from "mocha";
import { doneWithin, orAbort, pause, settled, Timer, within } from "../../../src/registry/wait";

const never = new Promise<void>(() => undefined);
const noSignal = new AbortController().signal;

describe("waiting for work that can be abandoned", () => {
  it("ends with the work, and with its result", async () => {
    await settled(Promise.reject(new Error("late")), noSignal);
    await orAbort(Promise.resolve(), noSignal, 0);
    await assert.rejects(orAbort(Promise.reject(new Error("late")), noSignal, 0), /late/);
  });

  it("ends when it is abandoned, before or meanwhile", async () => {
    await settled(never, AbortSignal.abort());
    await orAbort(never, AbortSignal.abort(), 1);
    const cancel = new AbortController();
    const left = orAbort(never, cancel.signal, 1);
    cancel.abort();
    await left;
  });

  it("gives abandoned work a moment", async () => {
    let isDone = false;
    const soon = new Promise<void>((resolve) => setImmediate(resolve)).then(() => {
      isDone = true;
    });
    await orAbort(soon, AbortSignal.abort(), 60_000);
    assert.equal(isDone, true);
  });

  it("ends at its timeout, not counting time while the program was blocked", async () => {
    assert.equal(await within(Promise.resolve("done"), 1), "done");
    await assert.rejects(within(Promise.reject(new Error("early")), 60_000), /early/);
    assert.equal(await within(never, 10), undefined);
    const soon = new Promise<string>((resolve) => setTimeout(resolve, 40, "done"));
    const waited = within(soon, 100);
    const until = performance.now() + 200;
    while (performance.now() < until);
    assert.equal(await waited, "done");
  });
});

describe("work in steps", () => {
  it("is done in order, and yields after each step", async () => {
    const seen: string[] = [];
    const work = async (item: string) => {
      seen.push(item);
      setImmediate(() => seen.push("other"));
      return item.toUpperCase();
    };
    assert.deepEqual(await doneWithin(["a", "b"], work, 60_000), ["A", "B"]);
    assert.deepEqual(seen, ["a", "other", "b", "other"]);
  });

  it("resolves to the finished steps at its timeout, and starts no more", async () => {
    const begun: string[] = [];
    let end = () => {};
    const slow = new Promise<void>((resolve) => {
      end = resolve;
    });
    const work = async (item: string) => {
      begun.push(item);
      if (item === "slow") await slow;
      return item;
    };
    const done = await doneWithin(["quick", "slow", "last"], work, 10);
    end();
    await pause(1);
    assert.deepEqual([done, begun], [["quick"], ["quick", "slow"]]);
  });

  it("ends at its timeout even if each step blocks for longer", async () => {
    let begun = 0;
    const work = async () => {
      begun += 1;
      const until = performance.now() + 20;
      while (performance.now() < until);
    };
    await doneWithin(Array.from({ length: 500 }), work, 10);
    assert.ok(begun < 100, `${begun} began`);
  });

  it("rejects as its step does", async () => {
    const work = () => Promise.reject(new Error("broken"));
    await assert.rejects(doneWithin(["a"], work, 60_000), /broken/);
  });
});

describe("a timer", () => {
  it("replaces an earlier wait, and supports times that are too long for Node.js", async () => {
    const timer = new Timer();
    const done: string[] = [];
    timer.after(1, () => done.push("first"));
    timer.after(2 ** 40, () => done.push("second"));
    await pause(5);
    assert.deepEqual([done, timer.isRunning], [[], true]);
    const third = new Promise<void>((resolve) => timer.after(1, resolve));
    await Promise.all([third, pause(5)]);
    assert.equal(timer.isRunning, false);
  });
});
