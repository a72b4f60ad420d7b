import assert from "node:assert/strict";
import { describe, it } from "mocha";
import {
  classifyResponse,
  type ResponseFacts,
  type ResponseKind,
} from "../../../../../src/core/invocation/response/classifyResponse";

const plain: Omit<ResponseFacts, "status"> = {
  isReadable: true,
  isForeign: false,
  hasInvocationId: false,
  hasOutput: false,
  hasError: false,
  lacksScope: false,
  hasLocation: false,
};

const codes: Readonly<Record<string, readonly string[]>> = {
  missingKey: ["missing_api_key"],
  unauthorized: ["invalid_api_key", "insufficient_scope", "missing_scope", "scope_denied"],
  validation: ["missing_skill_slug"],
  policy: [
    "skill_not_installed",
    "install_not_active",
    "skill_not_allowed",
    "skill_not_verified",
    "skill_not_approved",
    "policy_missing",
    "policy_approval_required",
    "permission_level_exceeded",
    "network_not_allowed",
    "browser_not_allowed",
    "filesystem_not_allowed",
    "secrets_not_allowed",
    "budget_exceeded",
  ],
  rateLimit: ["rate_limit_exceeded", "RATE-LIMIT-EXCEEDED", "rateLimitExceeded"],
  payment: [
    "subscription_required",
    "subscription_past_due",
    "subscription_paused",
    "subscription_canceled",
    "subscription_period_expired",
    "payment_not_configured",
    "prelaunch_payment_gate",
  ],
};

describe("classifyResponse", () => {
  for (const [kind, list] of Object.entries(codes)) {
    for (const code of list) {
      it(`uses the code ${code}`, () => {
        for (const status of [400, 403, 500]) {
          assert.equal(classifyResponse({ ...plain, status, code }), kind);
        }
      });
    }
  }

  const cases: readonly (readonly [string, Partial<ResponseFacts>, ResponseKind])[] = [
    ["a success", { status: 200, runStatus: "success", hasInvocationId: true }, "success"],
    ["an output without a status", { status: 200, hasOutput: true }, "success"],
    ["an ID alone", { status: 200, hasInvocationId: true }, "success"],
    ["an accepted request", { status: 202, hasInvocationId: true }, "waiting"],
    ["a failed run", { status: 502, runStatus: "error", hasInvocationId: true }, "skillError"],
    [
      "a failed run with a code like the registry's",
      { status: 502, runStatus: "error", hasInvocationId: true, code: "rate_limit_exceeded" },
      "skillError",
    ],
    [
      "a refusal that has a status and an ID",
      { status: 403, runStatus: "error", hasInvocationId: true, code: "budget_exceeded" },
      "policy",
    ],
    [
      "a failed run with status 422",
      { status: 422, runStatus: "error", hasInvocationId: true },
      "skillError",
    ],
    ["a failed run with status 200", { status: 200, runStatus: "error" }, "skillError"],
    ["a refusal with status 200", { status: 200, code: "budget_exceeded" }, "policy"],
    ["an empty success", { status: 200 }, "unknown"],
    ["a page in place of a success", { status: 200, isReadable: false }, "unknown"],
    ["no content", { status: 204, isReadable: false }, "unknown"],
    ["a redirect", { status: 307, hasLocation: true }, "redirected"],
    ["a redirect to nowhere", { status: 304 }, "unknown"],
    ["400", { status: 400 }, "validation"],
    ["401", { status: 401 }, "unauthorized"],
    ["401 with an unknown code", { status: 401, code: "who_are_you" }, "unauthorized"],
    ["402", { status: 402 }, "payment"],
    ["403", { status: 403 }, "policy"],
    ["403 with an unknown code", { status: 403, code: "moon_phase" }, "policy"],
    ["403 for a missing scope", { status: 403, lacksScope: true }, "unauthorized"],
    ["404", { status: 404 }, "notFound"],
    ["501 with an invocation ID", { status: 501, hasInvocationId: true }, "registryError"],
    ["413", { status: 413 }, "tooLarge"],
    ["422", { status: 422 }, "validation"],
    ["429", { status: 429 }, "rateLimit"],
    ["500 with words", { status: 500 }, "registryError"],
    ["500 without words", { status: 500, isReadable: false }, "unknown"],
    ["502 of a proxy", { status: 502, isReadable: false }, "unknown"],
    ["502 with words and no ID", { status: 502 }, "unknown"],
    ["503", { status: 503, isReadable: false }, "registryError"],
    ["504", { status: 504 }, "unknown"],
    ["520 of a proxy", { status: 520, isReadable: false }, "unknown"],
  ];
  for (const [name, facts, kind] of cases) {
    it(`reads ${name}`, () =>
      assert.equal(classifyResponse({ ...plain, status: 200, ...facts }), kind));
  }

  for (const status of [405, 407, 411, 414, 415, 417, 421, 425, 426, 428, 431, 501, 505, 511]) {
    it(`reads ${status} as not performed, with and without a message`, () => {
      for (const isReadable of [true, false]) {
        assert.equal(classifyResponse({ ...plain, status, isReadable }), "notPerformed");
      }
    });
  }

  for (const status of [408, 409, 410, 423, 424, 503]) {
    it(`leaves open after ${status} whether the skill ran`, () => {
      const reason = classifyResponse({ ...plain, status });
      assert.ok(reason === "registryError" || reason === "unknown", reason);
    });
  }
});
