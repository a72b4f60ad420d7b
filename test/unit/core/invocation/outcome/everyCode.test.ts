import assert from "node:assert/strict";
import { describe, it } from "mocha";
import type {
  InvocationOutcome,
  RefusalReason,
} from "../../../../../src/core/invocation/invocation";
import { reasonOfCode } from "../../../../../src/core/invocation/outcome/errorCodes";
import { errorCodeWords } from "../../../../../src/core/invocation/outcome/errorCodeWords";
import { outcomeNotice } from "../../../../../src/core/invocation/outcome/outcomeNotice";
import { english } from "../../../../../src/core/text/language";
import type { NextStepAction } from "../../../../../src/core/text/notice";

/** Every code of the runtime route, with the case it belongs to and the step that comes first. */
const codes: readonly (readonly [string, RefusalReason, NextStepAction])[] = [
  ["missing_api_key", "missingKey", "setProjectKey"],
  ["invalid_api_key", "unauthorized", "setProjectKey"],
  ["insufficient_scope", "unauthorized", "setProjectKey"],
  ["missing_skill_slug", "validation", "showInput"],
  ["validation_error", "validation", "showInput"],
  ["skill_not_installed", "policy", "openSkill"],
  ["install_not_active", "policy", "openSkill"],
  ["skill_not_allowed", "policy", "openSkill"],
  ["skill_not_verified", "policy", "openSkill"],
  ["skill_not_approved", "policy", "openSkill"],
  ["policy_missing", "policy", "openSkill"],
  ["policy_approval_required", "policy", "openSkill"],
  ["permission_level_exceeded", "policy", "openSkill"],
  ["network_not_allowed", "policy", "openSkill"],
  ["browser_not_allowed", "policy", "openSkill"],
  ["filesystem_not_allowed", "policy", "openSkill"],
  ["secrets_not_allowed", "policy", "openSkill"],
  ["budget_exceeded", "policy", "openSkill"],
  ["rate_limit_exceeded", "rateLimit", "sendWhenAllowed"],
  ["rate_limited", "rateLimit", "sendWhenAllowed"],
  ["too_many_requests", "rateLimit", "sendWhenAllowed"],
  ["subscription_required", "payment", "openSkill"],
  ["subscription_past_due", "payment", "openSkill"],
  ["subscription_paused", "payment", "openSkill"],
  ["subscription_canceled", "payment", "openSkill"],
  ["subscription_period_expired", "payment", "openSkill"],
  ["payment_required", "payment", "openSkill"],
  ["payment_not_configured", "payment", "openSkill"],
  ["prelaunch_payment_gate", "payment", "openSkill"],
  ["skill_not_found", "notFound", "openSkill"],
  ["payload_too_large", "tooLarge", "showInput"],
];

function refused(reason: RefusalReason, code: string): InvocationOutcome {
  return { kind: "refused", reason, status: 403, durationMs: 1, code, invocationId: "id-1" };
}

describe("every code of the runtime route", () => {
  for (const [code, reason, action] of codes) {
    it(`${code}: its own words, and ${action} first`, () => {
      assert.equal(reasonOfCode(code), reason);
      assert.match(errorCodeWords(code)?.text ?? "", /\w+ .*\.$/);
      const notice = outcomeNotice("s", refused(reason, code), english);
      assert.equal(notice?.steps[0]?.action, action);
      assert.ok((notice?.steps.length ?? 0) <= 3);
    });
  }

  it("has words of its own among the gates", () => {
    const gates = codes.filter(([, reason]) => reason === "policy" || reason === "payment");
    const messages = gates.map(
      ([code, reason]) => outcomeNotice("s", refused(reason, code), english)?.message,
    );
    assert.equal(new Set(messages).size, gates.length);
  });

  it("is found whatever its spelling", () => {
    assert.equal(errorCodeWords("BUDGET-EXCEEDED"), errorCodeWords("budget_exceeded"));
    assert.equal(errorCodeWords("__proto__"), undefined);
  });

  it("that is not known shows the registry's words and the ID, and offers a report", () => {
    const outcome = { ...refused("policy", "moon_phase_wrong"), message: "Try at full moon" };
    const notice = outcomeNotice("s", outcome as InvocationOutcome, english);
    assert.match(notice?.message ?? "", /Try at full moon\. Code: moon_phase_wrong\. .*id-1/);
    assert.ok(notice?.steps.some(({ action: offered }) => offered === "copyReport"));
  });
});
