import assert from "node:assert/strict";
import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, it } from "mocha";
import { takeLock } from "../../../src/engine/files/lock";
import { SharedFile } from "../../../src/engine/files/sharedFile";
import { InvocationStore } from "../../../src/engine/record/invocationStore";
import { pastInvocation } from "../../fixtures/pastInvocation";
import { mountSmallDisk, type SmallDisk } from "../../fixtures/smallDisk";

const readNumber = (value: unknown) => (typeof value === "number" ? value : 0);

describe("a disk that is full", () => {
  let folder: string;
  let disk: SmallDisk | undefined;
  beforeEach(async function () {
    folder = await mkdtemp(join(tmpdir(), "full-"));
    disk = undefined;
    disk = mountSmallDisk(this, folder);
  });
  afterEach(async () => {
    disk?.unmount();
    await rm(folder, { recursive: true, force: true });
  });

  it("keeps the records it has, names none as damaged, and takes new ones when there is room", async () => {
    const store = new InvocationStore(folder);
    await store.write(pastInvocation(1), { inputText: "{}" });
    await disk?.fill();
    await assert.rejects(store.write(pastInvocation(2), { inputText: "{}" }), { code: "ENOSPC" });
    await assert.rejects(
      store.write({ ...pastInvocation(1), status: "error" }, { inputText: "{}" }),
    );
    const { records, damaged } = await new InvocationStore(folder).list(10);
    assert.deepEqual([records.map(({ id }) => id), damaged], [[pastInvocation(1).id], []]);
    assert.deepEqual(await readdir(folder), [`${pastInvocation(1).id}.jsonl`, "filler.bin"]);
    await disk?.empty();
    await store.write(pastInvocation(2), { inputText: "{}" });
    assert.equal((await store.list(10)).records.length, 2);
  });

  it("has room for the facts where an output does not fit", async () => {
    const store = new InvocationStore(folder);
    const outputText = JSON.stringify("x".repeat(100_000));
    await assert.rejects(store.write(pastInvocation(1), { inputText: "{}", outputText }));
    await store.write(pastInvocation(1), {});
    assert.equal((await store.list(10)).records.length, 1);
  });

  it("leaves no lock behind that would stand in the way of the next invocation", async () => {
    const path = join(folder, "call.lock");
    await disk?.fill();
    for (const _ of [1, 2]) {
      assert.equal((await takeLock(path, Date.now() + 60_000)).kind, "unavailable");
    }
    await disk?.empty();
    assert.equal((await takeLock(path, Date.now() + 60_000)).kind, "taken");
  });

  it("does not take back what a window has counted since", async () => {
    const path = join(folder, "value.json");
    const file = new SharedFile(path, readNumber);
    const count = () => file.change((value) => value + 1);
    await count();
    await disk?.fill();
    await count();
    await count();
    assert.equal(await file.get(), 3);
    await disk?.empty();
    await count();
    assert.equal(await new SharedFile(path, readNumber).get(), 4);
  });
});

describe("a disk that is read-only", () => {
  it("shows what it has, takes no claim, and counts on in its window", async function () {
    const folder = await mkdtemp(join(tmpdir(), "read-only-"));
    const disk = mountSmallDisk(this, folder);
    try {
      const store = new InvocationStore(folder);
      await store.write(pastInvocation(1), { inputText: "{}" });
      disk.makeReadOnly();
      await assert.rejects(store.write(pastInvocation(2), { inputText: "{}" }), { code: "EROFS" });
      assert.equal((await store.list(10)).records.length, 1);
      const lock = await takeLock(join(folder, "call.lock"), Date.now() + 60_000);
      assert.equal(lock.kind, "unavailable");
      const file = new SharedFile(join(folder, "value.json"), readNumber);
      for (const _ of [1, 2]) await file.change((value) => value + 1);
      assert.equal(await file.get(), 2);
    } finally {
      disk.unmount();
      await rm(folder, { recursive: true, force: true });
    }
  });
});
