import assert from "node:assert/strict";
import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, it } from "mocha";
import { InvocationHistory } from "../../../../src/engine/record/invocationHistory";
import { InvocationStore } from "../../../../src/engine/record/invocationStore";
import { pastInvocation } from "../../../fixtures/pastInvocation";

const ignored = () => undefined;
const reports = {
  damaged: ignored,
  notWritten: ignored,
  notRetained: ignored,
  notChanged: ignored,
};

describe("The record of invocations", () => {
  let top: string;
  let folder: string;
  let maxEntries: number;
  let history: InvocationHistory;
  beforeEach(async () => {
    top = await mkdtemp(join(tmpdir(), "history-"));
    folder = join(top, "invocations");
    maxEntries = 10;
    history = new InvocationHistory(folder, () => ({ maxEntries, maxDays: 0 }), reports);
  });
  afterEach(async () => {
    history.dispose();
    await rm(top, { recursive: true, force: true });
  });

  const keep = (startedAt: number) =>
    history.keep(pastInvocation(startedAt), { inputText: "{}" }, true);
  const times = async () => (await history.list()).map(({ startedAt }) => startedAt);
  const changed = () => new Promise<void>((resolve) => history.onDidChange(resolve));

  it("is read once for all who ask before it changes", async () => {
    await keep(1);
    const [first, second] = await Promise.all([history.list(), history.list()]);
    assert.equal(first, second);
    assert.equal(await history.list(), first);
  });

  it("has at once what this program keeps, pins and removes", async () => {
    assert.deepEqual(await times(), []);
    await keep(1);
    assert.deepEqual(await times(), [1]);
    const second = pastInvocation(2);
    const kept = history.keep(second, { inputText: "{}" }, true);
    await times();
    await kept;
    assert.deepEqual(await times(), [2, 1]);
    await history.pin(second.id, true);
    assert.equal((await history.list())[0]?.pinned, true);
    await history.remove(second.id);
    assert.deepEqual(await times(), [1]);
  });

  it("has what another program kept, once that is told", async () => {
    await keep(1);
    await times();
    const told = changed();
    await new InvocationStore(folder).write(pastInvocation(3), {});
    await told;
    assert.deepEqual(await times(), [3, 1]);
  });

  it("finds what another program kept before that is told", async () => {
    await keep(1);
    await times();
    const elsewhere = pastInvocation(3);
    await new InvocationStore(folder).write(elsewhere, {});
    assert.equal((await history.find(elsewhere.id))?.startedAt, 3);
  });

  it("is read anew where somebody must know what another program kept, told or not", async () => {
    await keep(1);
    await times();
    await new InvocationStore(folder).write(pastInvocation(3), {});
    assert.equal((await history.listNow())[0]?.startedAt, 3);
  });

  it("has as many as the settings say now", async () => {
    await keep(1);
    await keep(2);
    assert.equal((await times()).length, 2);
    maxEntries = 1;
    assert.deepEqual(await times(), [2]);
  });

  it("removes old ones when it has grown by a hundredth, not after each", async () => {
    maxEntries = 300;
    const store = new InvocationStore(folder);
    for (let at = 1; at <= 310; at += 1) await store.write(pastInvocation(at), {});
    const counts: number[] = [];
    for (let at = 311; at <= 314; at += 1) {
      await keep(at);
      counts.push((await readdir(folder)).length);
    }
    assert.deepEqual(counts, [300, 301, 302, 300]);
  });
});
