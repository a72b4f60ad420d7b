import assert from "node:assert/strict";
import { describe, it } from "mocha";
import { rowsBelow } from "../../../../../src/core/invocation/record/invocationList";
import type { InvocationRecord } from "../../../../../src/core/invocation/record/invocationRecord";
import {
  foldRuns,
  runCostText,
  runEndingText,
  runOutputsText,
  runSkillText,
} from "../../../../../src/core/invocation/record/invocationRuns";
import { english } from "../../../../../src/core/text/language";
import { pastInvocation } from "../../../../fixtures/pastInvocation";

const now = new Date(2026, 10, 20, 12, 0).getTime();

/** Returns an invocation that started so many seconds ago. */
function record(ago: number, facts: Partial<InvocationRecord> = {}): InvocationRecord {
  return pastInvocation(now - ago * 1000, { requestSha256: "payload a", ...facts });
}

/** Returns the rows as the age of each invocation in seconds, with runs in brackets. */
function folded(records: readonly InvocationRecord[]): string {
  const ago = ({ startedAt }: InvocationRecord) => String((now - startedAt) / 1000);
  return foldRuns(records)
    .map((row) => ("run" in row ? `[${row.records.map(ago).join(" ")}]` : ago(row)))
    .join(" ");
}

describe("consecutive invocations of one payload", () => {
  const other: readonly (readonly [title: string, facts: Partial<InvocationRecord>])[] = [
    ["another payload", { requestSha256: "payload b" }],
    ["another skill", { skillSlug: "csv-profile" }],
    ["another registry", { registry: "https://registry.example.com" }],
    ["a running one", { status: "running" }],
  ];
  for (const [title, facts] of other) {
    it(`are folded up to ${title}`, () => {
      const records = [record(1), record(2), record(3, facts), record(4), record(5), record(6)];
      assert.equal(folded(records), "[1 2] 3 [4 5 6]");
    });
  }

  it("are not folded if their payload is unknown", () => {
    const records = [1, 2].map((ago) => pastInvocation(now - ago * 1000));
    assert.equal(folded(records), "1 2");
  });

  it("keep the ID of their row when another invocation joins", () => {
    const names = [
      [record(2), record(3)],
      [record(1), record(2), record(3)],
    ].map((records) => foldRuns(records).map((row) => "run" in row && row.run));
    assert.deepEqual(names[0], names[1]);
  });

  it("show their skill, ends, differing outputs and cost", () => {
    const paid = { amountCents: 5, currency: "USD", responseSha256: "x" };
    const runAt = (registry: string) => {
      const [run] = foldRuns([
        record(1, { registry, status: "error" }),
        record(2, { registry, ...paid }),
        record(3, { registry, ...paid, responseSha256: "y" }),
        record(4, { registry, kind: "testRun", responseSha256: "y" }),
      ]);
      assert.ok(run !== undefined && "run" in run);
      return run;
    };
    const run = runAt("https://registry.example");
    assert.equal(runCostText(runAt("built-in"), english), "$0.10 (sample)");
    assert.deepEqual(
      [
        runSkillText(run),
        runEndingText(run, english),
        runOutputsText(run, english),
        runCostText(run, english),
      ],
      [
        "text-stats@1.0.0",
        "2 × success, 1 × test run, success, 1 × error",
        "2 different outputs",
        "$0.10",
      ],
    );
    const [of] = foldRuns([record(1, { version: "1.1.0", ...paid }), record(2, paid)]);
    assert.ok(of !== undefined && "run" in of);
    assert.deepEqual([runSkillText(of), runOutputsText(of, english)], ["text-stats", ""]);
  });

  it("are one row of a day, and are all found below it", () => {
    const records = Array.from({ length: 500 }, (_, index) => record(index / 10));
    const facts = { day: "2026-11-20", title: "Today", isOpen: true, mayHaveEarlier: false };
    const [run, ...others] = rowsBelow({ ...facts, records });
    assert.ok(run && "run" in run && others.length === 0);
    assert.deepEqual(rowsBelow(run), records);
  });
});
