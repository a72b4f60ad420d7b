import assert from "node:assert/strict";
import { describe, it } from "mocha";
import { doneWithin, orAbort, pause, settled, Timer, within } from "../../../src/registry/wait";

const never = new Promise<void>(() => undefined);
const noSignal = new AbortController().signal;

describe("waiting for work that can be left behind", () => {
  it("ends with the work, and as it does", async () => {
    await settled(Promise.reject(new Error("late")), noSignal);
    await orAbort(Promise.resolve(), noSignal, 0);
    await assert.rejects(orAbort(Promise.reject(new Error("late")), noSignal, 0), /late/);
  });

  it("ends when it is left, before or meanwhile", async () => {
    await settled(never, AbortSignal.abort());
    await orAbort(never, AbortSignal.abort(), 1);
    const cancel = new AbortController();
    const left = orAbort(never, cancel.signal, 1);
    cancel.abort();
    await left;
  });

  it("gives the work a moment once it is left", async () => {
    let isDone = false;
    const soon = new Promise<void>((resolve) => setImmediate(resolve)).then(() => {
      isDone = true;
    });
    await orAbort(soon, AbortSignal.abort(), 60_000);
    assert.equal(isDone, true);
  });

  it("ends at its time, in which the program was not blocked", async () => {
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

describe("work for one item after another", () => {
  it("is done in the order of the items, and lets other work run after each", async () => {
    const seen: string[] = [];
    const work = async (item: string) => {
      seen.push(item);
      setImmediate(() => seen.push("other"));
      return item.toUpperCase();
    };
    assert.deepEqual(await doneWithin(["a", "b"], work, 60_000), ["A", "B"]);
    assert.deepEqual(seen, ["a", "other", "b", "other"]);
  });

  it("resolves at its time to what is done, and begins with no further item", async () => {
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

  it("ends at its time where each item blocks the program for longer than that", async () => {
    let begun = 0;
    const work = async () => {
      begun += 1;
      const until = performance.now() + 20;
      while (performance.now() < until);
    };
    await doneWithin(Array.from({ length: 500 }), work, 10);
    assert.ok(begun < 100, `${begun} began`);
  });

  it("rejects as its work does", async () => {
    const work = () => Promise.reject(new Error("broken"));
    await assert.rejects(doneWithin(["a"], work, 60_000), /broken/);
  });
});

describe("a timer", () => {
  it("replaces what it waited for, and waits for times that are too long for Node.js", async () => {
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
