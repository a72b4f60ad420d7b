import assert from "node:assert/strict";
import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { after, afterEach, before, beforeEach, describe, it } from "mocha";
import { english, localize } from "../../../../../src/core/text/language";
import type { StoreNotice } from "../../../../../src/engine/store/openDatabase";
import { type OpenedStore, storeName } from "../../../../../src/engine/store/operations";
import { StoreProblem } from "../../../../../src/engine/store/storeProblem";
import { openStoreThread } from "../../../../../src/engine/store/thread/openStoreThread";
import { threadBundle } from "../../../../fixtures/threadBundle";
import { endOf, StoreFolder, startedIn, wantedStart } from "../storeFolder";

describe("the store in a thread of its own", () => {
  let workerPath: string;
  let folder: StoreFolder;
  const opened: OpenedStore[] = [];
  const reported: string[] = [];
  before(async () => {
    workerPath = await threadBundle("src/engine/store/thread/storeWorker.ts");
  });
  beforeEach(() => {
    folder = new StoreFolder();
  });
  afterEach(async () => {
    await Promise.all(opened.splice(0).map(({ close }) => close()));
    reported.length = 0;
    await folder.remove();
  });
  after(() => rmSync(join(workerPath), { force: true }));

  const open = (path = workerPath) => {
    const report = ({ text }: StoreNotice) => reported.push(localize(text, english));
    const one = openStoreThread(folder.path, report, path);
    opened.push(one);
    return one;
  };

  it("answers like the store in the program itself", async () => {
    const { store } = open();
    const price = { kind: "amount", cents: 1, currency: "USD" } as const;
    const call = { registry: "r", skillSlug: "s", price };
    const record = await startedIn(store, { price: call, texts: { inputText: "{}" } });
    await store.end(endOf(record, undefined, { texts: { outputText: '"\ud800\u0000x"' } }));
    const here = folder.open();
    assert.deepEqual(await store.list({}), await here.list({}));
    assert.deepEqual(await store.texts(record.id), { outputText: '"\ud800\u0000x"' });
    assert.deepEqual(await store.spent(call), await here.spent(call));
    assert.equal(await store.value("nothing"), undefined);
  });

  it("counts as alive for other programs, and owns its claims", async () => {
    const claim = { key: "same", isDuplicateAllowed: false };
    await startedIn(open().store, { claim });
    for (const { store } of [open(), { store: folder.open() }]) {
      assert.equal((await store.start(wantedStart({ claim }))).kind, "inProgress");
    }
  });

  it("reports the kind of a problem", async () => {
    const { store } = open();
    await store.changes();
    const database = new DatabaseSync(join(folder.path, storeName));
    database.exec("PRAGMA user_version = 99");
    database.close();
    await assert.rejects(open().store.changes(), (error) => {
      return error instanceof StoreProblem && error.kind === "newer";
    });
  });

  it("reports a renamed file", async () => {
    writeFileSync(join(folder.path, storeName), "no store");
    assert.equal((await open().store.spent()).isWhole, false);
    assert.match(String(reported), /set aside as store\.db\.damaged-/);
  });

  it("answers all open questions before it closes", async () => {
    const { store, close } = open();
    const asked = [store.keepValue("a", "1"), store.value("a")];
    await close();
    assert.deepEqual(await Promise.all(asked), [true, "1"]);
  });

  it("rejects open questions if the thread crashes, and restarts with the next question", async () => {
    const broken = join(folder.path, "broken.js");
    writeFileSync(
      broken,
      "require('node:worker_threads').parentPort.on('message', () => { throw 1; })",
    );
    const { store } = open(broken);
    const isUnusable = (error: unknown) =>
      error instanceof StoreProblem && error.kind === "unusable";
    await assert.rejects(store.value("a"), isUnusable);
    await assert.rejects(store.value("a"), isUnusable);
    writeFileSync(broken, `require(${JSON.stringify(workerPath)})`);
    assert.equal(await store.value("a"), undefined);
  });
});
