import assert from "node:assert/strict";
import { describe, it } from "mocha";
import {
  type KeptTrial,
  keptTrialOf,
  readTrials,
  writeTrials,
} from "../../../../../src/core/invocation/output/keptTrials";
import { pastInvocation } from "../../../../fixtures/pastInvocation";

const now = Date.parse("2026-11-20T12:00:00Z");
const day = 86_400_000;
const all = { maxEntries: 10_000, maxDays: 0 };
const trial = (daysAgo: number): KeptTrial =>
  keptTrialOf(
    pastInvocation(now - daysAgo * day, { registry: "http://127.0.0.1:8080/run?token=a#b" }),
  );
const read = (text: string | undefined, retention = all) => readTrials(text, retention, now);
const written = (...trials: readonly object[]) =>
  writeTrials(undefined, trials as readonly KeptTrial[]);

describe("the kept trials", () => {
  it("have the facts of a trial, and neither texts nor the query of its address", () => {
    const kept = keptTrialOf(
      pastInvocation(now, {
        ...{ registry: "http://127.0.0.1:8080/run?token=a", message: "a body", kind: "testRun" },
        ...{ status: "error", ran: "yes", durationMs: 12 },
      }),
    );
    const { id, skill, version, ...facts } = kept;
    assert.deepEqual([skill, version], ["text-stats", "1.0.0"]);
    assert.deepEqual(facts, {
      ...{ startedAt: now, durationMs: 12, status: "error", ran: "yes" },
      address: "http://127.0.0.1:8080/run",
    });
    assert.deepEqual(read(written(kept)), [kept]);
  });

  it("are as many and as old as the record keeps, and at most 100", () => {
    const text = written(...Array.from({ length: 120 }, (_, index) => trial(index)));
    assert.equal(read(text).length, 100);
    assert.equal(read(text, { maxEntries: 3, maxDays: 0 }).length, 3);
    assert.equal(read(text, { maxEntries: 10, maxDays: 4 }).length, 5);
    assert.deepEqual(read(text, { maxEntries: 0, maxDays: 0 }), []);
  });

  it("leave out what is damaged", () => {
    const good = trial(0);
    const damaged = [
      null,
      { ...good, status: "billed" },
      { ...good, startedAt: "today" },
      { ...good, durationMs: Number.MAX_VALUE },
      { ...good, id: "../a" },
      { ...good, address: "a".repeat(2001) },
    ];
    assert.deepEqual(read(written(...(damaged as object[]), good)), [good]);
    for (const text of [undefined, "{", "[]", '{"format":1,"trials":{}}']) {
      assert.deepEqual(read(text), []);
    }
  });

  it("of a newer version are neither read nor overwritten", () => {
    const newer = JSON.stringify({ format: 2, trials: [trial(0)] });
    assert.deepEqual(read(newer), []);
    assert.equal(writeTrials(newer, [trial(0)]), undefined);
    assert.notEqual(writeTrials("{", [trial(0)]), undefined);
  });
});
