import assert from "node:assert/strict";
import { describe, it } from "mocha";
import { describeCallability } from "../../../../../src/core/invocation/permission/callability";
import { callabilityQuestion } from "../../../../../src/core/invocation/permission/gateNotices";
import type { InvocationRecord } from "../../../../../src/core/invocation/record/invocationRecord";
import { english } from "../../../../../src/core/text/language";
import { pastInvocation } from "../../../../fixtures/pastInvocation";
import { fullSkill, fixtureNow as now } from "../../../../fixtures/skillDetail";

const last = (change: Partial<InvocationRecord>): InvocationRecord =>
  pastInvocation(now - 10_000, {
    id: "00000000000001-abcd",
    endsBefore: now,
    registry: "https://registry.example",
    skillSlug: fullSkill.summary.slug,
    version: fullSkill.summary.version,
    status: "blocked",
    durationMs: 10,
    ...change,
  });

describe("the question before an invocation that probably cannot run", () => {
  const cases: readonly (readonly [string, Partial<InvocationRecord>, RegExp | undefined])[] = [
    ["a policy blocked the last one", { code: "budget_exceeded" }, /budget.*may have changed/],
    ["the skill was suspended", { code: "skill_not_allowed" }, /rejected or suspended/],
    ["the last one has an unknown code", { code: "odd_code" }, undefined],
    ["the last one has no code", {}, undefined],
    [
      "the last one was billed but not executed",
      { status: "not executed", amountCents: 5 },
      /billed but not executed/,
    ],
    ["the last one succeeded", { status: "success" }, undefined],
    [
      "the rate limit was reached, since the invocation then waits",
      { code: "rate_limit_exceeded" },
      undefined,
    ],
    [
      "the key was refused, since another key is then asked for",
      { status: "refused", code: "invalid_api_key" },
      undefined,
    ],
  ];
  for (const [name, change, expected] of cases) {
    it(`is ${expected === undefined ? "not " : ""}asked if ${name}`, () => {
      const advice = describeCallability(
        fullSkill,
        { hasKey: true, invocations: [last(change)], now },
        english,
      );
      const question = callabilityQuestion("s", advice, english);
      const detail = question?.detail.join(" ") ?? "";
      if (expected === undefined) assert.equal(question, undefined);
      else assert.match(detail, expected);
      // The text explains the code instead of showing it.
      assert.doesNotMatch(detail, /_/);
    });
  }
});
