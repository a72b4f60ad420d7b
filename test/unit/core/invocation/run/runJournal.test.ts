import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { describe, it } from "mocha";
import type { InvocationStatus } from "../../../../../src/core/invocation/outcome";
import {
  type JournalEntry,
  readJournalEntry,
  readJournalHead,
  writeJournalEntry,
} from "../../../../../src/core/invocation/run/journalEntry";
import {
  emptyJournal,
  isUnused,
  type JournalState,
  mayExceed,
  missingLines,
  mustBeSent,
  noteEntry,
  settledCounts,
  unknownLines,
} from "../../../../../src/core/invocation/run/runJournal";
import { isInShard, readShard } from "../../../../../src/core/invocation/run/shard";
import { ranWith } from "../../../../fixtures/pastInvocation";

const digest = (text: string) => createHash("sha256").update(text, "utf8").digest("hex");
const started = (line: number): JournalEntry => ({
  kind: "started",
  line,
  digest: digest(`${line}`),
  at: 1,
});
const passing = (line: number, ...passed: number[]) => ({ ...started(line), passed });
const ended = (line: number, status: InvocationStatus = "success", cents = 0): JournalEntry => ({
  kind: "ended",
  line,
  status,
  ran: ranWith[status],
  ...(cents > 0 && { cents, currency: "USD" }),
});
const notRun = (line: number): JournalEntry => ({
  kind: "notRun",
  line,
  status: "blocked",
  ran: "no",
});

const again = (line: number): JournalEntry => ({
  kind: "again",
  line,
  at: 1,
  cents: 10,
  currency: "USD",
});
const lost = (line: number) => ended(line, "outcome unknown");

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
    open: number[],
    counts: number[],
  ])[] = [
    ["nothing", [], [], [0, 0, 0]],
    ["a line that succeeded", [started(1), ended(1)], [], [1, 0, 0]],
    ["a line that was killed", [started(1)], [1], [0, 0, 1]],
    ["a line after one that was killed", [started(1), started(2), ended(2)], [1], [1, 0, 1]],
    [
      "a line that was killed, and an empty one after it",
      [started(1), started(3)],
      [1, 3],
      [0, 0, 2],
    ],
    ["a line that certainly did not run", [started(1), notRun(1)], [], [0, 0, 0]],
    ["a line that was sent again", [started(1), notRun(1), started(1), ended(1)], [], [1, 0, 0]],
    ["a line that failed", [started(1), ended(1, "error")], [], [0, 1, 0]],
    ["a line that was not executed", [started(1), ended(1, "not executed")], [], [0, 1, 0]],
    [
      "two lines, of which the second ended first",
      [started(1), started(2), ended(2), ended(1)],
      [],
      [2, 0, 0],
    ],
    [
      "a line that did not run, and starts again after the next one",
      [started(1), started(2), notRun(1), ended(2), started(1)],
      [1],
      [1, 0, 1],
    ],
    ["an answer that was lost", [started(1), ended(1, "outcome unknown")], [], [0, 0, 1]],
  ];
  for (const [what, entries, open, [success, failed, unknown]] of good) {
    it(`has this state after ${what}`, () => {
      const state = stateAfter(...entries);
      assert.ok(state);
      assert.deepEqual([...state.open.keys()], open);
      const { cents, expected, unpriced: _unpriced, ...counts } = settledCounts(state);
      assert.deepEqual(
        { ...counts, cents, expected },
        { success, failed, unknown, cents: {}, expected: {} },
      );
    });
  }

  const bad: readonly (readonly [what: string, entries: JournalEntry[]])[] = [
    ["a line that was not started ends", [ended(1)]],
    ["a line ends twice", [started(1), ended(1), ended(1)]],
    ["a line is started twice", [started(1), started(1)]],
    ["a line that ended is started again", [started(1), ended(1), started(1)]],
    ["a line comes before another that did not pass it", [started(2), ended(2), started(1)]],
    ["a line that did not run ends", [started(1), notRun(1), ended(1)]],
    ["a line that was sent again is started", [started(1), lost(1), again(1), started(1)]],
    ["another line ends", [started(1), ended(2)]],
  ];
  for (const [what, entries] of bad) {
    it(`is damaged if ${what}`, () => assert.equal(stateAfter(...entries), undefined));
  }

  it("has one digest for its lines, in whatever order they started, repeated or not", () => {
    const once = stateAfter(started(1), ended(1), started(2), ended(2))?.digest;
    const same = [
      [started(1), notRun(1), started(1), ended(1), started(2)],
      [passing(2, 1), started(1)],
    ];
    for (const entries of same) assert.equal(stateAfter(...entries)?.digest, once);
    const other = { ...started(2), digest: digest("other") } as JournalEntry;
    const swapped = [
      { ...started(1), digest: digest("2") },
      { ...started(2), digest: digest("1") },
    ] as JournalEntry[];
    const changed = [[started(1)], [passing(2, 1)], [started(1), other], swapped];
    for (const entries of changed) assert.notEqual(stateAfter(...entries)?.digest, once);
  });

  it("knows its remaining lines, also if others were sent before them", () => {
    const left = (...entries: JournalEntry[]) => {
      const state = stateAfter(...entries);
      assert.ok(state);
      return [1, 2, 3, 4, 5].filter((line) => mustBeSent(line, state));
    };
    assert.deepEqual(left(), [1, 2, 3, 4, 5]);
    assert.deepEqual(left(started(1), passing(4, 2, 3)), [2, 3, 5]);
    assert.deepEqual(left(started(1), passing(4, 2, 3), passing(3, 2), ended(4)), [2, 5]);
    assert.deepEqual(left(started(1), passing(4, 2, 3), started(2), notRun(2)), [2, 3, 5]);
    assert.deepEqual(left(started(1), started(2), ended(2), notRun(1)), [1, 3, 4, 5]);
  });

  it("counts only lines with an unknown cost", () => {
    const free = { ...started(1), cents: 0 } as JournalEntry;
    const unpriced = (...entries: readonly JournalEntry[]) => {
      const state = stateAfter(...entries);
      return state && settledCounts(state).unpriced;
    };
    assert.equal(unpriced(started(1)), 1);
    assert.equal(unpriced(started(1), ended(1)), 1);
    assert.equal(unpriced(started(1), ended(1, "success", 2)), 0);
    assert.equal(unpriced(started(1), ended(1, "refused")), 0);
    assert.equal(unpriced(started(1), notRun(1)), 0);
    assert.equal(unpriced(free, ended(1)), 0);
    assert.equal(unpriced(started(1), lost(1), { kind: "again", line: 1, at: 1 }, lost(1)), 2);
  });

  it("adds up billed amounts by currency", () => {
    const state = stateAfter(started(1), ended(1, "success", 2), started(2), ended(2, "error", 3));
    assert.deepEqual(state?.counts.cents, { USD: 5 });
  });

  for (const currency of ["constructor", "__proto__", "toString"]) {
    it(`adds up billed amounts in ${currency}`, () => {
      const paid = (line: number) => ({ ...ended(line, "success", 60), currency });
      const state = stateAfter(started(1), paid(1), started(2), paid(2));
      assert.ok(state);
      assert.deepEqual(Object.entries(state.counts.cents), [[currency, 120]]);
      assert.equal(mayExceed(state, { cents: 0, currency: "" }, 119), true);
      assert.equal(mayExceed(state, { cents: 0, currency: "" }, 120), false);
    });
  }

  const listed = (line: number) =>
    ({ ...started(line), cents: 10, currency: "USD" }) as JournalEntry;
  const paid = (line: number, cents: number): JournalEntry => ({
    ...(ended(line) as Extract<JournalEntry, { kind: "ended" | "notRun" }>),
    ...{ cents, currency: "USD" },
  });
  const expecting = (line: number, expectedCents: number): JournalEntry => ({
    ...(ended(line) as Extract<JournalEntry, { kind: "ended" | "notRun" }>),
    ...{ expectedCents, expectedCurrency: "USD" },
  });
  const limits: readonly (readonly [what: string, entries: JournalEntry[], spent: number])[] = [
    ["each line in progress", [listed(1), listed(2)], 20],
    ["nothing for a rejected line", [listed(1), ended(1, "refused")], 0],
    ["the listed price of a success without an amount", [listed(1), ended(1)], 10],
    ["the listed price of a failure without an amount", [listed(1), ended(1, "error")], 10],
    [
      "the listed price of a line that was only accepted",
      [listed(1), ended(1, "not executed")],
      10,
    ],
    ["the price expected at the end, if that was higher", [listed(1), expecting(1, 12)], 12],
    ["a named amount", [listed(1), paid(1, 3)], 3],
    ["nothing for a line that was free", [listed(1), paid(1, 0)], 0],
    ["both times that a line was sent", [listed(1), lost(1), again(1), ended(1)], 20],
    [
      "a named amount and a line with an unknown cost",
      [listed(1), lost(1), again(1), paid(1, 3)],
      13,
    ],
    ["two unknown outcomes of one line", [listed(1), lost(1), again(1), lost(1)], 20],
    ["a line that is being sent again", [listed(1), lost(1), again(1)], 20],
    ["a line that was refused the second time", [listed(1), lost(1), again(1), notRun(1)], 10],
  ];
  for (const [what, entries, spent] of limits) {
    it(`counts against a limit: ${what}`, () => {
      const state = stateAfter(...entries);
      assert.ok(state);
      const price = { kind: "amount", cents: 10, currency: "USD" } as const;
      assert.equal(mayExceed(state, price, spent + 10), false);
      assert.equal(mayExceed(state, price, spent + 9), true);
    });
  }

  const unknowns: readonly (readonly [what: string, entries: JournalEntry[], lines: number[]])[] = [
    ["lost", [started(1), lost(1), started(2), ended(2)], [1]],
    ["killed", [started(1), ended(1), started(2)], [2]],
    ["sent again without a result", [started(1), lost(1), started(2), again(1), lost(1)], [1, 2]],
    ["killed twice", [started(1), again(1)], [1]],
    ["sent again", [started(1), lost(1), started(2), again(1), ended(1), again(2), ended(2)], []],
    ["killed beside others", [started(1), started(2), started(3), ended(2)], [1, 3]],
    ["killed, and again while others go on", [started(1), started(2), again(1), ended(2)], [1]],
    ["refused the second time", [started(1), lost(1), again(1), notRun(1)], [1]],
    ["sent again while another waits", [started(1), started(2), notRun(2), again(1), ended(1)], []],
  ];
  for (const [what, entries, lines] of unknowns) {
    it(`lists the lines with an unknown outcome: ${what}`, () => {
      const state = stateAfter(...entries);
      assert.ok(state);
      assert.deepEqual(unknownLines(state), lines);
      assert.equal(settledCounts(state).unknown, lines.length);
    });
  }

  it("never repeats a line with a known outcome", () => {
    assert.equal(stateAfter(started(1), ended(1), again(1)), undefined);
    assert.equal(stateAfter(started(1), ended(1), again(2)), undefined);
    assert.equal(stateAfter(started(1), lost(1), again(1), ended(1), again(1)), undefined);
    assert.equal(stateAfter(started(1), lost(1), again(1), ended(2)), undefined);
  });

  it("knows how many lines are missing", () => {
    const planned: JournalEntry = { kind: "planned", lines: 5 };
    const stand = (...entries: JournalEntry[]) => {
      const state = stateAfter(...entries);
      assert.ok(state);
      return [missingLines(state), isUnused(state)];
    };
    assert.deepEqual(stand(), [0, true]);
    assert.deepEqual(stand(planned), [5, true]);
    assert.deepEqual(stand(planned, started(1), notRun(1)), [5, true]);
    assert.deepEqual(stand(planned, started(1)), [4, false]);
    assert.deepEqual(stand(planned, started(1), ended(1), started(3), lost(3)), [3, false]);
  });

  it("keeps an output unchanged, on one line", () => {
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
    '{"kind":"started","line":1,"digest":"0x"}',
    `{"kind":"started","line":2,"digest":"${"0".repeat(64)}","passed":["1"]}`,
    '{"kind":"ended","line":1}',
    '{"kind":"ended","line":1.5,"status":"success","ran":"yes"}',
    '{"kind":"done","line":1,"status":"success","ran":"yes"}',
    '{"kind":"ended","line":1,"status":"success","ran":"yes","cents":"2"}',
    '{"kind":"ended","line":1,"status":"success","ran":"yes","currency":["USD"]}',
    '{"kind":"ended","line":1,"status":"error","ran":"yes","code":500}',
    '{"kind":"ended","line":1,"status":"error","ran":"yes","message":{"en":"No."}}',
    '{"kind":"planned"}',
    '{"kind":"again","line":"1"}',
  ]) {
    it(`rejects ${line || "an empty line"}`, () => {
      assert.equal(readJournalEntry(line), undefined);
      assert.equal(readJournalHead(line), undefined);
    });
  }
});

describe("shards", () => {
  it("are read from an index and a count, such as 3/10", () => {
    assert.deepEqual(readShard("3/10"), { index: 3, count: 10 });
    for (const text of ["", "3", "0/3", "4/3", "1/0", "-1/3", "1/3/5", "1/100000", "1.5/3"]) {
      assert.equal(readShard(text), undefined, text);
    }
  });

  it("contain every line once, in about equal parts, whatever the other lines are", () => {
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
