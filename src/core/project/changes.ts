import { endsSession, isWrongRole, mayHaveTakenEffect } from "../account/sessions";
import { permissionsLine } from "../invocation/permission/consentQuestion";
import { type RegistryFailure, registryFailureText } from "../registry/registryFailure";
import { isSameVersion } from "../skill/isNewerVersion";
import { skillPriceText } from "../skill/price";
import type { SkillDetail } from "../skill/skill";
import { addressText } from "../skill/skillAddress";
import { verificationText } from "../skill/verification";
import { type Language, type LocalizableText, l10nText } from "../text/language";
import type { Notice } from "../text/notice";
import { asSentence, type DialogDetail } from "../text/plainText";
import {
  type InstalledSkill,
  installOf,
  nameOfSlug,
  type ProjectDetail,
  type ProjectSummary,
} from "./project";

/** The question before a change. `detail` has one paragraph per fact or group of facts. */
export interface ChangeQuestion {
  readonly message: string;
  readonly detail: DialogDetail;
  readonly agree: string;
}

/**
 * Returns whether registries install a skill with this verification. True for an unknown word, since the registry
 * decides.
 */
export function isInstallable(status: string | undefined): boolean {
  return status === undefined || !notInstallable.includes(status);
}

/**
 * Explains that a version cannot be installed because of its verification. Undefined if it can, or if its verification
 * is unknown.
 */
export function installProblem(
  { summary: { slug, version, verificationStatus: status } }: SkillDetail,
  language: Language,
): string | undefined {
  if (status === undefined || isInstallable(status)) return undefined;
  const { word } = verificationText(status, language);
  return language.t("{skill} is “{status}”. Only verified skills can be installed in a project.", {
    skill: addressText(slug, version),
    status: word,
  });
}

/** Known statuses that registries do not install. For other words, the registry decides. */
const notInstallable: readonly string[] = [
  "draft",
  "submitted",
  "deprecated",
  "rejected",
  "suspended",
];

/** Builds the question whether to install a version of a skill, with the permissions that it gets. */
export function installQuestion(
  skill: SkillDetail,
  project: ProjectDetail,
  role: string,
  language: Language,
): ChangeQuestion {
  const { t } = language;
  const { slug, version, permissionLevel } = skill.summary;
  const { summary } = project;
  const before = installOf(project, slug);
  const name = addressText(slug, version);
  return {
    message: t("Install {skill} in {project}?", { skill: name, project: summary.name }),
    detail: [
      before === undefined ? "" : replacesText(before, skill, language),
      permissionsLine(skill.permissions ? { permissions: skill.permissions } : {}, language),
      t("Price: {price}.", { price: skillPriceText(skill, language) }),
      permissionLevel === "high" ? approvalText(role, language) : "",
      renameWarning(summary, language),
    ].filter((line) => line !== ""),
    agree: t("Install"),
  };
}

function replacesText(
  before: InstalledSkill,
  { summary: { version, permissionLevel } }: SkillDetail,
  { t }: Language,
): string {
  if (isSameVersion(before.version, version)) {
    // Only high permissions need an approval.
    return permissionLevel === "low" || permissionLevel === "medium"
      ? t("This version is installed already.")
      : t("This version is installed already. Installing it again resets its approval.");
  }
  return t("Replaces the installed version {version}.", { version: before.version });
}

function approvalText(role: string, { t }: Language): string {
  return role === "owner" || role === "admin"
    ? t("With high permissions it can be invoked once you or another owner or admin approve it.")
    : t("With high permissions it can be invoked once an owner or admin approves it.");
}

/** Builds the question whether to start a trial of a skill at a registry that takes no payments. */
export function trialQuestion(
  slug: string,
  project: ProjectSummary,
  { t }: Language,
): ChangeQuestion {
  return {
    message: t("Start a trial of {skill} in {project}?", { skill: slug, project: project.name }),
    detail: [
      t("This registry takes no payments now, so nothing can be bought."),
      t("A trial asks for no payment and ends by itself. The Project view shows until when."),
    ],
    agree: t("Start Trial"),
  };
}

/** A change of an install: the installs it applies to, the new status, and its texts. */
export interface InstallChange {
  readonly from: readonly string[];
  readonly status: "installed" | "suspended" | "removed";
  readonly title: LocalizableText;
  /** The message if no install can be changed this way. */
  readonly none: LocalizableText;
  /** The prompt for the reason, which the registry stores; left out if the change needs no reason. */
  readonly reason?: LocalizableText;
  /** The editor icon that confirms the change in the status bar. */
  readonly icon: string;
  readonly done: (skill: string) => LocalizableText;
}

/** The possible changes of an install. */
export const installChanges = {
  suspend: {
    from: ["installed"],
    status: "suspended",
    title: l10nText("Suspend Skill"),
    none: l10nText("No skill of this project can be suspended."),
    reason: l10nText("Reason. Invocations in this project are rejected until it is restored."),
    icon: "debug-pause",
    done: (skill) => l10nText("{skill} suspended.", { skill }),
  },
  /** Restores the skill in its pinned version. */
  restore: {
    from: ["suspended", "removed"],
    status: "installed",
    title: l10nText("Restore Skill"),
    none: l10nText("No skill of this project is suspended or removed."),
    icon: "pass",
    done: (skill) => l10nText("{skill} restored.", { skill }),
  },
  remove: {
    from: ["installed", "suspended"],
    status: "removed",
    title: l10nText("Remove Skill from Project"),
    none: l10nText("No skill is installed in this project."),
    reason: l10nText("Reason. Invocations in this project are rejected from then on."),
    icon: "circle-slash",
    done: (skill) => l10nText("{skill} removed from the project.", { skill }),
  },
} as const satisfies Record<string, InstallChange>;

/** Returns whether a change can be applied to an install. */
export function isChangeable({ status }: InstalledSkill, { from }: InstallChange): boolean {
  return status !== undefined && from.includes(status);
}

/** The shortest reason that the gateway accepts for a change. */
const shortestReason = 6;

/** Describes the problem with a reason; empty for a valid one. */
export function reasonProblem(reason: string, { t }: Language): string {
  return reason.trim().length >= shortestReason
    ? ""
    : t("Enter a reason of at least {count} characters; the registry keeps it.", {
        count: shortestReason,
      });
}

/** Describes the problem with a project's name; empty for a valid one. */
export function projectNameProblem(name: string, { t }: Language): string {
  const length = name.replaceAll(/\s+/g, " ").trim().length;
  if (length < 2) return t("Enter at least 2 characters.");
  if (length > 90) return t("Enter 90 characters at most.");
  // The registry builds the slug from these characters.
  return /[a-z0-9].*[a-z0-9]/i.test(name)
    ? ""
    : t("Use at least two of the letters a–z or digits.");
}

/** Warns that a change may rename the project; empty if the name would stay. */
export function renameWarning({ slug, name }: ProjectSummary, { t }: Language): string {
  const renamed = nameOfSlug(slug);
  return renamed === name
    ? ""
    : t("This may rename the project from “{name}” to “{renamed}”.", {
        name,
        renamed,
      });
}

/** Explains why a change was not made, or that it may have been made although the registry did not confirm it. */
export function changeNotice(failure: RegistryFailure, language: Language): Notice {
  const { t } = language;
  if (mayHaveTakenEffect(failure)) {
    return {
      severity: "warning",
      message: t(
        "It is not known whether this was changed: {reason} The Project view shows the current state.",
        { reason: registryFailureText(failure, language) },
      ),
      actions: [{ action: "showLog", title: t("Show Log") }],
    };
  }
  if (endsSession(failure)) {
    return {
      severity: "warning",
      message: t("You were signed out: the registry no longer accepts this session."),
      actions: [{ action: "signIn", title: t("Sign In…") }],
    };
  }
  if (isWrongRole(failure)) {
    return {
      severity: "error",
      message: t("Your role does not allow this. Ask an owner or admin of the organization."),
      actions: [],
    };
  }
  if (failure.kind === "errorAnswer" && isRejection(failure.status)) {
    const { message = "" } = failure;
    const reason = asSentence(message.trim());
    const text = t("The registry rejected this: {reason}", { reason });
    if (reason !== "") return { severity: "error", message: text, actions: [] };
  }
  return { severity: "error", message: registryFailureText(failure, language), actions: [] };
}

/** Returns whether a registry rejected a request because it breaks one of the registry's rules. */
function isRejection(status: number): boolean {
  return status === 400 || status === 409 || status === 422;
}
