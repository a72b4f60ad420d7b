import { type LocalizableText, l10nText } from "../text/language";
import type { InvocationOutcome, RefusalReason } from "./invocation";

/** The error codes that the public gateway's runtime route was seen to return, by case. */
export const codesByReason = {
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
} as const satisfies Partial<Record<RefusalReason, readonly string[]>>;

/** One of them. */
type ErrorCode = (typeof codesByReason)[keyof typeof codesByReason][number];

/**
 * Finds the case an error code belongs to. Spelling is forgiven (`RATE-LIMIT-EXCEEDED`); a code
 * about scopes is about the key. Undefined for a code the contract does not know.
 */
export function reasonOfCode(code: string): RefusalReason | undefined {
  const spelled = spellCode(code);
  for (const [reason, codes] of Object.entries(codesByReason)) {
    if (codes.some((one) => one === spelled)) return reason as RefusalReason;
  }
  return /(^|_)scopes?(_|$)/.test(spelled) ? "unauthorized" : undefined;
}

/** Normalizes a code to the contract's spelling: lower case with underscores. */
export function spellCode(code: string): string {
  return code
    .replace(/([a-z])([A-Z])/g, "$1_$2")
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "_");
}

/** Returns whether a code means that the project of a test run does not exist. */
export function isProjectGone(code = ""): boolean {
  return spellCode(code) === "project_not_found";
}

/** Returns whether a refusal contradicts the skill's description as it was read. */
export function contradictsSkill({ reason, code = "" }: { reason: RefusalReason; code?: string }) {
  const isAboutStatus = ["skill_not_verified", "skill_not_allowed"].includes(spellCode(code));
  return isAboutStatus || (reason === "notFound" && !isProjectGone(code));
}

/**
 * Explains each error code of the runtime route, and what to do. Each text completes
 * “<skill> was not run: …”; with a capital letter it stands alone.
 */
export const errorCodeTexts: Readonly<Record<ErrorCode, LocalizableText>> = {
  missing_api_key: l10nText("the registry requires a Project Key. Set one."),
  invalid_api_key: l10nText(
    "the registry does not know this Project Key. Set the key of this project.",
  ),
  unauthorized: l10nText("the registry did not accept the Project Key. Set another one."),
  insufficient_scope: l10nText(
    "the Project Key does not allow such invocations. Set one that does.",
  ),
  missing_skill_slug: l10nText("the request lacked the skill's name. Please report this."),
  validation_error: l10nText("the registry rejected the payload."),
  validation_failed: l10nText("the registry rejected the payload."),
  invalid_input: l10nText("the registry rejected the payload."),
  skill_not_installed: l10nText(
    "this version is not installed in this project. Install it, or invoke the installed version if there is one.",
  ),
  install_not_active: l10nText(
    "its installation in this project is suspended or removed. Restore it in the project.",
  ),
  skill_not_allowed: l10nText("the registry has rejected or suspended it. Use another skill."),
  skill_not_verified: l10nText(
    "the registry has not verified it yet, or is reviewing a new version. No version can be invoked until the review ends.",
  ),
  skill_not_approved: l10nText(
    "an owner or admin of the organization must approve its installation first.",
  ),
  // With an install the registry writes a policy where none exists.
  policy_missing: l10nText("this project has no policy for it. Install it again to get one."),
  policy_approval_required: l10nText(
    "this project's policy requires an approval first. Have the skill approved in the project.",
  ),
  permission_level_exceeded: l10nText(
    "its permission level is above what this project's policy allows. Raise the policy's limit.",
  ),
  network_not_allowed: l10nText(
    "it uses the network, which this project's policy does not allow. Allow it in the policy.",
  ),
  browser_not_allowed: l10nText(
    "it uses a browser, which this project's policy does not allow. Allow it in the policy.",
  ),
  filesystem_not_allowed: l10nText(
    "it uses files in a way that this project's policy does not allow. Allow it in the policy.",
  ),
  secrets_not_allowed: l10nText(
    "it needs secrets, which this project's policy does not allow. Allow it in the policy.",
  ),
  budget_exceeded: l10nText(
    "this project's monthly budget for it is used up. Raise the budget in the policy.",
  ),
  subscription_required: l10nText(
    "it needs a subscription, which this project does not have. Subscribe to it in the project.",
  ),
  subscription_past_due: l10nText(
    "a payment for its subscription is overdue. Settle it in the project.",
  ),
  subscription_paused: l10nText("its subscription is paused. Resume it in the project."),
  subscription_canceled: l10nText("its subscription was canceled. Subscribe again in the project."),
  subscription_period_expired: l10nText("its subscription has expired. Renew it in the project."),
  payment_required: l10nText("the registry requires a payment first. Settle it in the project."),
  payment_not_configured: l10nText(
    "payment is not set up for this project. Set it up in the project.",
  ),
  prelaunch_payment_gate: l10nText("payment for it is not available yet."),
  rate_limit_exceeded: l10nText("it was invoked too often in the last minute."),
  rate_limited: l10nText("it was invoked too often."),
  too_many_requests: l10nText("it was invoked too often."),
  skill_not_found: l10nText("the registry has no such skill or version."),
  not_found: l10nText("the registry has no such skill or version."),
  payload_too_large: l10nText("the payload is too large for the registry."),
};

/** Explains an error code, whatever its spelling. Undefined for a code the contract does not know. */
export function errorCodeText(code: string | undefined): LocalizableText | undefined {
  if (code === undefined) return undefined;
  const texts: Readonly<Record<string, LocalizableText>> = errorCodeTexts;
  const spelled = spellCode(code);
  if (Object.hasOwn(texts, spelled)) return texts[spelled];
  // Any other code about scopes gets the text of insufficient_scope.
  return reasonOfCode(code) === undefined ? undefined : errorCodeTexts.insufficient_scope;
}

/** The parts of a response of the runtime route that decide its kind. */
export interface ResponseFacts {
  /** The HTTP status. */
  readonly status: number;
  /** False where the body is not a JSON object. */
  readonly isReadable: boolean;
  readonly code?: string;
  /** The body's own `status`, such as success or error. */
  readonly runStatus?: string;
  readonly hasInvocationId: boolean;
  readonly hasOutput: boolean;
  /** `WWW-Authenticate` names `insufficient_scope`. */
  readonly lacksScope: boolean;
  /** A `Location` is given. */
  readonly hasLocation: boolean;
}

/**
 * What a response is: the skill's result, the skill's failure, a refusal by its reason, or `unknown` where
 * the invocation may have run and the response does not tell.
 */
export type ResponseKind = "success" | "skillError" | "unknown" | RefusalReason;

/** Classifies a response of the runtime route: by code first, then by status. */
export function classifyResponse(facts: ResponseFacts): ResponseKind {
  if (facts.status < 300) return classifySuccess(facts);
  if (facts.status < 400) return facts.hasLocation ? "redirected" : "unknown";
  const hasRun = facts.runStatus === "error" && facts.hasInvocationId;
  // The error code of a failed run is the skill's own and may look like one of the registry's.
  if (hasRun && facts.status >= 500) return "skillError";
  const byCode = facts.code === undefined ? undefined : reasonOfCode(facts.code);
  return byCode ?? (hasRun ? "skillError" : reasonOfStatus(facts));
}

function classifySuccess(facts: ResponseFacts): ResponseKind {
  if (facts.runStatus === "error") return "skillError";
  if (facts.hasOutput || facts.runStatus === "success") return "success";
  const byCode = facts.code === undefined ? undefined : reasonOfCode(facts.code);
  return byCode ?? (facts.hasInvocationId ? "success" : "unknown");
}

function reasonOfStatus(facts: ResponseFacts): ResponseKind {
  switch (facts.status) {
    case 400:
    case 422:
      return "validation";
    case 401:
      return "unauthorized";
    case 402:
      return "payment";
    case 403:
      return facts.lacksScope ? "unauthorized" : "policy";
    case 404:
      return "notFound";
    case 413:
      return "tooLarge";
    case 429:
      return "rateLimit";
    // These often come from in front of the registry, and then without its words.
    case 501:
    case 503:
    case 505:
      return "registryError";
    // The upstream may have run the skill before the gateway lost it.
    case 502:
    case 504:
      return "unknown";
    default:
      return facts.status >= 500 && !facts.isReadable ? "unknown" : "registryError";
  }
}

/**
 * Reads the outcome of a test run, whose route is for signed-in users: 401 and 403 are about the user instead
 * of a key, and the gateway also responds with 400 and no runtime code while its database is down. Test runs
 * are not billed.
 */
export function asTestRun(outcome: InvocationOutcome): InvocationOutcome {
  if (outcome.kind === "notSent" || outcome.kind === "outcomeUnknown") return outcome;
  return outcome.kind === "refused"
    ? { ...outcome, reason: testRunReason(outcome) }
    : { billable: false, ...outcome };
}

function testRunReason(outcome: Extract<InvocationOutcome, { kind: "refused" }>): RefusalReason {
  const { status, reason, code, message } = outcome;
  const isCodeless = code === undefined || ["bad_request", "forbidden"].includes(spellCode(code));
  switch (status) {
    case 401:
      return "signedOut";
    case 400:
      return isCodeless ? "registryError" : reason;
    case 403:
      return isCodeless ? "wrongRole" : reason;
    case 404:
      return code === undefined && message === undefined ? "notOffered" : reason;
    case 405:
    case 501:
      return "notOffered";
    default:
      return reason;
  }
}
