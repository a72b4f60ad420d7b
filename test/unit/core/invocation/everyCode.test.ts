import assert from "node:assert/strict";
import { describe, it } from "mocha";
import {
  contradictsSkill,
  errorCodeText,
  reasonOfCode,
} from "../../../../src/core/invocation/errorCodes";
import type { InvocationOutcome, RefusalReason } from "../../../../src/core/invocation/invocation";
import { outcomeNotice } from "../../../../src/core/invocation/outcomeNotice";
import { errorCodes } from "../../../../src/core/project/gateway/codes";
import { english } from "../../../../src/core/text/language";
import type { NoticeActionName } from "../../../../src/core/text/notice";
import { notificationText } from "../../../../src/core/text/plainText";

/** Every code of the runtime route, with its reason and its first action. */
const codes: readonly (readonly [string, RefusalReason, NoticeActionName])[] = [
  ["missing_api_key", "missingKey", "setProjectKey"],
  ["invalid_api_key", "unauthorized", "setProjectKey"],
  ["unauthorized", "unauthorized", "setProjectKey"],
  ["insufficient_scope", "unauthorized", "setProjectKey"],
  ["missing_skill_slug", "validation", "copyReport"],
  ["validation_error", "validation", "showInput"],
  ["validation_failed", "validation", "showInput"],
  ["invalid_input", "validation", "showInput"],
  ["skill_not_installed", "policy", "installSkill"],
  ["install_not_active", "policy", "restoreSkill"],
  ["skill_not_allowed", "policy", "openSkill"],
  ["skill_not_verified", "policy", "askPublisher"],
  ["skill_not_approved", "policy", "approveSkill"],
  ["policy_missing", "policy", "installSkill"],
  ["policy_approval_required", "policy", "approveSkill"],
  ["permission_level_exceeded", "policy", "allowInPolicy"],
  ["network_not_allowed", "policy", "allowInPolicy"],
  ["browser_not_allowed", "policy", "allowInPolicy"],
  ["filesystem_not_allowed", "policy", "allowInPolicy"],
  ["secrets_not_allowed", "policy", "allowInPolicy"],
  ["budget_exceeded", "policy", "editPolicy"],
  ["rate_limit_exceeded", "rateLimit", "sendWhenAllowed"],
  ["rate_limited", "rateLimit", "sendWhenAllowed"],
  ["too_many_requests", "rateLimit", "sendWhenAllowed"],
  ["subscription_required", "payment", "openCheckout"],
  ["subscription_past_due", "payment", "openRegistry"],
  ["subscription_paused", "payment", "openRegistry"],
  ["subscription_canceled", "payment", "openCheckout"],
  ["subscription_period_expired", "payment", "openCheckout"],
  ["payment_required", "payment", "openRegistry"],
  ["payment_not_configured", "payment", "openRegistry"],
  ["prelaunch_payment_gate", "payment", "openSkill"],
  ["skill_not_found", "notFound", "openSkill"],
  ["not_found", "notFound", "openSkill"],
  ["payload_too_large", "tooLarge", "showInput"],
];

function refused(reason: RefusalReason, code: string, message?: string): InvocationOutcome {
  const words = message === undefined ? {} : { message };
  return {
    kind: "refused",
    reason,
    status: 403,
    durationMs: 1,
    code,
    invocationId: "id-1",
    ...words,
  };
}

function told(reason: RefusalReason, code: string, message?: string) {
  const notice = outcomeNotice("s", refused(reason, code, message), english);
  assert.ok(notice !== undefined);
  const actions = notice.actions.map(({ action }) => action);
  return { message: notice.message, actions };
}

describe("every code of the runtime route", () => {
  it("has a test case", () => {
    assert.deepEqual(codes.map(([code]) => code).sort(), errorCodes.toSorted());
  });

  for (const [code, reason, action] of codes) {
    it(`has its own text on the screen, and ${action} first: ${code}`, () => {
      assert.equal(reasonOfCode(code), reason);
      const { message, actions } = told(reason, code);
      assert.ok(message.startsWith(`s was not run: ${errorCodeText(code)?.text}`), message);
      assert.equal(actions[0], action);
      assert.ok(actions.length <= 3);
      assert.equal(new Set(actions).size, actions.length);
      // A known code's message needs neither the code nor the ID.
      assert.doesNotMatch(message, new RegExp(`${code}|id-1`));
    });
  }

  it("has a text of its own, except for listed groups of codes", () => {
    const messages = codes.map(([code, reason]) => told(reason, code).message);
    const same = [
      ["validation_error", "validation_failed", "invalid_input"],
      ["rate_limited", "too_many_requests"],
      ["skill_not_found", "not_found"],
    ];
    const doubled = same.reduce((sum, { length }) => sum + length - 1, 0);
    assert.equal(new Set(messages).size, codes.length - doubled);
  });

  const meanings: readonly (readonly [string, RegExp])[] = [
    ["skill_not_approved", /owner or admin .* must approve/],
    ["skill_not_allowed", /registry has rejected or suspended it/],
    ["skill_not_installed", /this version is not installed.*the installed version/],
    ["install_not_active", /suspended or removed/],
  ];
  for (const [code, meaning] of meanings) {
    it(`explains what the gateway means by ${code}`, () => {
      assert.match(told("policy", code).message, meaning);
    });
  }

  it("about the skill's status contradicts the status that was read", () => {
    const contradicting = codes.filter(([code, reason]) => contradictsSkill({ reason, code }));
    assert.deepEqual(
      contradicting.map(([code]) => code),
      ["skill_not_allowed", "skill_not_verified", "skill_not_found", "not_found"],
    );
  });

  it("about the input names the registry's findings", () => {
    const { message } = told("validation", "validation_error", "text must not be empty");
    assert.equal(
      message,
      "s was not run: the registry rejected the payload: text must not be empty.",
    );
  });

  it("is recognized in any spelling", () => {
    assert.equal(errorCodeText("BUDGET-EXCEEDED"), errorCodeText("budget_exceeded"));
    assert.equal(errorCodeText("missing_scope"), errorCodeText("insufficient_scope"));
    assert.equal(errorCodeText("__proto__"), undefined);
  });

  const reasons = [...new Set(codes.map(([, reason]) => reason)), "registryError"] as const;
  for (const reason of reasons.filter((name) => name !== "missingKey")) {
    it(`that is unknown shows the registry's words, code and ID, and a report, in a response of ${reason}`, () => {
      const { message, actions } = told(reason, "moon_phase_wrong", "Try at full moon");
      assert.match(message, /: Try at full moon\. Code: moon_phase_wrong\. Invocation ID: id-1\./);
      assert.ok(actions.includes("copyReport"));
      assert.ok(actions.length <= 3);
    });
  }

  it("leaves room for code and ID, however long the registry's message is", () => {
    const { message } = told("policy", "moon_phase_wrong", "moon ".repeat(400));
    assert.match(notificationText(message), /… Code: moon_phase_wrong\. Invocation ID: id-1\.$/);
  });
});
