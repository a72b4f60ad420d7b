import assert from "node:assert/strict";
import { describe, it } from "mocha";
import type { InvocationRecord } from "../../../../../src/core/invocation/record/invocationRecord";
import {
  isCut,
  longestResult,
  type OutputExtent,
  outputDocument,
  outputTitle,
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
) => runSync(outputDocument({ ...record, ...facts }, output, extent, english));

const titleOf = (facts: Partial<InvocationRecord>) =>
  outputTitle({ ...record, ...facts }, { language: english, now, window: record });
const title = (facts: Partial<InvocationRecord>) => titleOf(facts).title;
const measures = (facts: Partial<InvocationRecord>) => titleOf(facts).measures;

describe("the document of an output", () => {
  it("is the output's JSON and nothing else, however the invocation ended", () => {
    for (const status of ["success", "error", "not executed"] as const) {
      for (const extent of ["result", "whole", "side"] as const) {
        const text = write({ status, message: "No.", code: "no" }, '{"words":1.0}', extent);
        assert.equal(text, '{\n  "words": 1.0\n}');
      }
    }
  });

  it("is the status and the error as JSON if there is no output", () => {
    const failed = { status: "blocked", code: "budget_exceeded", message: 'Too\n"much".' } as const;
    assert.deepEqual(JSON.parse(write(failed, undefined)), failed);
    assert.deepEqual(JSON.parse(write({}, undefined)), {
      status: "success",
      output: "The output of this invocation was not kept.",
    });
  });

  it("is truncated when it opens by itself, and complete on request", () => {
    const long = JSON.stringify("x".repeat(longestResult + 10));
    const cut = write({}, long);
    assert.ok(cut.length < longestResult + 500);
    assert.match(cut, /\nTruncated\. .*Open Output.*\n$/);
    assert.equal(write({}, long, "whole"), long);
    assert.deepEqual([isCut(long, "result"), isCut(long, "whole")], [true, false]);
  });

  it("is never truncated because of its indentation", () => {
    const wide = `[${"1,".repeat(longestResult / 2 - 2)}1]`;
    assert.ok(!isCut(wide, "result"));
    assert.equal(JSON.parse(write({}, wide)).length, longestResult / 2 - 1);
  });
});

describe("the title of an output", () => {
  it("leaves duration, cost and ID to the measures", () => {
    assert.equal(measures({ amountCents: 3, currency: "EUR" }), "12 ms · €0.03 · 63615c78");
  });

  it("ends a shortened ID with …, and has the whole one in the details", () => {
    const invocationId = "63615c78-5f16-42fe-bc72-2c2f96566619";
    const { measures: text, details } = titleOf({ invocationId, environment: "staging" });
    assert.match(text, / · 63615c78…$/);
    assert.match(details, /:31.* · 63615c78-5f16-42fe-bc72-2c2f96566619 · .* · staging$/);
    assert.match(details, /registry\.example/);
  });

  it("shows durations above one second in seconds", () => {
    assert.match(measures({ durationMs: 10_016 }), /^10\.0 s · /);
  });

  it("has the date in the details if the invocation is from another day", () => {
    assert.match(titleOf({ startedAt: now - 86_400_000 }).details, /^Nov 19, 2026, /);
  });

  it("marks the built-in registry's cost as a sample", () => {
    const facts = { registry: "built-in", amountCents: 2, currency: "USD" };
    assert.match(measures(facts), / · \$0\.02 \(sample\) · /);
  });

  it("says how an invocation ended that did not succeed", () => {
    assert.equal(title({ status: "blocked" }), "blocked");
    const foreign = titleOf({ status: "not executed" });
    assert.equal(foreign.title, "Not the output of this skill");
    assert.match(foreign.details, /^The registry does not run this skill\. · /);
  });

  it("keeps a registry's words on one line", () => {
    const hostile = 'x\n{"fake": 1}\r\u2028\u0085// ';
    const facts = { invocationId: hostile, registry: hostile, currency: hostile, amountCents: 1 };
    const texts = Object.values(titleOf({ status: "error", ...facts })).join("");
    assert.doesNotMatch(texts, /[\n\r\u2028\u2029\u0085]/);
  });
});

describe("the title of an output", () => {
  const elsewhere = (window: { registry: string; environment?: string }, environment?: string) =>
    outputTitle(environment === undefined ? record : { ...record, environment }, {
      language: english,
      now,
      window,
    }).title;

  it("names registry and environment first unless the window uses both", () => {
    const { registry } = record;
    assert.equal(elsewhere({ registry }), "");
    assert.equal(elsewhere({ registry: "built-in" }), "https://registry.example");
    assert.equal(elsewhere({ registry }, "staging"), "staging (https://registry.example)");
    assert.equal(elsewhere({ registry, environment: "staging" }), "https://registry.example");
  });
});
