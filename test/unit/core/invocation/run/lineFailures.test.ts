import assert from "node:assert/strict";
import { describe, it } from "mocha";
import type { LineEnd } from "../../../../../src/core/invocation/run/journalEntry";
import {
  failureFindings,
  type LineFailures,
  linesText,
  withFailure,
} from "../../../../../src/core/invocation/run/lineFailures";

const failed = (line: number, more: Partial<LineEnd> = {}): LineEnd => ({
  kind: "ended",
  line,
  status: "error",
  ran: "yes",
  ...more,
});
const failuresOf = (ends: readonly LineEnd[]) =>
  ends.reduce<readonly LineFailures[]>(withFailure, []);

describe("the failures of a run's lines", () => {
  it("are grouped by code with the first line in the file and its message, the most frequent first", () => {
    const ends = [
      failed(4, { code: "timeout", message: "Too slow." }),
      failed(9, { code: "row_invalid", message: "No name." }),
      failed(3, { code: "row_invalid", message: "row 3 is bad" }),
      failed(7, { message: "It failed." }),
      failed(8, { code: "row_invalid" }),
    ];
    assert.deepEqual(
      failureFindings(failuresOf(ends), "in.jsonl").map(({ rule, message, start }) => [
        rule,
        message,
        start?.line,
      ]),
      [
        ["row_invalid", "row 3 is bad. Also lines 8, 9.", 2],
        ["timeout", "Too slow.", 3],
        ["error", "It failed.", 6],
      ],
    );
  });

  it("show how a line ended if its journal has no message", () => {
    const [finding] = failureFindings(failuresOf([failed(3, { code: "row_invalid" })]), "in.jsonl");
    assert.equal(finding?.message, "error.");
  });

  it("are limited, and add up to all failures, however many there are", () => {
    const ends = Array.from({ length: 1000 }, (_, at) => failed(at + 1, { code: `c${at % 50}` }));
    const failures = failuresOf(ends);
    assert.deepEqual(
      failures.map(({ code, count }) => [code, count]),
      [...Array.from({ length: 20 }, (_, at) => [`c${at}`, 20]), ["", 600]],
    );
    const last = failureFindings(failures, "in.jsonl").at(-1);
    assert.deepEqual([last?.rule, last?.start?.line], ["other", 20]);
    assert.match(last?.message ?? "", / Also lines 22, 23, .* and 580 more\.$/);
  });

  it("show the first lines of the file, in whatever order they ended", () => {
    const ends = Array.from({ length: 1000 }, (_, at) => failed(1000 - at));
    const [failure] = failuresOf(ends);
    assert.deepEqual(
      [failure?.count, failure?.lines],
      [1000, Array.from({ length: 20 }, (_, at) => at + 1)],
    );
    const [finding] = failureFindings(failuresOf(ends), "in.jsonl");
    assert.match(finding?.message ?? "", /Also lines 2, 3, .*, 20 and 980 more\.$/);
  });

  it("name some lines and count the rest", () => {
    assert.equal(linesText([3]), "line 3");
    assert.equal(linesText([3, 17]), "lines 3, 17");
    assert.equal(linesText([3], 5), "lines 3 and 4 more");
  });
});
