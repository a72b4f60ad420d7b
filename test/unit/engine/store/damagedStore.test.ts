import assert from "node:assert/strict";
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterEach, beforeEach, describe, it } from "mocha";
import { termsOf } from "../../../../src/core/invocation/permission/terms";
import { migrations } from "../../../../src/engine/store/migrations";
import { openDatabase, type StoreNotice } from "../../../../src/engine/store/openDatabase";
import { storeName } from "../../../../src/engine/store/operations";
import { StoreProblem } from "../../../../src/engine/store/storeProblem";
import { atTables } from "../../../fixtures/machineStore";
import { fullSkill } from "../../../fixtures/skillDetail";
import { endOf, StoreFolder, scope, startedIn, wantedStart } from "./storeFolder";

/** A start at the daily limit: one dollar was spent, and no more may be. */
const limited = {
  dailyLimitCents: 150,
  price: { ...scope, price: { kind: "amount" as const, cents: 100, currency: "USD" } },
};

const pageBytes = 4096;

/** Ways to damage the file of a store, by name. */
const damages: Readonly<Record<string, (path: string) => void>> = {
  "an empty file": (path) => writeFileSync(path, ""),
  "a text": (path) => writeFileSync(path, "{}\n".repeat(5_000)),
  "zeros of its size": (path) => writeFileSync(path, Buffer.alloc(statSync(path).size)),
  "another program's database": (path) => {
    rmSync(path);
    const other = new DatabaseSync(path);
    other.exec("CREATE TABLE mine (a)");
    other.close();
  },
  ...Object.fromEntries(
    [1, 15, 16, 100, pageBytes - 1, pageBytes, 2 * pageBytes, 5 * pageBytes].map((length) => [
      `its first ${length} bytes`,
      (path: string) => writeFileSync(path, readFileSync(path).subarray(0, length)),
    ]),
  ),
  ...Object.fromEntries(
    [0, 1, 2, 3, 5, 8, 13, 20].map((page) => [
      `noise in page ${page}`,
      (path: string) => {
        const bytes = readFileSync(path);
        const start = page * pageBytes + (page === 0 ? 20 : 0);
        for (let at = start; at < start + 200; at += 1) bytes[at] = (at * 7919) % 251;
        writeFileSync(path, bytes);
      },
    ]),
  ),
  "noise in place of what was written last": (path) => {
    for (const part of ["-wal", "-shm"]) writeFileSync(`${path}${part}`, Buffer.alloc(50_000, 7));
  },
  "half of it twice": (path) => {
    const half = readFileSync(path).subarray(0, 10 * pageBytes);
    writeFileSync(path, Buffer.concat([half, half]));
  },
};

describe("a store whose file became", () => {
  let folder: StoreFolder;
  beforeEach(() => {
    folder = new StoreFolder();
  });
  afterEach(() => folder.remove());

  assert.ok(Object.keys(damages).length >= 22);
  for (const [what, damage] of Object.entries(damages)) {
    it(`${what}: nothing exceeds the daily limit, and the file is renamed and reported if anything is lost`, async () => {
      const path = join(folder.path, storeName);
      await spendADollar(folder);
      damage(path);
      const store = folder.open();
      const answer = await store.start(wantedStart(limited));
      if (folder.setAside.length === 0) {
        assert.equal(answer.kind, "overLimit");
        return;
      }
      assert.equal(answer.kind, "uncounted");
      const [name = ""] = folder.setAside;
      assert.match(name, /^store\.db\.damaged-\d+$/);
      assert.ok(existsSync(join(folder.path, name)));
      // The next day counts from its beginning, and an invocation without a limit runs at once.
      await startedIn(store);
      await startedIn(store, { ...limited, dailyLimitCents: 1_000, isUncountedAllowed: true });
      const tomorrow = folder.open({ now: () => Date.now() + 86_400_000 });
      await startedIn(tomorrow, limited);
    });
  }

  it("damaged in a page of records: all others are kept, with everything that a person decided", async () => {
    const store = folder.open();
    const ids: string[] = [];
    for (let count = 0; count < 60; count += 1) ids.push((await startedIn(store)).id);
    const [pinned = "", damaged = ""] = [ids[0], ids[30]];
    const agreedTo = termsOf("r", fullSkill);
    await store.pin([pinned], true);
    await store.agree(agreedTo);
    await store.keepValue("agents", "allowed");
    await store.noteEvent("event", "waits");
    await folder.close();
    const path = join(folder.path, storeName);
    const bytes = readFileSync(path);
    const page = Math.floor(bytes.indexOf(`"id":"${damaged}"`) / pageBytes);
    bytes.fill(7, page * pageBytes, (page + 1) * pageBytes);
    writeFileSync(path, bytes);
    const again = folder.open();
    const { records } = await again.list({});
    const kept = records.length;
    assert.ok(kept >= 50 && kept < 60, `${kept} were kept`);
    assert.deepEqual(
      (await again.list({ isPinned: true })).records.map(({ id }) => id),
      [pinned],
    );
    assert.ok(await again.agreed(agreedTo));
    assert.equal(await again.value("agents"), "allowed");
    const waiting = await atTables(folder.path, (database) =>
      database.prepare("SELECT id FROM outbox").all(),
    );
    assert.deepEqual(
      waiting.map(({ id }) => id),
      ["event"],
    );
    assert.equal((await again.start(wantedStart(limited))).kind, "uncounted");
    const [notice = ""] = folder.notices;
    assert.match(
      notice,
      new RegExp(`kept: ${kept} of 60\\. What was spent today is no longer known`),
    );
    assert.equal(folder.notices.length, 1);
  });

  it("shorter than it was: the records before its end are kept", async () => {
    const store = folder.open();
    for (let count = 0; count < 300; count += 1) await startedIn(store);
    await folder.close();
    const path = join(folder.path, storeName);
    truncateSync(path, Math.floor((statSync(path).size * 0.7) / pageBytes) * pageBytes);
    const kept = (await folder.open().list({})).records.length;
    assert.ok(kept >= 50 && kept < 300, `${kept} were kept`);
    assert.match(folder.notices[0] ?? "", new RegExp(`kept: ${kept}`));
  });

  for (const [what, from, to] of [
    ["its header", 0, 100],
    ["its list of tables", 100, pageBytes],
    ["its first page", 0, pageBytes],
  ] as const) {
    it(`damaged in ${what}: all records are kept`, async () => {
      const store = folder.open();
      const agreedTo = termsOf("r", fullSkill);
      await store.agree(agreedTo);
      for (let count = 0; count < 60; count += 1) await startedIn(store);
      await folder.close();
      const path = join(folder.path, storeName);
      writeFileSync(path, readFileSync(path).fill(7, from, to));
      const again = folder.open();
      assert.equal((await again.list({})).records.length, 60);
      assert.ok(await again.agreed(agreedTo));
      assert.match(folder.notices[0] ?? "", /kept: 60 of 60\. What was spent today is no longer/);
      assert.deepEqual(
        readdirSync(folder.path).filter((name) => name.endsWith(".copy")),
        [],
      );
    });
  }

  it("unreadable in some records: they are counted and reported once", async () => {
    const store = folder.open();
    for (const _ of [1, 2, 3, 4]) await startedIn(store);
    await atTables(folder.path, (database) =>
      database.exec("UPDATE invocation SET facts = substr(facts, 9) WHERE rowid < 3"),
    );
    assert.equal((await store.list({})).records.length, 2);
    await store.list({});
    assert.deepEqual(folder.notices, ["Records that are damaged and left out: 2."]);
  });

  it("invalid while it was open: the next question renames it", async () => {
    const store = folder.open();
    await startedIn(store);
    writeFileSync(join(folder.path, storeName), "not a database any more ".repeat(1_000));
    rmSync(join(folder.path, `${storeName}-wal`), { force: true });
    const other = folder.open();
    assert.equal((await other.start(wantedStart(limited))).kind, "uncounted");
    assert.equal((await store.start(wantedStart(limited))).kind, "uncounted");
    assert.equal(folder.setAside.length, 1);
  });
});

describe("the file of a store", () => {
  let folder: StoreFolder;
  beforeEach(() => {
    folder = new StoreFolder();
  });
  afterEach(() => folder.remove());

  it("of a newer version is rejected with an explanation, and not changed", async () => {
    await spendADollar(folder);
    const database = new DatabaseSync(join(folder.path, storeName));
    database.exec(`PRAGMA user_version = ${migrations.length + 1}`);
    database.close();
    await assert.rejects(
      folder.open().start(wantedStart()),
      (error) =>
        error instanceof StoreProblem &&
        error.kind === "newer" &&
        /newer version/.test(error.message),
    );
    assert.deepEqual(folder.setAside, []);
  });

  it("that is a folder gives no answers and is not replaced", async () => {
    mkdirSync(join(folder.path, storeName));
    await assert.rejects(
      folder.open().start(wantedStart()),
      (error) => error instanceof StoreProblem && error.kind === "unusable",
    );
  });

  it("that was deleted while open is created again, without this day's spending", async () => {
    const store = folder.open();
    await startedIn(store);
    removeFile(folder);
    const record = await startedIn(store);
    assert.deepEqual(
      (await folder.open().list({})).records.map(({ id }) => id),
      [record.id],
    );
    assert.equal(folder.replaced, 1);
    assert.equal((await folder.open().start(wantedStart(limited))).kind, "uncounted");
  });

  it("that an older copy replaced has no known spending for this day", async () => {
    await spendADollar(folder);
    const path = join(folder.path, storeName);
    const before = readFileSync(path);
    const store = folder.open();
    await startedIn(store);
    removeFile(folder);
    writeFileSync(path, before);
    assert.equal((await store.start(wantedStart(limited))).kind, "uncounted");
  });

  for (const [what, put] of [
    ["was replaced by an older copy", (before: Buffer) => before],
    ["was removed", () => undefined],
  ] as const) {
    it(`that ${what} while no program ran has no known spending for this day, which is reported once`, async () => {
      await spendADollar(folder);
      const path = join(folder.path, storeName);
      const before = readFileSync(path);
      const program = new StoreFolder(folder.path);
      await startedIn(program.open());
      await program.close();
      removeFile(folder);
      const old = put(before);
      if (old !== undefined) writeFileSync(path, old);
      assert.equal((await folder.open().start(wantedStart(limited))).kind, "uncounted");
      assert.equal((await folder.open().start(wantedStart(limited))).kind, "uncounted");
      assert.equal(folder.replaced, 1);
    });
  }

  it("that is copied with its age to another folder has the same age there", async () => {
    await spendADollar(folder);
    const copy = new StoreFolder();
    for (const name of [storeName, `${storeName}.starts`]) {
      writeFileSync(join(copy.path, name), readFileSync(join(folder.path, name)));
    }
    assert.equal((await copy.open().spent()).isWhole, true);
    await copy.remove();
  });

  it("is not renamed because of damage in the file that it replaced", async () => {
    const record = await startedIn(folder.open());
    await folder.close();
    const path = join(folder.path, storeName);
    const notices: StoreNotice[] = [];
    const report = (notice: StoreNotice) => notices.push(notice);
    // Another program has already renamed the damaged file.
    openDatabase(path, report, 10, { damaged: "1 2" }).database.close();
    assert.deepEqual(notices, []);
    assert.equal((await folder.open().list({})).records[0]?.id, record.id);
  });

  it("holds nothing of a text that was deleted, in no part", async () => {
    const store = folder.open();
    const secret = "a secret sentence. ".repeat(500);
    const record = await startedIn(store, { texts: { inputText: secret } });
    await startedIn(store);
    await store.remove([record.id]);
    await folder.close();
    for (const name of readdirSync(folder.path)) {
      assert.ok(!readFileSync(join(folder.path, name)).includes("a secret sentence"), name);
    }
  });

  it("can be read by its owner alone", async function () {
    if (process.platform === "win32") this.skip();
    const made = new StoreFolder(join(folder.path, "made"));
    await startedIn(made.open());
    assert.equal(statSync(made.path).mode & 0o777, 0o700);
    await made.close();
    await startedIn(folder.open());
    for (const part of ["", "-wal", "-shm"]) {
      assert.equal(statSync(join(folder.path, `${storeName}${part}`)).mode & 0o777, 0o600, part);
    }
  });
});

async function spendADollar(folder: StoreFolder): Promise<void> {
  const program = new StoreFolder(folder.path);
  const store = program.open();
  const record = await startedIn(store, limited);
  await store.end(endOf(record, { status: "success", amountCents: 100, currency: "USD" }));
  await program.close();
}

function removeFile(folder: StoreFolder): void {
  for (const part of ["", "-wal", "-shm"]) {
    rmSync(join(folder.path, `${storeName}${part}`), { force: true });
  }
}
