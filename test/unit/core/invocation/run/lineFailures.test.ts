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
  ...more,
});
const failuresOf = (ends: readonly LineEnd[]) =>
  ends.reduce<readonly LineFailures[]>(withFailure, []);

describe("why lines of a run failed", () => {
  it("is told once a code, with the first message, the most lines first, and the first line in the file", () => {
    const ends = [
      failed(4, { code: "timeout", message: "Too slow." }),
      failed(9, { code: "row_invalid", message: "No name." }),
      failed(3, { code: "row_invalid", message: "No age." }),
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
        ["row_invalid", "No name. Also lines 8, 9.", 2],
        ["timeout", "Too slow.", 3],
        ["error", "It failed.", 6],
      ],
    );
  });

  it("is bounded, however many lines failed, and for however many reasons", () => {
    const ends = Array.from({ length: 1000 }, (_, at) => failed(at + 1, { code: `c${at % 50}` }));
    const failures = failuresOf(ends);
    assert.equal(failures.length, 20);
    assert.deepEqual([failures[0]?.count, failures[0]?.lines.length], [20, 20]);
    const many = failuresOf(Array.from({ length: 1000 }, (_, at) => failed(at + 1)));
    const [finding] = failureFindings(many, "in.jsonl");
    assert.match(finding?.message ?? "", /^Also lines 2, 3, .*, 20 and 980 more\.$/);
  });

  it("names lines, of which some are counted alone", () => {
    assert.equal(linesText([3]), "line 3");
    assert.equal(linesText([3, 17]), "lines 3, 17");
    assert.equal(linesText([3], 5), "lines 3 and 4 more");
  });
});
