import type { RefusalReason } from "../invocation";

/** The codes of the runtime route by the case they belong to (wire contract, section 2). */
export const codesByReason: Readonly<Partial<Record<RefusalReason, readonly string[]>>> = {
  missingKey: ["missing_api_key"],
  unauthorized: ["invalid_api_key", "unauthorized", "insufficient_scope"],
  validation: ["missing_skill_slug", "validation_error", "validation_failed", "invalid_input"],
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
  rateLimit: ["rate_limit_exceeded", "rate_limited", "too_many_requests"],
  payment: [
    "subscription_required",
    "subscription_past_due",
    "subscription_paused",
    "subscription_canceled",
    "subscription_period_expired",
    "payment_required",
    "payment_not_configured",
    "prelaunch_payment_gate",
  ],
  notFound: ["skill_not_found", "not_found"],
  tooLarge: ["payload_too_large"],
};

/**
 * Finds the case an error code belongs to. Spelling is forgiven (`RATE-LIMIT-EXCEEDED`); a code
 * about scopes is about the key. Undefined for a code the contract does not know.
 */
export function reasonOfCode(code: string): RefusalReason | undefined {
  const spelled = spellCode(code);
  for (const [reason, codes] of Object.entries(codesByReason)) {
    if (codes.includes(spelled)) return reason as RefusalReason;
  }
  return /(^|_)scopes?(_|$)/.test(spelled) ? "unauthorized" : undefined;
}

/** Spells a code the contract's way: lower case with underscores. */
export function spellCode(code: string): string {
  return code
    .replace(/([a-z])([A-Z])/g, "$1_$2")
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "_");
}

/** Tells whether a refusal says of the skill itself what its description would have to say as well. */
export function contradictsSkill({ reason, code = "" }: { reason: RefusalReason; code?: string }) {
  const isAboutStatus = ["skill_not_verified", "skill_not_allowed"].includes(spellCode(code));
  return isAboutStatus || reason === "notFound";
}
