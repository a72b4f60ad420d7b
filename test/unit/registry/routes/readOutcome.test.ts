import assert from "node:assert/strict";
import { describe, it } from "mocha";
import { asTestRun } from "../../../../src/core/invocation/errorCodes";
import { outcomeNotice } from "../../../../src/core/invocation/outcomeNotice";
import { KeyRedactor } from "../../../../src/core/registry/redactSecrets";
import { runSync } from "../../../../src/core/text/chunked";
import { english } from "../../../../src/core/text/language";
import { readOutcome } from "../../../../src/registry/routes/invokeSkill";
import { runYielding } from "../../../../src/registry/wait";

const url = new URL("http://registry/v1/runtime/invoke");

function answer(output: string, isNested = false) {
  const text = `{"invocationId":"inv-1","status":"success","output":${output}}`;
  const body = Buffer.from(isNested ? `{"data":${text}}` : text);
  return readOutcome({ status: 200, headers: {}, body }, url, 1, new KeyRedactor());
}

describe("reading the response of an invocation", () => {
  const rows = JSON.stringify(Array(200_000).fill({ id: 1, name: "Zürich", tags: ["a"] }));

  for (const isNested of [false, true]) {
    it(`yields often for megabytes${isNested ? ", also in an envelope" : ""}`, async () => {
      let turns = 0;
      let isOver = false;
      const count = () => {
        turns += 1;
        if (!isOver) setImmediate(count);
      };
      setImmediate(count);
      const outcome = await runYielding(answer(rows, isNested));
      isOver = true;
      assert.ok(outcome.kind === "success" && outcome.outputText === rows);
      const slices = Buffer.byteLength(rows) / 500_000;
      // One step each to find its end and to decode it.
      assert.ok(turns >= 2 * Math.floor(slices), `${turns} turns for ${slices} slices`);
    });
  }

  it("reports replaced characters", () => {
    const body = Buffer.from('{"status":"success","output":1}');
    const read = (facts: object) =>
      runSync(readOutcome({ status: 200, headers: {}, body, ...facts }, url, 1, new KeyRedactor()));
    assert.equal("hasReplacedText" in read({ note: "replaced" }), true);
    assert.equal("hasReplacedText" in read({}), false);
  });

  it("reads an error beside an output and without a status as a failure, under either name", () => {
    const kindOf = (facts: object) => {
      const body = Buffer.from(JSON.stringify({ output: 1, ...facts }));
      return runSync(readOutcome({ status: 200, headers: {}, body }, url, 1, new KeyRedactor()))
        .kind;
    };
    const failures = [{ error: "No." }, { errors: [{ detail: "No." }] }];
    assert.deepEqual(failures.map(kindOf), ["skillError", "skillError"]);
    const empty = [{}, { error: null }, { error: "" }, { errors: [] }];
    assert.deepEqual(empty.map(kindOf), ["success", "success", "success", "success"]);
  });

  it("takes one step for a few kilobytes", () => {
    const steps = answer(JSON.stringify("x".repeat(5000)));
    assert.equal(steps.next().done, true);
  });

  for (const status of [400, 401, 402, 403, 404]) {
    it(`does not read a page with ${status} as the registry's word, for an invocation or a test run`, () => {
      const headers = { "content-type": "text/html", server: "fw", "www-authenticate": "Bearer" };
      const body = Buffer.from("<title>Blocked</title>");
      const redactor = new KeyRedactor();
      const outcome = runSync(readOutcome({ status, headers, body }, url, 1, redactor));
      for (const read of [outcome, asTestRun(outcome)]) {
        assert.ok(read.kind === "refused" && read.reason === "notRegistry", JSON.stringify(read));
        const message = outcomeNotice("text-stats", read, english)?.message;
        assert.equal(
          message,
          `text-stats was not invoked. A proxy or firewall answered (HTTP ${status}, text/html, fw): Blocked.`,
        );
      }
    });
  }

  it("has the same result in one step", () => {
    const outcome = runSync(answer(rows));
    assert.ok(outcome.kind === "success" && outcome.outputText === rows);
  });
});
