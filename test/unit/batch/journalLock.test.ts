import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, it } from "mocha";
import { lockJournal } from "../../../src/batch/journalLock";
import { CommandError } from "../../../src/core/findings/commandError";

/** Takes the lock like another program, reports that, and waits. */
const other = `
const { DatabaseSync } = require("node:sqlite");
const database = new DatabaseSync(process.argv[1]);
database.exec("BEGIN EXCLUSIVE");
console.log("locked");
process.stdin.resume();
`;

describe("the lock of a journal", () => {
  let folder: string;
  let path: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), "lock-"));
    path = join(folder, "a.journal");
  });
  afterEach(() => rm(folder, { recursive: true }));
  const isHeld = (error: unknown) =>
    error instanceof CommandError && error.message === `Another run is using ${path}.`;

  it("is held by one run at a time, and leaves no file", () => {
    const unlock = lockJournal(path);
    assert.throws(() => lockJournal(path), isHeld);
    unlock();
    assert.ok(!existsSync(`${path}.lock`));
    lockJournal(path)();
  });

  it("is held by one of two programs, and free after that is killed", async () => {
    const program = spawn(process.execPath, ["-e", other, `${path}.lock`], {
      stdio: ["pipe", "pipe", "ignore"],
    });
    await once(program.stdout, "data");
    assert.throws(() => lockJournal(path), isHeld);
    const exit = once(program, "exit");
    program.kill("SIGKILL");
    await exit;
    assert.ok(existsSync(`${path}.lock`));
    lockJournal(path)();
  });

  it("excludes other programs while this one holds it", async () => {
    const unlock = lockJournal(path);
    assert.throws(() => lockJournal(path), isHeld);
    const args = ["-e", other, `${path}.lock`];
    const program = spawn(process.execPath, args, { stdio: "ignore" });
    const [code] = await once(program, "exit");
    assert.notEqual(code, 0);
    unlock();
  });

  it("is refused if another file has its name", async () => {
    await writeFile(`${path}.lock`, "Dear diary, nothing happened today. ".repeat(40));
    assert.throws(() => lockJournal(path), /a\.journal\.lock could not be locked: .+\.$/);
  });

  it("explains why it fails if its folder is missing", () => {
    assert.throws(
      () => lockJournal(join(folder, "none", "a.journal")),
      /none\/a\.journal\.lock could not be written: no such file \(ENOENT\)\.$/,
    );
  });
});
