import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdir, mkdtemp, readdir, rm, utimes, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { afterEach, beforeEach, describe, it } from "mocha";
import { InvocationStore } from "../../../../src/engine/record/invocationStore";
import { pastInvocation } from "../../../fixtures/pastInvocation";

const dayMs = 86_400_000;
const keepAll = { maxEntries: 10, maxDays: 0, newest: "", now: Date.now() };

describe("the store of past invocations", () => {
  let top: string;
  let folder: string;
  let store: InvocationStore;

  beforeEach(async () => {
    top = await mkdtemp(join(tmpdir(), "invocations-"));
    folder = join(top, "made", "on first use");
    store = new InvocationStore(folder);
  });

  afterEach(() => rm(top, { recursive: true, force: true }));

  it("is empty before the first invocation", async () => {
    assert.deepEqual(await store.list(10), { records: [], damaged: [] });
  });

  it("lists the newest first, up to the limit", async () => {
    for (const time of [1000, 3000, 2000])
      await store.write(pastInvocation(time), { inputText: "{}" });
    const times = (await store.list(2)).records.map(({ startedAt }) => startedAt);
    assert.deepEqual(times, [3000, 2000]);
  });

  it("keeps the texts of an invocation as they were", async () => {
    for (const outputText of ["x".repeat(200_000), `"😀\n\ud800`.repeat(1_000_000)]) {
      const texts = { inputText: '{"a":1.0}\r\n', outputText };
      await store.write(pastInvocation(1), texts);
      const kept = await store.texts(pastInvocation(1).id);
      assert.equal(kept?.inputText, texts.inputText);
      assert.ok(kept?.outputText === outputText);
    }
  });

  it("reads no texts of a file that is larger than wanted", async () => {
    await store.write(pastInvocation(1), { inputText: "x".repeat(5_000) });
    assert.equal(await store.texts(pastInvocation(1).id, 5_000), undefined);
    assert.equal((await store.texts(pastInvocation(1).id, 9_000))?.inputText?.length, 5_000);
  });

  it("replaces a running invocation by how it ended", async () => {
    await store.write(pastInvocation(1, { status: "running" }), { inputText: "{}" });
    await store.write(pastInvocation(1, { invocationId: "abc" }), { inputText: "{}" });
    const [only, ...others] = (await store.list(10)).records;
    assert.equal(only?.invocationId, "abc");
    assert.deepEqual(others, []);
  });

  it("is made anew where its folder was removed while it was in use", async () => {
    await store.write(pastInvocation(1), {});
    await rm(folder, { recursive: true });
    await store.write(pastInvocation(2), {});
    const times = (await store.list(10)).records.map(({ startedAt }) => startedAt);
    assert.deepEqual(times, [2]);
  });

  it("reads facts longer than usual", async () => {
    await store.write(pastInvocation(1, { message: "ü".repeat(6000) }), { inputText: "{}" });
    assert.equal((await store.list(1)).records[0]?.message?.length, 6000);
  });

  it("sets damaged files aside, names them once, and reads the rest", async () => {
    await store.write(pastInvocation(1), { inputText: "{}" });
    await writeFile(join(folder, `${pastInvocation(2).id}.jsonl`), '{"schema":1,"id":"to');
    await writeFile(join(folder, `${pastInvocation(3).id}.jsonl`), "");
    await writeFile(
      join(folder, `${pastInvocation(4).id}.jsonl`),
      `${JSON.stringify(pastInvocation(5))}\n`,
    );
    await writeFile(join(folder, "notes.txt"), "hello");
    const { records, damaged } = await store.list(10);
    assert.deepEqual(
      records.map(({ id }) => id),
      [pastInvocation(1).id],
    );
    assert.deepEqual(
      damaged,
      [4, 3, 2].map((time) => `${pastInvocation(time).id}.jsonl`),
    );
    assert.ok((await readdir(folder)).includes(`${pastInvocation(2).id}.jsonl.damaged`));
    assert.deepEqual((await store.list(10)).damaged, []);
    assert.equal(await store.texts(pastInvocation(2).id), undefined);
  });

  it("names a damaged file once, however many look at the same time", async () => {
    await mkdir(folder, { recursive: true });
    await writeFile(join(folder, `${pastInvocation(1).id}.jsonl`), "?");
    const windows = [store, new InvocationStore(folder), new InvocationStore(folder)];
    const lists = await Promise.all(windows.map((window) => window.list(10)));
    assert.equal(lists.flatMap(({ damaged }) => damaged).length, 1);
  });

  it("leaves the files of a later version where they are", async () => {
    const later = JSON.stringify({ ...pastInvocation(1), schema: 2 });
    await mkdir(folder, { recursive: true });
    await writeFile(join(folder, `${pastInvocation(1).id}.jsonl`), `${later}\n`);
    assert.deepEqual((await store.list(10)).damaged, []);
    assert.ok((await readdir(folder)).includes(`${pastInvocation(1).id}.jsonl`));
  });

  it("follows what another window writes into a file it has read", async () => {
    const other = new InvocationStore(folder);
    await other.write(pastInvocation(1, { status: "running" }), {});
    assert.equal((await store.list(1)).records[0]?.status, "running");
    await other.write(pastInvocation(1), {});
    assert.equal((await store.list(1)).records[0]?.status, "success");
  });

  it("shows a running invocation of a process that is gone as outcome unknown", async () => {
    const { pid } = spawnSync(process.execPath, ["--version"]);
    await store.write(pastInvocation(1, { status: "running", pid }), {});
    assert.equal((await store.list(1)).records[0]?.status, "outcome unknown");
  });

  it("follows the end of an invocation that seemed over before", async () => {
    const other = new InvocationStore(folder);
    const { pid: goneWindow } = spawnSync(process.execPath, ["--version"]);
    const seemOver = [
      pastInvocation(1, { status: "running", endsBefore: Date.now() - 1 }),
      pastInvocation(2, { status: "running", pid: goneWindow }),
    ];
    const statuses = async () => (await store.list(10)).records.map(({ status }) => status);
    for (const record of seemOver) await other.write(record, {});
    assert.deepEqual(await statuses(), ["outcome unknown", "outcome unknown"]);
    for (const time of [1, 2]) await other.write(pastInvocation(time), {});
    assert.deepEqual(await statuses(), ["success", "success"]);
  });

  it("keeps and lists what an agent may not make again, however few are kept", async () => {
    const now = Date.now();
    const mcp = { kind: "mcp" } as const;
    const hourMs = 3_600_000;
    const ages: readonly (readonly [
      hours: number,
      status: "success" | "outcome unknown",
      isKept: boolean,
    ])[] = [
      [23, "outcome unknown", true],
      [25, "outcome unknown", false],
      [0.1, "success", true],
      [1, "success", false],
    ];
    for (const [hours, status] of ages) {
      await store.write(pastInvocation(now - hours * hourMs, { status, caller: mcp }), {});
    }
    const byPerson = pastInvocation(now - 2 * hourMs, { status: "outcome unknown" });
    await store.write(byPerson, {});
    const newest = pastInvocation(now);
    await store.write(newest, {});
    const kept = ages.filter(([, , isKept]) => isKept).map(([hours]) => now - hours * hourMs);
    const expected = [now, ...kept].sort((one, other) => other - one);
    const listed = async () => (await store.list(1)).records.map(({ startedAt }) => startedAt);
    assert.deepEqual(await listed(), expected);
    await store.retain({ maxEntries: 1, maxDays: 0, newest: newest.id, now });
    assert.deepEqual(await listed(), expected);
    const files = (await readdir(folder)).filter((name) => name.endsWith(".jsonl"));
    // Two are unknown for longer than agents need them.
    assert.equal(files.length, expected.length + 2);
  });

  it("opens no path that a name could lead to", async () => {
    const elsewhere = new InvocationStore(join(folder, ".."));
    await store.write(pastInvocation(1), { inputText: "{}" });
    await elsewhere.write(pastInvocation(2), { inputText: '"elsewhere"' });
    assert.equal((await elsewhere.texts(pastInvocation(2).id))?.inputText, '"elsewhere"');
    assert.equal(await store.texts(`../${pastInvocation(2).id}`), undefined);
  });

  it("removes the oldest beyond the limit, except what is pinned", async () => {
    for (const time of [1, 2, 3, 4]) await store.write(pastInvocation(time), { inputText: "{}" });
    await store.pin(pastInvocation(1).id, true);
    await store.retain({ ...keepAll, maxEntries: 2 });
    const { records } = await store.list(10);
    assert.deepEqual(
      records.map(({ startedAt, pinned }) => [startedAt, pinned]),
      [
        [4, undefined],
        [3, undefined],
        [1, true],
      ],
    );
    assert.equal((await store.list(1)).records.length, 2);
    await store.pin(pastInvocation(1).id, false);
    await store.retain({ ...keepAll, maxEntries: 2 });
    assert.equal((await store.list(10)).records.length, 2);
  });

  it("removes neither what runs nor what is unknown", async () => {
    const statuses = ["running", "outcome unknown", "success", "not executed"] as const;
    for (const [time, status] of statuses.entries()) {
      const pid = status === "running" ? { pid: process.pid } : {};
      await store.write(pastInvocation(time + 1, { status, ...pid }), {});
    }
    await store.retain({ ...keepAll, maxEntries: 0 });
    const { records } = await store.list(10);
    assert.deepEqual(
      records.map(({ status }) => status),
      ["outcome unknown", "running"],
    );
  });

  describe("whatever the clock does", () => {
    const ended = Date.UTC(2026, 0, 1);
    /** Writes an invocation that was made so many days after the first, by a clock that is ahead by `ahead`. */
    async function call(day: number, ahead = 0): Promise<ReturnType<typeof pastInvocation>> {
      const startedAt = ended + (day + ahead) * dayMs;
      const made = pastInvocation(startedAt, { id: store.newId(startedAt, "0a1b2c3d-4e5f") });
      await store.write(made, {});
      await utimes(join(folder, `${made.id}.jsonl`), startedAt / 1000, startedAt / 1000);
      await store.retain({
        maxEntries: 100,
        maxDays: 90,
        newest: made.id,
        now: startedAt,
      });
      return made;
    }
    const days = async () =>
      (await store.list(100)).records.map(({ startedAt }) => (startedAt - ended) / dayMs);

    it("removes what is too old, when it was so for two days", async () => {
      for (const day of [0, 1, 50, 91.5]) await call(day);
      assert.deepEqual(await days(), [91.5, 50, 1, 0]);
      await call(92);
      assert.deepEqual((await days()).length, 5);
      await call(93.6);
      assert.deepEqual(await days(), [93.6, 92, 91.5, 50]);
    });

    it("removes nothing because of a clock that was ahead for a day, and keeps the order", async () => {
      for (const day of [0, 1, 2]) await call(day);
      for (const day of [3, 3.4, 3.9]) await call(day, 1000);
      for (const day of [4, 5, 6]) await call(day);
      assert.deepEqual(await days(), [6, 5, 4, 1003.9, 1003.4, 1003, 2, 1, 0]);
    });

    it("removes nothing because of a clock that was set back for a day", async () => {
      for (const day of [0, 1]) await call(day);
      for (const day of [2, 2.9]) await call(day, -1000);
      for (const day of [3, 6]) await call(day);
      assert.deepEqual(await days(), [6, 3, -997.1, -998, 1, 0]);
    });

    it("removes nothing that was written lately, whatever its own time says", async () => {
      const { id } = await call(0, -1000);
      await utimes(join(folder, `${id}.jsonl`), ended / 1000, ended / 1000);
      for (const day of [1, 4, 7]) await call(day);
      assert.deepEqual(await days(), [7, 4, 1, -1000]);
    });

    it("drops no new invocation where the record is full of invocations from a clock that was ahead", async () => {
      for (const time of [1000, 2000, 3000]) await store.write(pastInvocation(ended + time), {});
      const window = new InvocationStore(folder);
      // Its first invocation may come before it has looked what there is.
      const early = pastInvocation(5, { id: window.newId(5, "0a1b2c3d-4e5f") });
      await window.write(early, {});
      await window.retain({ ...keepAll, maxEntries: 3, newest: early.id });
      assert.ok((await store.list(10)).records.some(({ id }) => id === early.id));
      await window.learnNames();
      const made = pastInvocation(6, { id: window.newId(6, "0a1b2c3d-4e5f") });
      await window.write(made, {});
      await window.retain({ ...keepAll, maxEntries: 3, newest: made.id });
      const { records } = await store.list(10);
      assert.deepEqual(
        records.map(({ startedAt }) => startedAt),
        [6, ended + 3000, ended + 2000],
      );
    });

    it("names two invocations of one millisecond differently, in their order", () => {
      assert.ok(store.newId(1000, "zzzz") < store.newId(1000, "aaaa"));
    });
  });

  it("removes what a crash left half written, but nothing that is being written", async () => {
    await store.write(pastInvocation(1), {});
    const [fresh, old] = ["a", "b"].map((name) =>
      join(folder, `${pastInvocation(2).id}.jsonl.${name}.tmp`),
    );
    for (const path of [fresh, old]) await writeFile(path ?? "", "{");
    await utimes(old ?? "", 1000, 1000);
    await store.retain(keepAll);
    const left = (await readdir(folder)).filter((name) => name.endsWith(".tmp"));
    assert.deepEqual(left, [basename(fresh ?? "")]);
  });

  it("forgets an invocation that is removed, with its pin", async () => {
    await store.write(pastInvocation(1), { inputText: "{}" });
    await store.pin(pastInvocation(1).id, true);
    await store.remove(pastInvocation(1).id);
    assert.deepEqual(await readdir(folder), []);
    assert.deepEqual((await store.list(10)).records, []);
  });

  it("adds texts to a record that is there, and brings none back that was removed", async () => {
    const [there, removed] = [pastInvocation(1), pastInvocation(2)];
    const other = new InvocationStore(folder);
    for (const record of [there, removed]) await store.write(record, {});
    await other.remove(removed.id);
    for (const record of [there, removed]) await store.addTexts(record, { inputText: "{}" });
    assert.deepEqual(await readdir(folder), [`${there.id}.jsonl`]);
    assert.deepEqual(await other.texts(there.id), { inputText: "{}" });
  });

  it("loses nothing when many write at once", async () => {
    const times = Array.from({ length: 100 }, (_, index) => index + 1);
    const stores = [store, new InvocationStore(folder), new InvocationStore(folder)];
    await Promise.all(
      times.map((time, index) =>
        stores[index % 3]?.write(pastInvocation(time), { inputText: "{}" }),
      ),
    );
    assert.equal((await store.list(1000)).records.length, 100);
    assert.ok((await readdir(folder)).every((name) => name.endsWith(".jsonl")));
  });

  it("leaves nothing behind where a record cannot be written", async () => {
    await store.write(pastInvocation(1), { inputText: "{}" });
    await rm(join(folder, `${pastInvocation(1).id}.jsonl`));
    await mkdir(join(folder, `${pastInvocation(1).id}.jsonl`));
    await assert.rejects(store.write(pastInvocation(1), { inputText: "{}" }));
    assert.ok((await readdir(folder)).every((name) => !name.endsWith(".tmp")));
  });
});
