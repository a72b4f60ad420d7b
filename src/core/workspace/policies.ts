import { levelName } from "../skill/permissionLevel";
import type { Language } from "../text/language";
import { lowerFirst } from "../text/plainText";
import type { ChangeQuestion } from "./changes";
import { type InstalledSkill, isApproved, type ProjectSummary } from "./project";

/**
 * A policy as a whole, as the registry keeps it: what is left out of a change goes back to its default,
 * so that a change always sends all of it.
 */
export interface PolicyRow {
  readonly maxPermissionLevel: string;
  readonly allowNetwork: boolean;
  readonly allowBrowser: boolean;
  /** none, read or write. */
  readonly filesystemAccess: string;
  readonly allowSecretAccess: boolean;
  /** 0 is no limit. */
  readonly monthlyBudgetCents: number;
  readonly rateLimitPerMinute: number;
  readonly approvalRequired: boolean;
}

/** Tells whether an install waits for somebody to approve it. */
export function needsApproval({ status, approvalState, policy }: InstalledSkill): boolean {
  if (status === "removed") return false;
  const isRequired = policy?.approvalRequired === true && policy.approvedAt === undefined;
  return isApproved(approvalState) === false || isRequired;
}

/** Tells whether a role may approve a skill: high permissions need an owner or admin. */
export function mayApprove({ permissionLevel }: InstalledSkill, role: string): boolean {
  if (role === "owner" || role === "admin") return true;
  // A registry that names no role or level decides itself.
  return role === "" || (permissionLevel !== undefined && permissionLevel !== "high");
}

/** Asks whether a skill may be approved, with what the project's policy then allows it. */
export function approvalQuestion(
  skill: InstalledSkill,
  project: ProjectSummary,
  policy: PolicyRow,
  language: Language,
): ChangeQuestion {
  const { t, locale } = language;
  const number = (value: number) => new Intl.NumberFormat(locale).format(value);
  const allowed = [
    policy.allowNetwork ? t("network") : "",
    policy.allowBrowser ? t("browser") : "",
    policy.filesystemAccess === "none"
      ? ""
      : t("files: {access}", { access: policy.filesystemAccess }),
    policy.allowSecretAccess ? t("secrets") : "",
  ].filter((word) => word !== "");
  return {
    message: t("Approve {skill} in {project}?", {
      skill: `${skill.slug}@${skill.version}`,
      project: project.name,
    }),
    detail: [
      t("The policy allows at most {level}.", {
        level: lowerFirst(levelName(policy.maxPermissionLevel, language)),
      }),
      allowed.length === 0
        ? t("Allowed: compute only.")
        : t("Allowed: {list}.", { list: allowed.join(", ") }),
      t("At most {count} invocations a minute.", { count: number(policy.rateLimitPerMinute) }),
      policy.monthlyBudgetCents === 0
        ? t("Its monthly budget has no limit.")
        : t("Its monthly budget is limited to {amount}.", {
            amount: number(policy.monthlyBudgetCents / 100),
          }),
    ],
    agree: t("Approve"),
  };
}

/** Writes what to send to an owner who is to approve a skill. */
export function approvalRequest(
  { slug, version, permissionLevel = "" }: InstalledSkill,
  { name, slug: project }: ProjectSummary,
  origin: string,
  { t }: Language,
): string {
  return t(
    "Please approve {skill} ({level}) in the project {project} ({slug}) at {origin}: until then its invocations are rejected with skill_not_approved.",
    { skill: `${slug}@${version}`, level: permissionLevel, project: name, slug: project, origin },
  );
}
