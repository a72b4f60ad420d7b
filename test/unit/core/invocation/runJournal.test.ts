import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { describe, it } from "mocha";
import {
  emptyJournal,
  isInShard,
  type JournalEntry,
  type JournalState,
  noteEntry,
  readJournalEntry,
  readJournalHead,
  readShard,
  settledCounts,
  writeJournalEntry,
} from "../../../../src/core/invocation/runJournal";

const digest = (text: string) => createHash("sha256").update(text, "utf8").digest("hex");
const started = (line: number): JournalEntry => ({
  kind: "started",
  line,
  digest: digest(`${line}`),
  at: 1,
});
const ended = (line: number, status = "success", cents = 0): JournalEntry => ({
  kind: "ended",
  line,
  status,
  ...(cents > 0 && { cents, currency: "USD" }),
});
const notRun = (line: number): JournalEntry => ({ kind: "notRun", line, status: "blocked" });

function stateAfter(...entries: readonly JournalEntry[]): JournalState | undefined {
  return entries.reduce<JournalState | undefined>(
    (state, entry) => state && noteEntry(state, entry, digest),
    emptyJournal,
  );
}

describe("a journal", () => {
  const good: readonly (readonly [
    what: string,
    entries: JournalEntry[],
    last: string,
    counts: number[],
  ])[] = [
    ["nothing", [], "none", [0, 0, 0]],
    ["a line that succeeded", [started(1), ended(1)], "ended", [1, 0, 0]],
    ["a line that was killed", [started(1)], "open", [0, 0, 1]],
    ["a line after one that was killed", [started(1), started(2), ended(2)], "ended", [1, 0, 1]],
    [
      "a line that was killed, and an empty one after it",
      [started(1), started(3)],
      "open",
      [0, 0, 2],
    ],
    ["a line that certainly did not run", [started(1), notRun(1)], "notRun", [0, 0, 0]],
    [
      "a line that was sent again",
      [started(1), notRun(1), started(1), ended(1)],
      "ended",
      [1, 0, 0],
    ],
    ["a line that failed", [started(1), ended(1, "error")], "ended", [0, 1, 0]],
    [
      "a line that was not executed",
      [started(1), ended(1, "accepted, not executed")],
      "ended",
      [0, 1, 0],
    ],
    ["an answer that was lost", [started(1), ended(1, "outcome unknown")], "ended", [0, 0, 1]],
  ];
  for (const [what, entries, last, [success, failed, unknown]] of good) {
    it(`says how it stands after ${what}`, () => {
      const state = stateAfter(...entries);
      assert.ok(state);
      assert.equal(state.last, last);
      assert.deepEqual(settledCounts(state), { success, failed, unknown, cents: {} });
    });
  }

  const bad: readonly (readonly [what: string, entries: JournalEntry[]])[] = [
    ["a line that was not started ends", [ended(1)]],
    ["a line ends twice", [started(1), ended(1), ended(1)]],
    ["a line is started twice", [started(1), started(1)]],
    ["a line that ended is started again", [started(1), ended(1), started(1)]],
    ["a line comes before another", [started(2), ended(2), started(1)]],
    ["a line that must be sent again is passed over", [started(1), notRun(1), started(2)]],
    ["another line ends", [started(1), ended(2)]],
  ];
  for (const [what, entries] of bad) {
    it(`is damaged where ${what}`, () => assert.equal(stateAfter(...entries), undefined));
  }

  it("stands for its lines by one digest, sent again or not", () => {
    const once = stateAfter(started(1), ended(1), started(2), ended(2));
    const again = stateAfter(started(1), notRun(1), started(1), ended(1), started(2));
    assert.equal(again?.chain, once?.chain);
    assert.notEqual(stateAfter(started(1), ended(1))?.chain, once?.chain);
    const other = { ...started(2), digest: digest("other") } as JournalEntry;
    assert.notEqual(stateAfter(started(1), ended(1), other)?.chain, once?.chain);
  });

  it("adds up what was billed, by currency", () => {
    const state = stateAfter(started(1), ended(1, "success", 2), started(2), ended(2, "error", 3));
    assert.deepEqual(state?.counts.cents, { USD: 5 });
  });

  it("keeps an output as it came, on one line", () => {
    const output = '{\r\n "a": 12345678901234567890, "b": "x\\ny" }';
    const line = writeJournalEntry(ended(1), output);
    assert.equal(line.indexOf("\n"), line.length - 1);
    assert.ok(line.includes("12345678901234567890"));
    assert.equal(JSON.parse(line).output.b, "x\ny");
    assert.ok(readJournalEntry(line));
  });

  for (const line of [
    "",
    "{",
    "[]",
    '{"kind":"started","line":1}',
    '{"kind":"ended","line":1}',
    '{"kind":"ended","line":1.5,"status":"success"}',
    '{"kind":"done","line":1,"status":"success"}',
    '{"kind":"ended","line":1,"status":"success","cents":"2"}',
  ]) {
    it(`does not read ${line || "an empty line"}`, () => {
      assert.equal(readJournalEntry(line), undefined);
      assert.equal(readJournalHead(line), undefined);
    });
  }
});

describe("shards", () => {
  it("are read as a part of a number of parts", () => {
    assert.deepEqual(readShard("3/10"), { index: 3, count: 10 });
    for (const text of ["", "3", "0/3", "4/3", "1/0", "-1/3", "1/3/5", "1/10001", "1.5/3"]) {
      assert.equal(readShard(text), undefined, text);
    }
  });

  it("hold every line once, about as many each, whatever stands beside it", () => {
    const digests = Array.from({ length: 3000 }, (_, index) => digest(`line ${index}`));
    const counts = [1, 2, 3].map(
      (index) => digests.filter((one) => isInShard(one, { index, count: 3 })).length,
    );
    assert.equal(
      counts.reduce((sum, count) => sum + count, 0),
      3000,
    );
    for (const count of counts) assert.ok(count > 850 && count < 1150, counts.join());
  });
});
