import assert from "node:assert/strict";
import fs from "node:fs";
import { mkdtemp, readFile, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { mock } from "node:test";
import { afterEach, beforeEach, describe, it } from "mocha";
import { Journal } from "../../../src/batch/journal";
import { readJournal } from "../../../src/batch/readJournal";
import type { JournalEntry } from "../../../src/core/invocation/run/journalEntry";

const head = { journal: 1, skill: "a", version: "1.0.0", registry: "built-in", shard: "" } as const;
const started = (line: number): JournalEntry => {
  return { kind: "started", line, digest: "0".repeat(64), at: 1 };
};
const ended = (line: number) => ({ kind: "ended", line, status: "success", ran: "yes" }) as const;

describe("the journal of a run", () => {
  let folder: string;
  let path: string;
  let journal: Journal;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), "journal-"));
    path = join(folder, "a.journal");
    journal = await Journal.open(path, head, false);
  });
  afterEach(async () => {
    mock.reset();
    await rm(folder, { recursive: true });
  });

  it("reserves room for the ends of open lines in large steps, and frees it", async () => {
    const writes = mock.method(fs, "writeSync");
    for (let line = 1; line <= 8; line += 1) journal.note(started(line));
    assert.ok((await stat(path)).size > 8 * 2048);
    for (let line = 9; line <= 1000; line += 1) {
      journal.note(ended(line - 8));
      journal.note(started(line));
    }
    for (let line = 993; line <= 1000; line += 1) journal.note(ended(line));
    const written = writes.mock.calls.reduce((sum, { result = 0 }) => sum + result, 0);
    await journal.close();
    const { size } = await stat(path);
    assert.ok(written < 2 * size + 200_000, `${written} bytes were written for ${size}`);
    const { state } = await readJournal(path);
    assert.equal(state.counts.success, 1000);
  });

  it("knows the state of each line, also after repeats", async () => {
    journal.note(started(1));
    journal.note({ ...ended(1), status: "outcome unknown", ran: "unknown" }, '{"of":1}');
    journal.note(started(2));
    const ends = () => [1, 2, 3].map((line) => journal.endOf(line));
    const unknown =
      '{"kind":"ended","line":1,"status":"outcome unknown","ran":"unknown","output":{"of":1}}';
    assert.deepEqual(ends(), [unknown, undefined, undefined]);
    journal.note({ kind: "again", line: 1, at: 2 });
    assert.deepEqual(ends(), [undefined, undefined, undefined]);
    journal.note({ ...ended(2), kind: "notRun" });
    journal.note({ ...ended(1), kind: "notRun" });
    assert.match(journal.endOf(2) ?? "", /^\{"kind":"notRun","line":2/);
    // That the second try did not run says nothing about the first try.
    assert.equal(journal.endOf(1), undefined);
    await journal.close();
    journal = await Journal.open(path, head, true);
    assert.match(journal.endOf(2) ?? "", /^\{"kind":"notRun","line":2/);
    assert.equal(journal.endOf(1), undefined);
    await journal.close();
  });

  it("keeps the end of a line without an output that does not fit on the disk, and reports that", async () => {
    journal.note(started(1));
    const { writeSync } = fs;
    const full = Object.assign(new Error("full"), { code: "ENOSPC", syscall: "write" });
    const refuse = (...asked: Parameters<typeof writeSync>) => {
      if (String(asked[1]).includes("output")) throw full;
      return writeSync(...asked);
    };
    mock.method(fs, "writeSync", refuse as typeof writeSync);
    assert.throws(
      () => journal.note(ended(1), '"long"'),
      /the disk is full \(ENOSPC\)\. Line 1 ended with “success”; its output is missing from the journal\.$/,
    );
    await journal.close();
    assert.match(await readFile(path, "utf8"), /"kind":"ended","line":1,"status":"success"/);
  });
});
