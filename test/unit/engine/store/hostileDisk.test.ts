import assert from "node:assert/strict";
import { afterEach, beforeEach, describe, it } from "mocha";
import { isNetworkFolder } from "../../../../src/engine/store/openDatabase";
import { StoreProblem } from "../../../../src/engine/store/storeProblem";
import { mountSmallDisk, type SmallDisk } from "../../../fixtures/smallDisk";
import { endOf, StoreFolder, startedIn, wantedStart } from "./storeFolder";

describe("the store on a disk that is", () => {
  let folder: StoreFolder;
  let disk: SmallDisk | undefined;
  beforeEach(function () {
    folder = new StoreFolder();
    disk = undefined;
    disk = mountSmallDisk(this, folder.path, "1m");
  });
  afterEach(async () => {
    await folder.close();
    disk?.unmount();
    await folder.remove();
  });

  it("full starts nothing, shows the record, and continues when there is room", async () => {
    const store = folder.open();
    const record = await startedIn(store);
    await disk?.fill();
    const outputText = "x".repeat(500_000);
    await assert.rejects(
      store.end(endOf(record, undefined, { texts: { outputText } })),
      isUnusable,
    );
    for (let tries = 0; tries < 300; tries += 1) {
      if ((await store.start(wantedStart()).catch(() => undefined)) === undefined) break;
    }
    await assert.rejects(store.start(wantedStart()), isUnusable);
    const shown = (await folder.open().list({ limit: 1_000 })).records;
    assert.equal(shown.at(-1)?.id, record.id);
    assert.deepEqual(folder.setAside, []);
    await disk?.empty();
    await store.end(endOf(record));
    assert.equal((await store.list({})).records.at(-1)?.status, "success");
    await startedIn(store);
  });

  it("full answers small questions that were asked together with one that does not fit", async () => {
    const store = folder.open();
    const texts = { inputText: "x".repeat(2_000_000) };
    const answers = await Promise.allSettled([
      store.start(wantedStart()),
      store.start(wantedStart({ texts })),
      store.start(wantedStart()),
    ]);
    assert.deepEqual(
      answers.map(({ status }) => status),
      ["fulfilled", "rejected", "fulfilled"],
    );
    assert.equal((await store.list({})).records.length, 2);
  });

  it("full from the start says so", async () => {
    await disk?.fill();
    await assert.rejects(folder.open().start(wantedStart()), isUnusable);
    assert.deepEqual(folder.setAside, []);
  });

  it("read-only starts nothing, and shows the record", async () => {
    const program = new StoreFolder(folder.path);
    const record = await startedIn(program.open());
    await program.close();
    disk?.makeReadOnly();
    const store = folder.open();
    assert.deepEqual(
      (await store.list({})).records.map(({ id }) => id),
      [record.id],
    );
    await assert.rejects(store.start(wantedStart()), isUnusable);
    assert.deepEqual(folder.setAside, []);
  });
});

describe("the store in a folder", () => {
  it("of a network file system works without shared memory", () => {
    assert.equal(isNetworkFolder("\\\\server\\home", "win32"), true);
    assert.equal(isNetworkFolder("C:\\Users", "win32"), false);
    assert.equal(isNetworkFolder("/", "darwin"), false);
  });
});

function isUnusable(error: unknown): boolean {
  return error instanceof StoreProblem && error.kind === "unusable";
}
