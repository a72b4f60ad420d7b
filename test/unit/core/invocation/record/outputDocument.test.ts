import assert from "node:assert/strict";
import { describe, it } from "mocha";
import type { InvocationRecord } from "../../../../../src/core/invocation/record/invocationRecord";
import {
  jsonStart,
  longestResult,
  type OutputExtent,
  outputDocument,
} from "../../../../../src/core/invocation/record/outputDocument";
import { runSync } from "../../../../../src/core/text/chunked";
import { english } from "../../../../../src/core/text/language";
import { pastInvocation } from "../../../../fixtures/pastInvocation";

const record: InvocationRecord = pastInvocation(new Date(2026, 10, 20, 10, 22, 31).getTime(), {
  id: "00001763633000000-0a1b2c3d",
  endsBefore: 0,
  registry: "https://registry.example",
  skillSlug: "text-stats",
  version: "1.0.0",
  status: "success",
  durationMs: 12.4,
  invocationId: "63615c78",
});

const now = record.startedAt + 60_000;

const write = (
  facts: Partial<InvocationRecord>,
  output: string | undefined,
  extent: OutputExtent = "result",
) => runSync(outputDocument({ ...record, ...facts }, output, extent, { language: english, now }));

/** Removes the time, since Node.js versions write different spaces in it. */
const head = (text: string) => text.split("\n").map((line) => line.replace(/10:22:31\sAM/, "TIME"));

describe("the document of an output", () => {
  it("names the invocation above the JSON", () => {
    const text = write({ amountCents: 3, currency: "EUR" }, '{"words":1.0}');
    assert.deepEqual(head(text), [
      "// 12 ms · €0.03 · TIME · 63615c78",
      "{",
      '  "words": 1.0',
      "}",
    ]);
  });

  it("shows durations above one second in seconds", () => {
    assert.match(write({ durationMs: 10_016 }, "1"), /^\/\/ 10\.0 s · /);
  });

  it("has the date if the invocation is from another day", () => {
    const [first] = write({ startedAt: now - 86_400_000 }, "1").split("\n");
    assert.match(first ?? "", /^\/\/ 12 ms · Nov 19, 2026, /);
  });

  it("marks the built-in registry's cost as a sample", () => {
    const [first] = write({ registry: "built-in", amountCents: 2, currency: "USD" }, "1").split(
      "\n",
    );
    assert.match(first ?? "", / · \$0\.02 \(sample\) · /);
  });

  it("has the error if there is no output", () => {
    const failed = { status: "blocked", code: "budget_exceeded", message: "Too\nmuch." } as const;
    const lines = head(write(failed, undefined));
    assert.deepEqual(lines.slice(1), ["// Too much.", "// Code: budget_exceeded", ""]);
  });

  it("reports that the output is another skill's, or was not stored", () => {
    const metered = write({ status: "not executed" }, "{}").split("\n");
    assert.match(metered[0] ?? "", /^\/\/ accepted, not executed · /);
    assert.match(metered[1] ?? "", /not its output/);
    assert.match(write({}, undefined), /The output of this invocation was not kept/);
  });

  it("keeps a registry's words inside the comment", () => {
    const hostile = 'x\n{"fake": 1}\r\u2028\u0085// ';
    const facts = {
      status: "error",
      message: hostile,
      code: hostile,
      invocationId: hostile,
    } as const;
    const text = write({ ...facts, version: hostile, currency: hostile, amountCents: 1 }, "true");
    const lines = text.split(/\r\n|[\n\r\u2028\u2029\u0085]/);
    assert.equal(lines.pop(), "true");
    assert.ok(
      lines.every((line) => line.startsWith("// ")),
      text,
    );
  });

  it("is truncated when it opens by itself, and complete on request", () => {
    const long = JSON.stringify("x".repeat(longestResult + 10));
    const cut = write({}, long);
    assert.ok(cut.length < longestResult + 500);
    assert.match(cut, /\n\/\/ Truncated\. .*Open Output.*\n$/);
    assert.ok(write({}, long, "whole").endsWith(long));
  });

  it("is only the output in a comparison", () => {
    assert.equal(write({}, "[1]", "bare"), "[\n  1\n]");
  });

  it("has its JSON after its comments", () => {
    const text = write({ status: "error", message: "No." }, '{"a":1}');
    assert.deepEqual(JSON.parse(text.slice(jsonStart(text))), { a: 1 });
    // Later lines that look like comments belong to the output.
    assert.equal(jsonStart('"// x"'), 0);
  });
});
