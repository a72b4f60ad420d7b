import assert from "node:assert/strict";
import { mkdir, mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, it } from "mocha";
import { type InvocationRecord, newRecordId } from "../../../src/core/invocationRecord";
import { InvocationStore } from "../../../src/host/audit/invocationStore";

function record(startedAt: number, facts: Partial<InvocationRecord> = {}): InvocationRecord {
  return {
    schema: 1,
    id: newRecordId(startedAt, "0a1b2c3d-4e5f"),
    startedAt,
    endsBefore: Number.MAX_SAFE_INTEGER,
    registry: "built-in",
    skillSlug: "text-stats",
    version: "1.0.0",
    status: "success",
    durationMs: 5,
    ...facts,
  };
}

describe("the store of past calls", () => {
  let folder: string;
  let store: InvocationStore;

  beforeEach(async () => {
    folder = join(await mkdtemp(join(tmpdir(), "invocations-")), "made", "on first use");
    store = new InvocationStore(folder);
  });

  afterEach(() => rm(join(folder, "../.."), { recursive: true, force: true }));

  it("is empty before the first call", async () => {
    assert.deepEqual(await store.list(10), []);
  });

  it("lists the newest first, up to the limit", async () => {
    for (const time of [1000, 3000, 2000]) await store.write(record(time), { inputText: "{}" });
    const times = (await store.list(2)).map(({ startedAt }) => startedAt);
    assert.deepEqual(times, [3000, 2000]);
  });

  it("keeps the texts of a call as they were", async () => {
    const texts = { inputText: '{"a":1.0}\r\n', outputText: "x".repeat(200_000) };
    await store.write(record(1), texts);
    assert.deepEqual(await store.texts(record(1).id), texts);
  });

  it("replaces a running call by how it ended", async () => {
    await store.write(record(1, { status: "running" }), { inputText: "{}" });
    await store.write(record(1, { invocationId: "abc" }), { inputText: "{}" });
    const [only, ...others] = await store.list(10);
    assert.equal(only?.invocationId, "abc");
    assert.deepEqual(others, []);
  });

  it("reads facts longer than usual", async () => {
    await store.write(record(1, { message: "ü".repeat(6000) }), { inputText: "{}" });
    assert.equal((await store.list(1))[0]?.message?.length, 6000);
  });

  it("skips damaged and foreign files", async () => {
    await store.write(record(1), { inputText: "{}" });
    await writeFile(join(folder, `${record(2).id}.jsonl`), '{"schema":1,"id":"to');
    await writeFile(join(folder, `${record(3).id}.jsonl`), "");
    await writeFile(join(folder, `${record(4).id}.jsonl`), `${JSON.stringify(record(5))}\n`);
    await writeFile(join(folder, "notes.txt"), "hello");
    assert.deepEqual(
      (await store.list(10)).map(({ id }) => id),
      [record(1).id],
    );
    assert.equal(await store.texts(record(2).id), undefined);
  });

  it("opens no path that a name could lead to", async () => {
    assert.equal(await store.texts("../../../etc/passwd"), undefined);
  });

  it("removes the oldest beyond the limit", async () => {
    for (const time of [1, 2, 3, 4]) await store.write(record(time), { inputText: "{}" });
    await store.keepNewest(2);
    assert.deepEqual((await readdir(folder)).sort(), [
      `${record(3).id}.jsonl`,
      `${record(4).id}.jsonl`,
    ]);
  });

  it("loses nothing when many write at once", async () => {
    const times = Array.from({ length: 100 }, (_, index) => index + 1);
    const stores = [store, new InvocationStore(folder), new InvocationStore(folder)];
    await Promise.all(
      times.map((time, index) => stores[index % 3]?.write(record(time), { inputText: "{}" })),
    );
    assert.equal((await store.list(1000)).length, 100);
    assert.ok((await readdir(folder)).every((name) => name.endsWith(".jsonl")));
  });

  it("leaves nothing behind where a record cannot be written", async () => {
    await store.write(record(1), { inputText: "{}" });
    await rm(join(folder, `${record(1).id}.jsonl`));
    await mkdir(join(folder, `${record(1).id}.jsonl`));
    await assert.rejects(store.write(record(1), { inputText: "{}" }));
    assert.ok((await readdir(folder)).every((name) => !name.endsWith(".tmp")));
  });
});
