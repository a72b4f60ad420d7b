import assert from "node:assert/strict";
import { join } from "node:path";
import type { DatabaseSync } from "node:sqlite";
import { afterEach, beforeEach, describe, it } from "mocha";
import type { InvocationRecord } from "../../../../src/core/invocation/record/invocationRecord";
import { deletableOf, type RecordQuery } from "../../../../src/core/invocation/record/recordQuery";
import type { InvocationPrice } from "../../../../src/core/skill/price";
import { storeName } from "../../../../src/engine/store/operations";
import { thisProgram } from "../../../../src/engine/store/program";
import { atTables } from "../../../fixtures/machineStore";
import { endOf, StoreFolder, scope, startedIn, wantedStart } from "./storeFolder";

const oneDollar = { kind: "amount", cents: 100, currency: "USD" } as const;

describe("the store of a machine", () => {
  let folder: StoreFolder;
  beforeEach(() => {
    folder = new StoreFolder();
  });
  afterEach(() => folder.remove());

  it("records an invocation as running and then with its end, for every program", async () => {
    const [one, other] = [folder.open(), folder.open()];
    const record = await startedIn(one, { texts: { inputText: "{}" } });
    assert.deepEqual(
      (await other.list({})).records.map(({ id, status }) => [id, status]),
      [[record.id, "running"]],
    );
    await one.end(
      endOf(record, undefined, { texts: { inputText: "{}", outputText: '"\ud800\u0000x"' } }),
    );
    const [ended] = (await other.list({})).records;
    assert.equal(ended?.status, "success");
    assert.deepEqual(await other.texts(record.id), {
      inputText: "{}",
      outputText: '"\ud800\u0000x"',
    });
    // The same length of a text and of one that is stored as bytes.
    assert.deepEqual(await other.texts(record.id, 1), { inputText: "{", outputText: '"' });
    assert.deepEqual(await other.texts(record.id, 3), {
      inputText: "{}",
      outputText: '"\ud800\u0000',
    });
  });

  it("starts no more than the two hundred allowed in a minute if sixteen programs want more", async () => {
    const stores = Array.from({ length: 16 }, () => folder.open());
    const answers = await Promise.all(
      stores.flatMap((store) =>
        Array.from({ length: 20 }, () => store.start(wantedStart({ perMinute: 200 }))),
      ),
    );
    assert.equal(answers.filter(({ kind }) => kind === "started").length, 200);
    assert.equal(answers.filter(({ kind }) => kind === "rateLimited").length, 120);
  });

  it("does not count an invocation toward the rate limit if it was not sent", async () => {
    const store = folder.open();
    const onlyOne = { perMinute: 1 };
    await store.undo((await startedIn(store, onlyOne)).id, scope);
    await startedIn(store, onlyOne);
    assert.equal((await store.start(wantedStart(onlyOne))).kind, "rateLimited");
  });

  it("adds no texts to a deleted record", async () => {
    const store = folder.open();
    const { id } = await startedIn(store);
    await store.remove([id]);
    await store.addTexts(id, { inputText: "{}" });
    const count = (database: DatabaseSync) =>
      database.prepare("SELECT count(*) AS count FROM texts").get()?.["count"];
    assert.equal(await atTables(folder.path, count), 0);
  });

  it("lets the next program deliver events once the time of the first one is over", async () => {
    let now = 1_000_000_000_000;
    const at = { now: () => now };
    const far = folder.open({ ...at, self: { ...thisProgram(), place: "another machine" } });
    const here = folder.open(at);
    const signal = { signal: "traces", exported: ["traces", "logs"] } as const;
    const wanted = { ...signal, until: now + 1_000, most: 1, ids: [], areExcluded: true };
    assert.ok(await far.takeEvents({ ...wanted, holder: "far" }));
    assert.equal(await here.takeEvents({ ...wanted, holder: "here" }), undefined);
    now += 1_001;
    assert.ok(await here.takeEvents({ ...wanted, holder: "here" }));
  });

  it("starts equal invocations one at a time", async () => {
    const [one, other] = [folder.open(), folder.open()];
    const claim = { key: "same", isDuplicateAllowed: false };
    const record = await startedIn(one, { claim });
    assert.equal((await other.start(wantedStart({ claim }))).kind, "inProgress");
    const twice = await startedIn(other, { claim: { ...claim, isDuplicateAllowed: true } });
    await other.end(endOf(twice));
    assert.equal((await other.start(wantedStart({ claim }))).kind, "inProgress");
    await one.end(endOf(record));
    await startedIn(other, { claim });
  });

  it("keeps a claim until a double click is over", async () => {
    let now = 1_000_000_000_000;
    const store = folder.open({ now: () => now });
    const claim = { key: "same", isDuplicateAllowed: false };
    const record = await startedIn(store, { claim });
    await store.end(endOf(record, undefined, { awaitsSecondClick: true }));
    now += 500;
    assert.equal((await store.start(wantedStart({ claim }))).kind, "inProgress");
    now += 200;
    await startedIn(store, { claim });
  });

  it("counts the expected price before sending, and the actual one at the end", async () => {
    const store = folder.open();
    const record = await startedIn(store);
    assert.deepEqual(cents(await store.spent()), [[1, true]]);
    await store.end(endOf(record, { status: "success", amountCents: 5, currency: "usd" }));
    assert.deepEqual(cents(await store.spent()), [[5, false]]);
    const unknown = await startedIn(store);
    await store.end(endOf(unknown, { status: "outcome unknown" }));
    assert.deepEqual(cents(await store.spent()), [
      [5, false],
      [5, true],
    ]);
    await store.end(endOf(unknown, { status: "success", amountCents: 2, currency: "USD" }));
    assert.deepEqual(cents(await store.spent()), [[7, false]]);
    await store.undo((await startedIn(store)).id, scope);
    assert.deepEqual(cents(await store.spent()), [[7, false]]);
    assert.equal((await store.list({})).records.length, 2);
  });

  it("counts spending even if its records were deleted, ended or running", async () => {
    const store = folder.open();
    const price = { kind: "amount", cents: 40, currency: "USD" } as const;
    const call = { registry: scope.registry, skillSlug: scope.skillSlug, price };
    const limited = { price: call, dailyLimitCents: 100 };
    const ended = await startedIn(store, limited);
    await store.end(endOf(ended, { status: "success", amountCents: 40, currency: "USD" }));
    const running = await startedIn(store, limited);
    await store.remove([ended.id, running.id]);
    assert.deepEqual((await store.list({})).records, []);
    assert.equal((await store.start(wantedStart(limited))).kind, "overLimit");
    while (await store.retain({ maxEntries: 0, maxDays: 0 }));
    assert.equal((await store.start(wantedStart(limited))).kind, "overLimit");
  });

  it("counts what was spent before the clock was set back across midnight, but nothing of next year", async () => {
    let now = new Date(2026, 10, 27, 1).getTime();
    const store = folder.open({ now: () => now });
    const limited = { price: { ...scope, price: oneDollar }, dailyLimitCents: 150 };
    const nextYear = folder.open({ now: () => new Date(2027, 10, 27).getTime() });
    const billed = { status: "success", amountCents: 100, currency: "USD" } as const;
    await nextYear.end(endOf(await startedIn(nextYear, limited), billed));
    await store.end(endOf(await startedIn(store, limited), billed));
    for (const hours of [3, 26]) {
      now = new Date(2026, 10, 27, 1 - hours).getTime();
      assert.equal((await store.start(wantedStart(limited))).kind, "overLimit");
      assert.equal((await store.spent()).spending.length, 1);
    }
    now = new Date(2026, 10, 28).getTime();
    await startedIn(store, limited);
  });

  it("starts nothing that may be billed while the daily limit is unknown, and a free invocation at once", async () => {
    const store = folder.open();
    const unknown = { dailyLimitCents: "unknown" } as const;
    const of = (price: InvocationPrice) => wantedStart({ ...unknown, price: { ...scope, price } });
    assert.equal((await store.start(of({ kind: "unknown" }))).kind, "uncounted");
    assert.equal((await store.start(of({ kind: "free" }))).kind, "started");
    const allowed = { ...of({ kind: "unknown" }), isUncountedAllowed: true };
    assert.equal((await store.start(allowed)).kind, "started");
  });

  it("stops one of two programs at the daily limit", async () => {
    const limited = {
      dailyLimitCents: 150,
      price: { ...scope, price: { kind: "amount" as const, cents: 100, currency: "USD" } },
    };
    const answers = await Promise.all(
      [folder.open(), folder.open()].map((store) => store.start(wantedStart(limited))),
    );
    assert.deepEqual(answers.map(({ kind }) => kind).sort(), ["overLimit", "started"]);
  });

  it("retains batches separately, and never removes invocations that run, are unknown, or stop an agent's repeat", async () => {
    const store = folder.open();
    const ended = async (facts: Partial<InvocationRecord>) => {
      const record = await startedIn(store);
      await store.end(endOf(record, { status: "success", ran: "yes", ...facts }));
      return record.id;
    };
    const unknown = await ended({ status: "outcome unknown", ran: "unknown" });
    const running = (await startedIn(store)).id;
    const pinned = await ended({});
    await store.pin([pinned], true);
    const { facts } = wantedStart();
    const ofSeries: string[] = [];
    for (let line = 0; line < 5; line += 1) {
      const record = await startedIn(store, { facts: { ...facts, batch: "0a1b2c3d" } });
      await store.end(endOf(record));
      ofSeries.push(record.id);
    }
    const single = [await ended({})];
    const agents = await ended({ caller: { kind: "mcp" } });
    for (let index = 0; index < 3; index += 1) single.push(await ended({}));
    while (await store.retain({ maxEntries: 2, maxDays: 0 }));
    const left = (await store.list({})).records.map(({ id }) => id);
    assert.deepEqual(left, [
      ...single.slice(2).reverse(),
      agents,
      ...ofSeries.reverse(),
      ...[pinned, running, unknown],
    ]);
    const { single: own, ofBatches: lines } = await store.extent();
    assert.deepEqual([own.count, lines.count], [6, 5]);
  });

  it("removes records that are older than the allowed days", async () => {
    let now = Date.parse("2026-11-01T12:00:00Z");
    const store = folder.open({ now: () => now });
    await store.end(endOf(await startedIn(store)));
    const count = async (days: number) => {
      now += days * 86_400_000;
      while (await store.retain({ maxEntries: 100, maxDays: 10 }));
      return (await store.list({})).records.length;
    };
    assert.deepEqual([await count(9), await count(2)], [1, 0]);
  });

  it("finds exactly the requested records", async () => {
    const store = folder.open();
    const records: InvocationRecord[] = [];
    for (const skillSlug of ["a", "b", "a", "c"]) {
      const { facts } = wantedStart();
      records.push(
        await startedIn(store, {
          facts: {
            ...facts,
            skillSlug,
            ...(skillSlug === "c" && { invocationId: "63615c78-5f16" }),
          },
        }),
      );
    }
    const [first, second, third, fourth] = records.map(({ id }) => id);
    const ids = async (query: Parameters<typeof store.list>[0]) =>
      (await store.list(query)).records.map(({ id }) => id);
    assert.deepEqual(await ids({}), [fourth, third, second, first]);
    assert.deepEqual(await ids({ skills: ["a"] }), [third, first]);
    assert.deepEqual(await ids({ skills: ["a"], registry: "other" }), []);
    assert.deepEqual(await ids({ ids: [second ?? "", fourth ?? ""] }), [fourth, second]);
    assert.deepEqual(await ids({ without: [second ?? ""], skills: ["a", "b"] }), [third, first]);
    assert.deepEqual(await ids({ kinds: ["testRun"] }), []);
    assert.deepEqual(await ids({ isPinned: true }), []);
    assert.deepEqual(await ids({ text: "B@1.0" }), [second]);
    assert.deepEqual(await ids({ limit: 1 }), [fourth]);
    assert.deepEqual(await ids({ before: third ?? "", limit: 1 }), [second]);
    assert.deepEqual(await ids({ idStart: "63615c" }), [fourth]);
    assert.deepEqual(await ids({ idStart: first ?? "" }), [first]);
    assert.deepEqual(await ids({ statuses: ["running"], callers: ["person"] }), [
      fourth,
      third,
      second,
      first,
    ]);
    assert.deepEqual(await ids({ callers: ["mcp"] }), []);
  });

  it("names the listed records, and among deletable ones those whose latest end has passed", async () => {
    let now = 1_700_000_000_000;
    const store = folder.open({ now: () => now });
    const abandoned = await startedIn(store);
    now += 61_000;
    const running = await startedIn(store);
    const ended = await startedIn(store, { texts: { inputText: '"Full Moon"' } });
    await store.end(endOf(ended));
    const names = async (query: RecordQuery) =>
      (await store.names(query)).names.map(({ id }) => id);
    assert.deepEqual(await names({}), [ended.id, running.id, abandoned.id]);
    assert.deepEqual(await names(deletableOf({})), [ended.id, abandoned.id]);
    assert.deepEqual(await names({ text: "MOON" }), [ended.id]);
    const [first, next] = [await store.names({ limit: 2 }), running.id];
    assert.equal(first.next, next);
    assert.deepEqual((await store.names({ limit: 2, before: next })).names, [
      { id: abandoned.id, startedAt: abandoned.startedAt },
    ]);
  });
});

describe("a store that waits for its disk", () => {
  const { DatabaseSync } = process.getBuiltinModule("node:sqlite");
  const { exec } = DatabaseSync.prototype;
  let folder: StoreFolder;
  beforeEach(() => {
    folder = new StoreFolder();
  });
  afterEach(async () => {
    DatabaseSync.prototype.exec = exec;
    await folder.remove();
  });

  it("answers after the disk has a start or a person's decision, and does not wait for the disk otherwise", async () => {
    // No time passes, so that every transaction answers all questions that wait for it.
    const store = folder.open({ monotonicNow: () => 0 });
    await store.changes();
    const modes: string[] = [];
    DatabaseSync.prototype.exec = function (sql) {
      const [, mode] = /^PRAGMA synchronous = (\w+)$/.exec(sql) ?? [];
      if (mode !== undefined) modes.push(mode);
      return exec.call(this, sql);
    };
    const record = await startedIn(store);
    await store.end(endOf(record));
    await store.list({});
    await store.pin([record.id], true);
    await store.keepValue("agents", "{}");
    // A question that is asked beside another one shares its wait for the disk.
    await Promise.all([store.list({}), startedIn(store)]);
    assert.deepEqual(modes, ["FULL", "NORMAL", "NORMAL", "FULL", "FULL", "FULL"]);
  });

  it("does not keep a program waiting: after 20 ms of answers, the next transaction answers the rest", async () => {
    let now = 0;
    const store = folder.open({ monotonicNow: () => (now += 10) });
    await store.changes();
    let transactions = 0;
    DatabaseSync.prototype.exec = function (sql) {
      if (sql.startsWith("BEGIN")) transactions += 1;
      return exec.call(this, sql);
    };
    // Each reading of the clock takes 10 ms: one before the first answer, and one after each.
    const names = ["a", "b", "c", "d", "e", "f", "g"];
    await Promise.all(names.map((name) => store.value(name)));
    assert.equal(transactions, 3);
  });

  /** Locks the file as another program does while it writes. */
  const lockedByOther = () => {
    const other = new DatabaseSync(join(folder.path, storeName));
    other.exec("BEGIN IMMEDIATE");
    return other;
  };

  it("rejects a question if the file stays locked for ten seconds", async () => {
    // When the question is asked, and after each of three attempts.
    const times = [5, 6, 10_004, 10_005];
    let isOpen = false;
    const store = folder.open({ monotonicNow: () => (isOpen ? (times.shift() ?? 0) : 0) });
    await store.changes();
    isOpen = true;
    const other = lockedByOther();
    try {
      await assert.rejects(store.keepValue("name", "text"), { kind: "busy" });
      assert.deepEqual(times, []);
    } finally {
      other.close();
    }
    assert.equal(await store.value("name"), undefined);
  });

  it("answers a question that is almost ten seconds old once another program unlocks the file", async () => {
    const times = [5, 10_004];
    let other: DatabaseSync | undefined;
    const store = folder.open({
      monotonicNow: () => {
        if (other === undefined) return 0;
        if (times.length === 1) other.close();
        return times.shift() ?? 10_006;
      },
    });
    await store.changes();
    other = lockedByOther();
    assert.equal(await store.keepValue("name", "text"), true);
    assert.deepEqual(times, []);
  });
});

function cents({
  spending,
}: {
  readonly spending: readonly { readonly cents: number; readonly isExpected?: true }[];
}) {
  return spending.map((cost) => [cost.cents, cost.isExpected === true]);
}
