import assert from "node:assert/strict";
import { execFileSync, spawnSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, it } from "mocha";
import { storeName } from "../../../../src/engine/store/operations";
import { StoreProblem } from "../../../../src/engine/store/storeProblem";
import { mountSmallDisk, type SmallDisk } from "../../../fixtures/smallDisk";
import { skipBecause } from "../../../fixtures/tools";
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

  it("full answers small questions asked at the same time as one that does not fit", async () => {
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

  it("full from the start shows the record, starts nothing, and continues when there is room", async () => {
    const full = {
      message: `The disk of ${folder.path} is full. Free some space, or name another folder in SKILL_REGISTRY_HOME.`,
    };
    await disk?.fill();
    await assert.rejects(folder.open().list({}), full);
    await disk?.empty();
    const program = new StoreFolder(folder.path);
    const { id } = await startedIn(program.open());
    await program.close();
    await disk?.fill();
    const store = folder.open();
    const ids = async () => (await store.list({})).records.map((record) => record.id);
    assert.deepEqual(await ids(), [id]);
    await assert.rejects(store.start(wantedStart()), full);
    assert.deepEqual(await ids(), [id]);
    await disk?.empty();
    // Another program writes meanwhile.
    const other = await startedIn(folder.open());
    assert.deepEqual(await ids(), [other.id, id]);
    await startedIn(store);
    assert.deepEqual(folder.setAside, []);
  });

  it("read-only from the start is reported", async () => {
    disk?.makeReadOnly();
    await assert.rejects(folder.open().list({}), refusal("the disk is read-only (EROFS)"));
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
    await assert.rejects(store.start(wantedStart()), refusal("the disk is read-only (EROFS)"));
    assert.deepEqual(folder.setAside, []);
  });

  const refusal = (reason: string) => refusalAt(folder.path, reason);
});

describe("the store in a folder", () => {
  let folder: StoreFolder;
  beforeEach(() => {
    folder = new StoreFolder();
  });
  afterEach(() => folder.remove());

  it("whose files the user may not write is reported, and shows the record", async function () {
    const program = new StoreFolder(folder.path);
    const { id } = await startedIn(program.open());
    await program.close();
    const made = [folder.path, join(folder.path, storeName)];
    try {
      execFileSync("chattr", ["+i", ...made], { stdio: "ignore" });
    } catch {
      console.log("      skipped: it takes root, and a file system of Linux that can");
      this.skip();
    }
    try {
      const store = folder.open();
      assert.equal((await store.list({})).records[0]?.id, id);
      const denied = refusalAt(folder.path, "permission denied (EPERM)");
      await assert.rejects(store.start(wantedStart()), denied);
    } finally {
      execFileSync("chattr", ["-i", ...made]);
    }
  });

  it("that is a file is reported", async () => {
    const path = join(folder.path, "file");
    writeFileSync(path, "");
    await assert.rejects(
      new StoreFolder(path).open().list({}),
      refusalAt(path, "part of its path is not a folder (ENOTDIR)"),
    );
  });

  it("in which a pipe has the name of its file is reported", async function () {
    if (spawnSync("mkfifo", [join(folder.path, storeName)]).status !== 0)
      skipBecause(this, "without mkfifo");
    const refusal = refusalAt(folder.path, "it is not a file (EINVAL)");
    await assert.rejects(folder.open().list({}), refusal);
  });

  it("in which a folder has the name of its file is reported", async () => {
    mkdirSync(join(folder.path, storeName));
    await assert.rejects(folder.open().list({}), refusalAt(folder.path, "it is a folder (EISDIR)"));
  });
});

function refusalAt(folder: string, reason: string) {
  const remedy =
    "Let this user write it and its folder, or name another folder in SKILL_REGISTRY_HOME.";
  return { message: `${join(folder, storeName)} cannot be used: ${reason}. ${remedy}` };
}

function isUnusable(error: unknown): boolean {
  return error instanceof StoreProblem && error.kind === "unusable";
}
