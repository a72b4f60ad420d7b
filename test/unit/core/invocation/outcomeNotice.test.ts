import assert from "node:assert/strict";
import { describe, it } from "mocha";
import type { InvocationOutcome, RefusalReason } from "../../../../src/core/invocation/invocation";
import { endFacts } from "../../../../src/core/invocation/outcome";
import { endNotice, outcomeNotice } from "../../../../src/core/invocation/outcomeNotice";
import { english } from "../../../../src/core/text/language";
import { endedInvocation } from "../../../fixtures/pastInvocation";

function refused(reason: RefusalReason, code?: string): InvocationOutcome {
  return { kind: "refused", reason, status: 403, durationMs: 1, ...(code ? { code } : {}) };
}

describe("the notice of an invocation", () => {
  const cases: readonly (readonly [InvocationOutcome, status: string, firstStep: string])[] = [
    [refused("missingKey"), "refused", "setProjectKey"],
    [refused("unauthorized"), "refused", "setProjectKey"],
    [refused("validation"), "refused", "showInput"],
    [refused("policy", "skill_not_installed"), "blocked", "installSkill"],
    [refused("payment", "subscription_required"), "blocked", "openCheckout"],
    [refused("rateLimit", "rate_limit_exceeded"), "blocked", "sendWhenAllowed"],
    [refused("notFound"), "refused", "openSkill"],
    [refused("tooLarge"), "refused", "showInput"],
    [refused("redirected"), "refused", "connect"],
    [refused("notPerformed"), "refused", "sendAgain"],
    [refused("notRegistry"), "refused", "sendAgain"],
    [refused("registryError"), "outcome unknown", "showOutput"],
    [{ kind: "skillError", durationMs: 1, message: "It broke" }, "error", "showOutput"],
    [
      {
        kind: "notSent",
        failure: { kind: "unreachable", cause: "refused", detail: "ECONNREFUSED" },
      },
      "not sent",
      "sendAgain",
    ],
    [
      { kind: "outcomeUnknown", failure: { kind: "timeout", seconds: 2 }, durationMs: 2000 },
      "outcome unknown",
      "showRecord",
    ],
  ];
  for (const [outcome, status, firstStep] of cases) {
    const name = outcome.kind === "refused" ? outcome.reason : outcome.kind;
    it(`that ended as ${status} after ${name} offers ${firstStep} first`, () => {
      assert.equal(endFacts(outcome).status, status);
      assert.equal(outcomeNotice("text-stats", outcome, english)?.actions[0]?.action, firstStep);
    });
  }

  it("says if a success was not executed, and whether it was billed", () => {
    const success = { kind: "success", outputText: "{}", durationMs: 1 } as const;
    const notice = (change: object) =>
      outcomeNotice("s", { ...success, acceptedNotRun: true, ...change }, english)?.message;
    assert.match(notice({ billable: true, amountCents: 5 }) ?? "", /billed but not executed/);
    assert.match(notice({}) ?? "", /billed but not executed/);
    assert.match(notice({ billable: false }) ?? "", /accepted but not executed/);
    assert.equal(outcomeNotice("s", { ...success, acceptedNotRun: false }, english), undefined);
  });

  it("says the registry's own status if that is no success, with the ID of a result to come", () => {
    const waiting = { kind: "success", outputText: "null", acceptedNotRun: true } as const;
    const ends: readonly (readonly [object, message: RegExp])[] = [
      [
        { ...waiting, runStatus: "queued", invocationId: "i-1" },
        /not executed yet; .* “queued”\. Find its result at the registry with the ID i-1\.$/,
      ],
      [{ ...waiting, runStatus: "queued" }, /returned no ID to find its result with\.$/],
      [{ kind: "skillError", runStatus: "timeout" }, /ended without a result; .* “timeout”\.$/],
      [{ kind: "skillError", runStatus: "failed", message: "boom" }, /ran and failed: Boom\.$/i],
      [
        { kind: "outcomeUnknown", failure: { kind: "unknownStatus", word: "moon_phase" } },
        /may have run and may be billed.* “moon_phase” is unknown\.$/,
      ],
    ];
    for (const [end, message] of ends) {
      const outcome = { durationMs: 1, ...end } as InvocationOutcome;
      assert.match(outcomeNotice("s", outcome, english)?.message ?? "", message);
    }
  });

  it("says how long the rate limit holds the next one, and never that a sample is billed", () => {
    const held = endedInvocation(refused("rateLimit", "rate_limit_exceeded"), {}, 42);
    assert.match(endNotice(held, english)?.message ?? "", /in 42 seconds/);
    const stated = { kind: "refused", reason: "rateLimit", status: 429, durationMs: 1 } as const;
    const free = endedInvocation({ ...stated, retryAfterSeconds: 30 });
    assert.match(endNotice(free, english)?.message ?? "", /in 30 seconds/);
    const metered = {
      kind: "success",
      acceptedNotRun: true,
      outputText: "{}",
      durationMs: 1,
    } as const;
    const sample = endNotice(endedInvocation(metered, { registry: "built-in" }), english);
    assert.match(sample?.message ?? "", /was accepted but not executed/);
    const billed = endNotice(endedInvocation(metered, { registry: "https://a.example" }), english);
    assert.match(billed?.message ?? "", /was accepted and billed/);
  });

  it("names the other version that ran, whether it succeeded, failed or was not executed", () => {
    const success = { kind: "success", acceptedNotRun: false, outputText: "{}", durationMs: 1 };
    const ends: readonly (readonly [object, message: RegExp])[] = [
      [success, /^The registry ran version 9\.0\.0 of text-stats instead of 1\.0\.0\.$/],
      [
        { kind: "skillError", durationMs: 1, message: "It broke" },
        /^text-stats ran and failed: It broke\. The registry ran version 9\.0\.0 of /,
      ],
      [
        { ...success, acceptedNotRun: true },
        /not executed: .* The registry accepted version 9\.0\.0 of text-stats instead of 1\.0\.0\.$/,
      ],
    ];
    for (const [end, message] of ends) {
      const outcome = { ...end, version: "9.0.0" } as InvocationOutcome;
      assert.match(endNotice(endedInvocation(outcome), english)?.message ?? "", message);
      const same = { ...end, version: "v1.0.0" } as InvocationOutcome;
      assert.doesNotMatch(endNotice(endedInvocation(same), english)?.message ?? "", /instead/);
    }
  });

  it("says that characters were replaced, also beside another sentence", () => {
    const answered = { durationMs: 1, hasReplacedText: true } as const;
    const success = {
      ...answered,
      kind: "success",
      acceptedNotRun: false,
      outputText: "1",
    } as const;
    const notice = endNotice(endedInvocation(success), english);
    assert.equal(notice?.severity, "warning");
    assert.match(notice.message, /^Characters of the response .* were replaced\.$/);
    const failed = endNotice(endedInvocation({ ...answered, kind: "skillError" }), english);
    assert.match(failed?.message ?? "", /^text-stats ran and failed\. Characters of the response/);
  });

  it("describes the six error cases in different words", () => {
    const reasons: readonly RefusalReason[] = [
      "missingKey",
      "unauthorized",
      "validation",
      "policy",
      "rateLimit",
      "payment",
    ];
    const messages = reasons.map((reason) => outcomeNotice("s", refused(reason), english)?.message);
    assert.equal(new Set(messages).size, reasons.length);
  });

  it("joins several reasons in one message, and counts the rest", () => {
    const inputProblems = Array.from({ length: 9 }, (_, index) => ({
      pointer: index === 0 ? "" : `/rows/${index}`,
      message: `reason ${index}`,
    }));
    const outcome = { ...refused("validation"), message: "Not shown.", inputProblems };
    const { message = "" } = outcomeNotice("s", outcome, english) ?? {};
    assert.match(message, /: reason 0; reason 1 \(at \/rows\/1\); .+; \d more\.$/i);
    assert.doesNotMatch(message, /Not shown|undefined/);
  });

  it("is empty for a success and for an invocation canceled before sending", () => {
    const canceled: InvocationOutcome = { kind: "notSent", failure: { kind: "cancelled" } };
    assert.equal(outcomeNotice("s", canceled, english), undefined);
    assert.equal(endFacts(canceled).status, "cancelled");
    const success: InvocationOutcome = {
      kind: "success",
      durationMs: 1,
      acceptedNotRun: false,
      outputText: "1",
    };
    assert.equal(outcomeNotice("s", success, english), undefined);
    assert.equal(endFacts(success).status, "success");
  });

  it("shows the registry's words and the code if the code is unknown", () => {
    const outcome: InvocationOutcome = {
      kind: "refused",
      reason: "policy",
      status: 403,
      durationMs: 1,
      code: "moon_phase_wrong",
      message: "Try at full moon",
    };
    const message = outcomeNotice("s", outcome, english)?.message ?? "";
    assert.match(message, /Try at full moon\./);
    assert.match(message, /moon_phase_wrong/);
  });

  it("names the seconds to wait", () => {
    const outcome = { ...refused("rateLimit", "rate_limit_exceeded"), retryAfterSeconds: 42 };
    assert.match(
      outcomeNotice("s", outcome as InvocationOutcome, english)?.message ?? "",
      /42 seconds/,
    );
  });

  it("never offers to send a refused invocation again automatically", () => {
    const actions = outcomeNotice("s", refused("policy"), english)?.actions.map(
      ({ action }) => action,
    );
    assert.ok(!actions?.includes("sendAgain"));
  });
});

it("The notice of a free invocation does not mention billing", () => {
  const lost: InvocationOutcome = {
    kind: "outcomeUnknown",
    failure: { kind: "timeout", seconds: 2 },
    durationMs: 2000,
  };
  assert.match(outcomeNotice("a", lost, english)?.message ?? "", /may be billed/);
  assert.doesNotMatch(outcomeNotice("a", lost, english, false)?.message ?? "", /billed/);
});
