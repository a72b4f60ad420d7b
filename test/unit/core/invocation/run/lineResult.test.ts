import assert from "node:assert/strict";
import { describe, it } from "mocha";
import type { InvocationOutcome } from "../../../../../src/core/invocation/invocation";
import { lineResult, stopsRun } from "../../../../../src/core/invocation/run/lineResult";
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

    it(`after ${what} of another version stops a run`, () => {
      const result = resultOf("9.0.0");
      assert.deepEqual([result.otherVersion, stopsRun(result, true)], ["9.0.0", "otherVersion"]);
    });
  }
});
