import type { Language } from "../text/language";
import type { InstalledSkill, ProjectSubscription } from "./project";

/** What the registry would answer to an invocation now, as far as the project's detail tells. */
export type GateAnswer =
  | { readonly kind: "allowed" }
  | { readonly kind: "blocked"; readonly code: GateCode };

/** The codes of the gateway that depend on what is known before an invocation. */
export type GateCode =
  | "install_not_active"
  | "skill_not_allowed"
  | "skill_not_verified"
  | "skill_not_approved"
  | "policy_approval_required"
  | "permission_level_exceeded"
  | "subscription_required"
  | "subscription_past_due"
  | "subscription_paused"
  | "subscription_canceled"
  | "subscription_period_expired";

/**
 * Answers what the registry would say to an invocation, in the order in which the gateway checks. Rate,
 * budget and single permissions are not part of a project's detail, so that it may still refuse.
 */
export function gateAnswer(
  skill: InstalledSkill,
  subscriptions: readonly ProjectSubscription[],
  now: number,
): GateAnswer {
  const code =
    installCode(skill) ?? policyCode(skill) ?? subscriptionCode(skill, subscriptions, now);
  return code === undefined ? { kind: "allowed" } : { kind: "blocked", code };
}

function installCode(skill: InstalledSkill): GateCode | undefined {
  const { status, verificationStatus, approvalState } = skill;
  if (status !== "installed") return "install_not_active";
  if (verificationStatus === "rejected" || verificationStatus === "suspended") {
    return "skill_not_allowed";
  }
  if (verificationStatus === "draft" || verificationStatus === "submitted") {
    return "skill_not_verified";
  }
  return approvalState === "owner_required" ? "skill_not_approved" : undefined;
}

const levels = ["low", "medium", "high"];

function policyCode({ policy, permissionLevel }: InstalledSkill): GateCode | undefined {
  if (policy === undefined) return undefined;
  if (policy.approvalRequired === true) return "policy_approval_required";
  const [level, limit] = [permissionLevel, policy.maxPermissionLevel].map((word) =>
    levels.indexOf(word ?? ""),
  );
  const isKnown = level !== undefined && limit !== undefined && level >= 0 && limit >= 0;
  return isKnown && level > limit ? "permission_level_exceeded" : undefined;
}

function subscriptionCode(
  { slug, price }: InstalledSkill,
  subscriptions: readonly ProjectSubscription[],
  now: number,
): GateCode | undefined {
  if (price?.billingModel !== "subscription") return undefined;
  const subscription = subscriptions.find(({ skillSlug }) => skillSlug === slug);
  switch (subscription?.status) {
    case undefined:
      return "subscription_required";
    case "past_due":
      return "subscription_past_due";
    case "paused":
      return "subscription_paused";
    case "canceled":
      return "subscription_canceled";
    default: {
      const { currentPeriodEnd = Number.POSITIVE_INFINITY } = subscription ?? {};
      return currentPeriodEnd <= now ? "subscription_period_expired" : undefined;
    }
  }
}

/** Says why an invocation would be blocked, and who or what can change that. */
export function gateText(code: GateCode, status: string, { t }: Language): string {
  switch (code) {
    case "install_not_active":
      if (status === "suspended") return t("Suspended in this project. Restore it to invoke it.");
      return t("Removed from this project. Install it again to invoke it.");
    case "skill_not_allowed":
      return t("The registry rejected or suspended this skill. Use another one.");
    case "skill_not_verified":
      return t(
        "A version waits for the registry's review. Invocations work again once it is decided.",
      );
    case "skill_not_approved":
      return t("Waits for approval by an owner or admin of the organization.");
    case "policy_approval_required":
      return t("The project's policy requires an approval first.");
    case "permission_level_exceeded":
      return t("The skill's permission level is above what the project's policy allows.");
    case "subscription_required":
      return t("Needs a subscription, which this project does not have.");
    case "subscription_past_due":
      return t("The payment for the subscription is past due.");
    case "subscription_paused":
      return t("The subscription is paused.");
    case "subscription_canceled":
      return t("The subscription was canceled.");
    case "subscription_period_expired":
      return t("The subscription's period has ended.");
  }
}
