import assert from "node:assert/strict";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { mock } from "node:test";
import { afterEach, beforeEach, describe, it } from "mocha";
import type { InvocationRecord } from "../../../../src/core/invocation/record/invocationRecord";
import { InvocationHistory } from "../../../../src/engine/record/invocationHistory";
import type { OpenedStore } from "../../../../src/engine/store/operations";
import type { Store } from "../../../../src/engine/store/store";
import { RecordUnreadable, StoreProblem } from "../../../../src/engine/store/storeProblem";
import { atStore, keepRecords, openTestStore } from "../../../fixtures/machineStore";
import { pastInvocation } from "../../../fixtures/pastInvocation";

const full = () => Promise.reject(new StoreProblem("unusable", "The disk is full."));

describe("The record of invocations", () => {
  let folder: string;
  let maxEntries: number;
  let opened: OpenedStore;
  let history: InvocationHistory;
  const failures: boolean[] = [];
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), "history-"));
    maxEntries = 10;
    opened = openTestStore(folder);
    history = historyOver(opened.store);
    failures.length = 0;
  });
  afterEach(async () => {
    history.dispose();
    await opened.close();
    await rm(folder, { recursive: true, force: true });
  });

  const historyOver = (store: Store) =>
    new InvocationHistory(store, () => ({ maxEntries, maxDays: 0 }), {
      notWritten: (_error, isFirst) => failures.push(isFirst),
      notRead: () => assert.fail("It can be read."),
      notRetained: () => assert.fail("Old ones can be removed."),
      notChanged: () => assert.fail("It can be changed."),
    });
  const endedOf = (record: InvocationRecord) => ({
    ...{ record, texts: { inputText: "{}" }, awaitsSecondClick: false },
    scope: { registry: record.registry, project: "p", skillSlug: record.skillSlug },
    outcome: { kind: "notSent", failure: { kind: "cancelled" } } as const,
  });
  const end = (startedAt: number) => history.end(endedOf(pastInvocation(startedAt)), true);
  const times = async () => (await history.list()).map(({ startedAt }) => startedAt);
  const changed = () => new Promise<void>((resolve) => history.onDidChange(resolve));
  const keepElsewhere = (startedAt: number) =>
    atStore(folder, (store) => keepRecords(store, [pastInvocation(startedAt)]));

  it("immediately shows what this program stores, pins and deletes", async () => {
    assert.deepEqual(await times(), []);
    await end(1);
    assert.deepEqual(await times(), [1]);
    await end(2);
    const { id } = pastInvocation(2);
    assert.deepEqual(await times(), [2, 1]);
    await history.pin([id], true);
    assert.equal((await history.list())[0]?.pinned, true);
    await history.remove([id]);
    assert.deepEqual(await times(), [1]);
  });

  it("immediately shows and reports what another program stored", async () => {
    await end(1);
    await times();
    // A change by this program fires the event as well.
    await changed();
    const told = changed();
    await keepElsewhere(3);
    assert.deepEqual(await times(), [3, 1]);
    assert.equal((await history.find(pastInvocation(3).id))?.startedAt, 3);
    await told;
  });

  it("is empty if nothing is stored", async () => {
    await end(1);
    maxEntries = 0;
    assert.deepEqual(await times(), []);
  });

  it("keeps and lists records that the store rejects, and writes them once it accepts", async () => {
    let isFull = true;
    const { store } = opened;
    const endIn: Store["end"] = (ended) => (isFull ? full() : store.end(ended));
    history.dispose();
    history = historyOver({ ...store, end: endIn });
    await end(1);
    await end(2);
    assert.deepEqual(failures, [true, false]);
    assert.deepEqual(await times(), [2, 1]);
    assert.equal((await history.list({ limit: 1 })).length, 1);
    assert.deepEqual((await store.list({})).records, []);
    isFull = false;
    await end(3);
    // The others are written after it.
    while ((await store.list({})).records.length < 3) await new Promise(setImmediate);
    assert.deepEqual(await times(), [3, 2, 1]);
    assert.deepEqual(await history.texts(pastInvocation(1).id), { inputText: "{}" });
  });

  it("reports an invocation that cannot be recorded, and lists it anyway", async () => {
    history.dispose();
    history = historyOver({ ...opened.store, start: full });
    const { id: _, startedAt: __, endsBefore: ___, ...facts } = pastInvocation(1);
    const scope = { registry: facts.registry, project: "p", skillSlug: facts.skillSlug };
    const wanted = {
      ...{ facts: { ...facts, status: "running", ran: "unknown" } as const, scope },
      ...{
        maxDurationMs: 1_000,
        texts: { inputText: "{}" },
        perMinute: undefined,
        price: undefined,
      },
      ...{
        claim: { key: "k", isDuplicateAllowed: false },
        concurrency: undefined,
        dailyLimitCents: 0,
        agent: undefined,
      },
      isUncountedAllowed: false,
    };
    const answer = await history.start(wanted, true);
    assert.ok(answer.kind === "unavailable");
    const record = history.startUncounted(wanted, answer.problem);
    assert.deepEqual(
      (await history.list()).map(({ id }) => id),
      [record.id],
    );
    await history.end(endedOf({ ...record, status: "success", ran: "yes" }), true);
    assert.deepEqual(
      (await history.list()).map(({ status }) => status),
      ["success"],
    );
  });

  describe("that cannot be read", () => {
    const unread: unknown[] = [];
    beforeEach(() => {
      unread.length = 0;
      history.dispose();
      const { store } = opened;
      history = new InvocationHistory(
        { ...store, end: full, list: full, names: full, sums: full },
        () => ({ maxEntries, maxDays: 0 }),
        {
          notRead: (error) => unread.push(error),
          ...{ notWritten: () => undefined, notRetained: () => undefined },
          notChanged: () => assert.fail("Nothing is changed."),
        },
      );
    });

    for (const [question, ask] of [
      ["list", () => history.list()],
      ["names", () => history.names({})],
      ["sums", () => history.sums({})],
      ["find", () => history.find("unknown")],
    ] as const) {
      it(`never looks like an empty one: ${question} rejects, and the reason is logged`, async () => {
        await assert.rejects(ask, RecordUnreadable);
        assert.deepEqual(unread.map(String), ["StoreProblem: The disk is full."]);
      });
    }

    it("still returns the invocations that this program could not write", async () => {
      await end(1);
      const { id } = pastInvocation(1);
      assert.equal((await history.find(id))?.id, id);
      const read: string[] = [];
      const readAll = async () => {
        for await (const page of history.pages({})) read.push(...page.map((one) => one.id));
      };
      await assert.rejects(readAll, RecordUnreadable);
      assert.deepEqual(read, [id]);
    });
  });

  it("removes old invocations after growing by a hundredth, and after settings change", async () => {
    maxEntries = 300;
    const { store } = opened;
    await keepRecords(
      store,
      Array.from({ length: 310 }, (_, at) => pastInvocation(at + 1)),
    );
    const counts: number[] = [];
    for (let at = 311; at <= 314; at += 1) {
      await end(at);
      await history.retained();
      counts.push((await store.extent()).single.count);
    }
    maxEntries = 5;
    await end(315);
    await history.retained();
    counts.push((await store.extent()).single.count);
    assert.deepEqual(counts, [300, 301, 302, 300, 5]);
  });

  it("removes old invocations for 200 ms after each invocation, until none are left", async () => {
    let [time, calls] = [0, 0];
    mock.method(performance, "now", () => time);
    const retain = async () => {
      time += 50;
      calls += 1;
      return calls < 7;
    };
    const other = historyOver({ ...opened.store, retain });
    const counts: number[] = [];
    for (let at = 1; at <= 3; at += 1) {
      await other.end(endedOf(pastInvocation(at)), true);
      await other.retained();
      counts.push(calls);
    }
    mock.restoreAll();
    other.dispose();
    assert.deepEqual(counts, [4, 7, 8]);
  });
});
