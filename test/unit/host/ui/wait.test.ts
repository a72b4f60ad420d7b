import assert from "node:assert/strict";
import { describe, it } from "mocha";
import { loadedOnce, newest, unlessAborted } from "../../../../src/host/ui/wait";

describe("a value loaded once", () => {
  it("is loaded again after a failure, and cached afterwards", async () => {
    let loads = 0;
    const get = loadedOnce(async () => {
      loads += 1;
      if (loads === 1) throw new Error("The file is not there yet.");
      return loads;
    });
    await assert.rejects(Promise.all([get(), get()]));
    assert.equal(loads, 1);
    assert.deepEqual([await get(), await get()], [2, 2]);
  });
});

describe("work that newer work replaces", () => {
  it("is awaited until there is none newer", async () => {
    const ends: (() => void)[] = [];
    const begin = () => new Promise<void>((resolve) => ends.push(resolve));
    let work = begin();
    let isOver = false;
    const waiting = newest(() => work).then(() => {
      isOver = true;
    });
    work = begin();
    ends[0]?.();
    await new Promise(setImmediate);
    assert.equal(isOver, false);
    ends[1]?.();
    await waiting;
  });
});

describe("canceled work", () => {
  it("may fail after its signal fired, and not before", async () => {
    const failing = () => Promise.reject(new Error("It was stopped."));
    const controller = new AbortController();
    await assert.rejects(unlessAborted(failing(), controller.signal));
    assert.equal(await unlessAborted(Promise.resolve(1), controller.signal), 1);
    controller.abort();
    assert.equal(await unlessAborted(failing(), controller.signal), undefined);
  });
});
