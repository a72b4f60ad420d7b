import assert from "node:assert/strict";
import { describe, it } from "mocha";
import { readLineResult, readQueuedLine } from "../../../../../src/core/invocation/run/queuedLine";

describe("what comes out of a queue", () => {
  const facts = { status: "success", milliseconds: 3, cents: 2, currency: "USD" };

  it("is read as it was written, without what nobody wrote", () => {
    const result = { next: "ended", facts, outputText: '{"n":1.0}', waitSeconds: 0 };
    const foreign = { ...result, facts: { ...facts, kind: "planned" }, more: 1 };
    assert.deepEqual(readLineResult(JSON.stringify(foreign)), result);
    assert.deepEqual(readQueuedLine({ run: "a", text: "{}", more: 1 }), { run: "a", text: "{}" });
  });

  const damaged: readonly (readonly [what: string, text: string])[] = [
    ["no JSON", "{"],
    ["no object", "1"],
    ["an unknown end", JSON.stringify({ next: "x", facts, waitSeconds: 0 })],
    ["no status", JSON.stringify({ next: "ended", facts: {}, waitSeconds: 0 })],
    [
      "a cost that is text",
      JSON.stringify({ next: "ended", facts: { ...facts, cents: "2" }, waitSeconds: 0 }),
    ],
    [
      "an ID that is endless",
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
    ["no wait", JSON.stringify({ next: "ended", facts })],
  ];
  for (const [what, text] of damaged) {
    it(`is no result where it has ${what}`, () => {
      assert.equal(readLineResult(text), undefined);
    });
  }

  it("is no line without a run and a payload", () => {
    for (const value of [null, 1, {}, { run: 1, text: "" }, { run: "a" }]) {
      assert.equal(readQueuedLine(value), undefined);
    }
  });
});
