import assert from "node:assert/strict";
import { describe, it } from "mocha";
import { orAbort, settled } from "../../../src/engine/wait";

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
});
