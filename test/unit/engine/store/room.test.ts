import assert from "node:assert/strict";
import { afterEach, beforeEach, describe, it } from "mocha";
import type { InvocationPrice } from "../../../../src/core/skill/price";
import { thisProgram } from "../../../../src/engine/store/program";
import type { ConcurrencyLimits, StartRequest, Store } from "../../../../src/engine/store/store";
import { endOf, StoreFolder, scope, startedIn, wantedStart } from "./storeFolder";

const amount = { kind: "amount", cents: 25, currency: "USD" } as const;
const priced = (price: InvocationPrice = amount) => ({ ...scope, price });
const nothingKnown: ConcurrencyLimits = {
  project: undefined,
  budget: undefined,
  runsAlone: false,
  isChosen: false,
};
const billed = { status: "success", ran: "yes", amountCents: 25, currency: "USD" } as const;
const lost = { status: "outcome unknown", ran: "unknown" } as const;

describe("the room for parallel invocations, decided by the store", () => {
  let folder: StoreFolder;
  let now: number;
  const clock = () => now;
  beforeEach(() => {
    folder = new StoreFolder();
    now = Date.parse("2026-11-20T12:00:00Z");
  });
  afterEach(() => folder.remove());

  const start = async (
    store: Store,
    room: Partial<ConcurrencyLimits>,
    parts: Partial<StartRequest> = {},
  ) =>
    (
      await store.start(
        wantedStart({ price: priced(), concurrency: { ...nothingKnown, ...room }, ...parts }),
      )
    ).kind;
  const begin = (store: Store, parts: Partial<StartRequest> = {}) =>
    startedIn(store, { price: priced(), ...parts });
  const left = async (store: Store, leftCents: number, currency = "USD") => ({
    budget: { left: { cents: leftCents, currency }, asOf: await store.billedSoFar(scope) },
  });

  it("counts a person's invocations, which themselves never wait", async () => {
    const store = folder.open();
    const one = await begin(store);
    await begin(store);
    assert.equal(await start(store, {}), "full");
    assert.equal(await start(store, await left(store, 75)), "started");
    assert.equal(await start(store, await left(store, 99)), "full");
    await store.end(endOf(one, billed));
    assert.equal(await start(store, await left(store, 75)), "started");
  });

  it("is free again after an invocation is not sent", async () => {
    const store = folder.open();
    const one = await begin(store);
    assert.equal(await start(store, {}), "full");
    await store.undo(one.id, scope);
    assert.equal(await start(store, {}), "started");
  });

  it("leaves no claim and uses no rate limit if it is refused", async () => {
    const store = folder.open();
    const one = await begin(store);
    const wanted = { perMinute: 2, claim: { key: "same", isDuplicateAllowed: false } };
    for (let times = 0; times < 3; times += 1) {
      assert.equal(await start(store, {}, wanted), "full");
    }
    await store.end(endOf(one, billed));
    assert.equal(await start(store, {}, wanted), "started");
  });

  it("subtracts what was billed since the budget was read", async () => {
    const store = folder.open({ now: clock });
    const early = await left(store, 75);
    await store.end(endOf(await begin(store), billed));
    await begin(store);
    // Of 75 cents, 25 are spent and 25 are reserved.
    assert.equal(await start(store, early), "started");
    assert.equal(await start(store, early), "full");
    assert.equal(await start(store, await left(store, 75)), "started");
  });

  it("does not know what is left of a budget in another currency than an amount", async () => {
    const store = folder.open({ now: clock });
    const early = await left(store, 1000);
    await begin(store);
    assert.equal(await start(store, await left(store, 1000, "JPY")), "full");
    const yen = { ...billed, currency: "JPY" };
    await store.end(endOf(await begin(store), yen));
    assert.equal(await start(store, early), "full");
    assert.equal(await start(store, await left(store, 1000)), "started");
  });

  it("subtracts invocations that started yesterday and were billed since", async () => {
    now = new Date(2026, 10, 20, 23, 59, 50).getTime();
    const store = folder.open({ now: clock });
    const before = await begin(store);
    now += 20_000;
    const early = await left(store, 50);
    await store.end(endOf(before, billed));
    await begin(store);
    assert.equal(await start(store, early), "full");
  });

  it("subtracts possible bills of unknown outcomes, until a reading must include them", async () => {
    const store = folder.open({ now: clock });
    const early = await left(store, 50);
    await store.end(endOf(await begin(store), lost));
    await begin(store);
    assert.equal(await start(store, early), "full");
    now += 61_000;
    await begin(store);
    assert.equal(await start(store, await left(store, 50)), "started");
  });

  it("subtracts the possible bill of a dead program without counting it as running", async () => {
    const dead = { ...thisProgram(), since: 1 };
    await begin(folder.open({ self: dead, now: clock }));
    const store = folder.open({ now: clock });
    assert.equal(await start(store, await left(store, 50)), "started");
    assert.equal(await start(store, await left(store, 50)), "full");
    assert.equal(await start(store, await left(store, 75)), "started");
  });

  it("ignores a budget from before the clock was set back", async () => {
    const store = folder.open({ now: clock });
    const read = await left(store, 1000);
    now -= 3_600_000;
    await begin(store);
    assert.equal(await start(store, read), "full");
  });

  const other = { ...scope, project: "other" };
  const senders: readonly (readonly [string, string | undefined, string | undefined, string])[] = [
    ["another key of the same project counts", "a", "a", "full"],
    ["another key of an unknown project counts", undefined, "a", "full"],
    ["another key counts if this key's project is unknown", "a", undefined, "full"],
    ["a key of another project does not count", "a", "b", "started"],
  ];
  for (const [title, theirs, own, answer] of senders) {
    it(`is shared so: ${title}`, async () => {
      const store = folder.open();
      await begin(store, { scope: other, concurrency: { ...nothingKnown, project: theirs } });
      assert.equal(await start(store, { project: own }), answer);
    });
  }

  it("counts invocations with the same key, whatever their project", async () => {
    const store = folder.open();
    await begin(store, { concurrency: { ...nothingKnown, project: "a" } });
    assert.equal(await start(store, { project: "b" }), "full");
  });

  it("counts neither test runs nor other skills", async () => {
    const store = folder.open();
    await begin(store, { price: undefined });
    const facts = { ...wantedStart().facts, skillSlug: "other" };
    await begin(store, { facts, scope: { ...scope, skillSlug: "other" } });
    assert.equal(await start(store, { runsAlone: true }), "started");
    assert.equal(await start(store, { runsAlone: true }), "full");
  });

  it("is unlimited for free invocations, until one was billed", async () => {
    const store = folder.open();
    const free = { price: priced({ kind: "free" }) };
    const one = await begin(store, free);
    assert.equal(await start(store, {}, free), "started");
    await store.end(endOf(one, billed));
    assert.equal(await start(store, {}, free), "full");
  });
});
