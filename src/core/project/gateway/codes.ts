import type { RefusalReason } from "../../invocation/invocation";
import { type LocalizableText, l10nText } from "../../text/language";
import type { NoticeActionName } from "../../text/notice";

/** The checks before an invocation runs, in the gateway's order. */
export const projectCheckNames = [
  "installed",
  "active",
  "allowed",
  "verified",
  "approved",
  "policy",
  "policyApproval",
  "level",
  "network",
  "browser",
  "filesystem",
  "secrets",
  "rate",
  "budget",
  "subscription",
] as const;

/** One of the checks. */
export type ProjectCheckName = (typeof projectCheckNames)[number];

/** The actions with which a project's members can unblock an invocation. */
export const remedyNames = [
  "installSkill",
  "restoreSkill",
  "approveSkill",
  "allowInPolicy",
  "editPolicy",
  "openCheckout",
  "askOwner",
  "askPublisher",
] as const satisfies readonly NoticeActionName[];

export type RemedyName = (typeof remedyNames)[number];

/** The action with which a project's members can remove the cause of a code. */
interface Remedy {
  readonly action: RemedyName;
  readonly title: LocalizableText;
}

const install = { action: "installSkill", title: l10nText("Install…") } as const;
const restore = { action: "restoreSkill", title: l10nText("Restore…") } as const;
const approve = { action: "approveSkill", title: l10nText("Approve…") } as const;
const allow = { action: "allowInPolicy", title: l10nText("Allow in Policy…") } as const;
const askPublisher = { action: "askPublisher", title: l10nText("Ask Publisher…") } as const;
const raiseBudget = { action: "editPolicy", title: l10nText("Raise Budget…") } as const;
const subscribe = { action: "openCheckout", title: l10nText("Subscribe…") } as const;

/** The known facts about an error code. */
interface CodeRow {
  readonly reason: RefusalReason;
  /** Why, and what to do. Completes “<skill> was not run: …”; also stands alone with a capital letter. */
  readonly text: LocalizableText;
  /** Null if no action of a project's members helps. Only codes about policy and payment have a remedy. */
  readonly remedy: Remedy | null;
  /** The check that predicts the code from a project's data; null for none. */
  readonly check: ProjectCheckName | null;
}

/**
 * The error codes that the public gateway's runtime route returned so far, grouped by reason. A registry may have
 * others.
 */
export const codes = {
  missing_api_key: {
    reason: "missingKey",
    text: l10nText("the registry requires a Project Key. Set one."),
    remedy: null,
    check: null,
  },
  invalid_api_key: {
    reason: "unauthorized",
    text: l10nText("the registry does not know this Project Key. Set the key of this project."),
    remedy: null,
    check: null,
  },
  unauthorized: {
    reason: "unauthorized",
    text: l10nText("the registry did not accept the Project Key. Set another one."),
    remedy: null,
    check: null,
  },
  insufficient_scope: {
    reason: "unauthorized",
    text: l10nText("the Project Key does not allow such invocations. Set one that does."),
    remedy: null,
    check: null,
  },
  missing_skill_slug: {
    reason: "validation",
    text: l10nText("the request lacked the skill's name. Please report this."),
    remedy: null,
    check: null,
  },
  validation_error: {
    reason: "validation",
    text: l10nText("the registry rejected the payload."),
    remedy: null,
    check: null,
  },
  validation_failed: {
    reason: "validation",
    text: l10nText("the registry rejected the payload."),
    remedy: null,
    check: null,
  },
  invalid_input: {
    reason: "validation",
    text: l10nText("the registry rejected the payload."),
    remedy: null,
    check: null,
  },
  skill_not_installed: {
    reason: "policy",
    text: l10nText(
      "this version is not installed in this project. Install it, or invoke the installed version if there is one.",
    ),
    remedy: install,
    check: "installed",
  },
  install_not_active: {
    reason: "policy",
    text: l10nText(
      "its installation in this project is suspended or removed. Restore it in the project.",
    ),
    remedy: restore,
    check: "active",
  },
  skill_not_allowed: {
    reason: "policy",
    text: l10nText("the registry has rejected or suspended it. Use another skill."),
    remedy: null,
    check: "allowed",
  },
  // A skill is verified for all projects or for none, so this project cannot change that.
  skill_not_verified: {
    reason: "policy",
    text: l10nText(
      "the registry has not verified it yet, or is reviewing a new version. No version can be invoked until the review ends.",
    ),
    remedy: askPublisher,
    check: "verified",
  },
  skill_not_approved: {
    reason: "policy",
    text: l10nText("an owner or admin of the organization must approve its installation first."),
    remedy: approve,
    check: "approved",
  },
  // Installing a skill also creates its policy if the project has none.
  policy_missing: {
    reason: "policy",
    text: l10nText("this project has no policy for it. Install it again to get one."),
    remedy: install,
    check: "policy",
  },
  policy_approval_required: {
    reason: "policy",
    text: l10nText(
      "this project's policy requires an approval first. Have the skill approved in the project.",
    ),
    remedy: approve,
    check: "policyApproval",
  },
  permission_level_exceeded: {
    reason: "policy",
    text: l10nText(
      "its permission level is above what this project's policy allows. Raise the policy's limit.",
    ),
    remedy: allow,
    check: "level",
  },
  network_not_allowed: {
    reason: "policy",
    text: l10nText(
      "it uses the network, which this project's policy does not allow. Allow it in the policy.",
    ),
    remedy: allow,
    check: "network",
  },
  browser_not_allowed: {
    reason: "policy",
    text: l10nText(
      "it uses a browser, which this project's policy does not allow. Allow it in the policy.",
    ),
    remedy: allow,
    check: "browser",
  },
  filesystem_not_allowed: {
    reason: "policy",
    text: l10nText(
      "it uses files in a way that this project's policy does not allow. Allow it in the policy.",
    ),
    remedy: allow,
    check: "filesystem",
  },
  secrets_not_allowed: {
    reason: "policy",
    text: l10nText(
      "it needs secrets, which this project's policy does not allow. Allow it in the policy.",
    ),
    remedy: allow,
    check: "secrets",
  },
  budget_exceeded: {
    reason: "policy",
    text: l10nText(
      "this project's monthly budget for it is used up. Raise the budget in the policy.",
    ),
    remedy: raiseBudget,
    check: "budget",
  },
  rate_limit_exceeded: {
    reason: "rateLimit",
    text: l10nText("it was invoked too often in the last minute."),
    remedy: null,
    check: "rate",
  },
  rate_limited: {
    reason: "rateLimit",
    text: l10nText("it was invoked too often."),
    remedy: null,
    check: null,
  },
  too_many_requests: {
    reason: "rateLimit",
    text: l10nText("it was invoked too often."),
    remedy: null,
    check: null,
  },
  subscription_required: {
    reason: "payment",
    text: l10nText(
      "it needs a subscription, which this project does not have. Subscribe to it in the project.",
    ),
    remedy: subscribe,
    check: "subscription",
  },
  subscription_past_due: {
    reason: "payment",
    text: l10nText("a payment for its subscription is overdue. Settle it in the project."),
    remedy: null,
    check: "subscription",
  },
  subscription_paused: {
    reason: "payment",
    text: l10nText("its subscription is paused. Resume it in the project."),
    remedy: null,
    check: "subscription",
  },
  subscription_canceled: {
    reason: "payment",
    text: l10nText("its subscription was canceled. Subscribe again in the project."),
    remedy: subscribe,
    check: "subscription",
  },
  subscription_period_expired: {
    reason: "payment",
    text: l10nText("its subscription has expired. Renew it in the project."),
    remedy: subscribe,
    check: "subscription",
  },
  payment_required: {
    reason: "payment",
    text: l10nText("the registry requires a payment first. Settle it in the project."),
    remedy: null,
    check: null,
  },
  payment_not_configured: {
    reason: "payment",
    text: l10nText("payment is not set up for this project. Set it up in the project."),
    remedy: null,
    check: null,
  },
  prelaunch_payment_gate: {
    reason: "payment",
    text: l10nText("payment for it is not available yet."),
    remedy: null,
    check: null,
  },
  skill_not_found: {
    reason: "notFound",
    text: l10nText("the registry has no such skill or version."),
    remedy: null,
    check: null,
  },
  not_found: {
    reason: "notFound",
    text: l10nText("the registry has no such skill or version."),
    remedy: null,
    check: null,
  },
  payload_too_large: {
    reason: "tooLarge",
    text: l10nText("the payload is too large for the registry."),
    remedy: null,
    check: null,
  },
} as const satisfies Readonly<Record<string, CodeRow>>;

/** An error code of the table. */
export type ErrorCode = keyof typeof codes;

/** All codes, in the order of the table. */
export const errorCodes = Object.keys(codes) as readonly ErrorCode[];

/** Codes that the given check predicts from a project's data; without a type argument, that any check predicts. */
export type BlockCode<Check extends ProjectCheckName = ProjectCheckName> = {
  [Code in ErrorCode]: (typeof codes)[Code]["check"] extends Check ? Code : never;
}[ErrorCode];

/** Codes with a given remedy. */
export type CodeWithRemedy<Name extends RemedyName> = {
  [Code in ErrorCode]: (typeof codes)[Code]["remedy"] extends { action: Name } ? Code : never;
}[ErrorCode];

/** Returns whether a code, in the table's exact spelling, can be predicted from a project's data. */
export function isBlockCode(code: string): code is BlockCode {
  return codeRow(code)?.check != null;
}

/** Returns the facts about a code in the table's exact spelling; undefined for any other. */
export function codeRow(code: string): CodeRow | undefined {
  return Object.hasOwn(codes, code) ? codes[code as ErrorCode] : undefined;
}

/** Normalizes a code to the contract's spelling: lower case with underscores. */
export function spellCode(code: string): string {
  return code
    .replace(/([a-z])([A-Z])/g, "$1_$2")
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "_");
}
