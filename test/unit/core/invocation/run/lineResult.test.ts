import assert from "node:assert/strict";
import { describe, it } from "mocha";
import type { InvocationOutcome } from "../../../../../src/core/invocation/invocation";
import {
  lineResult,
  readLineResult,
  stopsRun,
} from "../../../../../src/core/invocation/run/lineResult";
import { endedInvocation } from "../../../../fixtures/pastInvocation";

describe("the result of a line", () => {
  const ran = { kind: "success", acceptedNotRun: false, outputText: "{}", durationMs: 1 };
  const ends: readonly (readonly [what: string, end: object, stop: string | undefined])[] = [
    ["a success", ran, undefined],
    ["a failure", { kind: "skillError", durationMs: 1 }, undefined],
    ["one that was not executed", { ...ran, acceptedNotRun: true }, "unexecuted"],
  ];
  for (const [what, end, stop] of ends) {
    const resultOf = (version: string) =>
      lineResult(endedInvocation({ ...end, version } as InvocationOutcome), undefined);

    it(`after ${what} of the requested version stops a run: ${stop ?? "no"}`, () => {
      const result = resultOf("1.0.0");
      assert.deepEqual([stopsRun(result, false), stopsRun(result, true)], [stop, undefined]);
    });

    it(`after ${what} of another version stops a run, also through a queue`, () => {
      const result = resultOf("9.0.0");
      for (const one of [result, readLineResult(JSON.stringify(result))]) {
        assert.ok(one);
        assert.deepEqual([one.otherVersion, stopsRun(one, true)], ["9.0.0", "otherVersion"]);
      }
    });
  }
});

describe("a result from a queue", () => {
  const facts = { status: "success", ran: "yes", milliseconds: 3, cents: 2, currency: "USD" };
  const failed = { status: "error", ran: "yes", code: "csv_broken", message: "Row 3 has no date." };

  it("is read as it was written, without unknown members", () => {
    const result = { next: "ended", facts, outputText: '{"n":1.0}', waitSeconds: 0 };
    const foreign = { ...result, facts: { ...facts, kind: "planned" }, more: 1 };
    assert.deepEqual(readLineResult(JSON.stringify(foreign)), result);
  });

  it("explains why a line did not succeed", () => {
    const result = { next: "ended", facts: failed, waitSeconds: 0 };
    assert.deepEqual(readLineResult(JSON.stringify(result)), result);
  });

  const damaged: readonly (readonly [what: string, text: string])[] = [
    ["no JSON", "{"],
    ["no object", "1"],
    ["an unknown end", JSON.stringify({ next: "x", facts, waitSeconds: 0 })],
    [
      "no statement of whether it ran",
      JSON.stringify({ next: "ended", facts: { status: "error" }, waitSeconds: 0 }),
    ],
    ["no status", JSON.stringify({ next: "ended", facts: {}, waitSeconds: 0 })],
    [
      "a cost that is text",
      JSON.stringify({ next: "ended", facts: { ...facts, cents: "2" }, waitSeconds: 0 }),
    ],
    [
      "an endless ID",
      JSON.stringify({
        next: "ended",
        facts: { ...facts, invocationId: "x".repeat(1001) },
        waitSeconds: 0,
      }),
    ],
    [
      "an output that is no JSON",
      JSON.stringify({ next: "ended", facts, outputText: '1}\n{"kind":"planned"', waitSeconds: 0 }),
    ],
    [
      "an invalid other version",
      JSON.stringify({ next: "ended", facts, otherVersion: "9; rm", waitSeconds: 0 }),
    ],
    ["no wait", JSON.stringify({ next: "ended", facts })],
  ];
  for (const [what, text] of damaged) {
    it(`is rejected with ${what}`, () => {
      assert.equal(readLineResult(text), undefined);
    });
  }
});
