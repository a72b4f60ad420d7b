import policySchema from "../../../media/schemas/project-policy.schema.json";
import { readTeamFile, type TeamFileReading } from "../payload/readTeamFile";
import { isSameVersion } from "../skill/isNewerVersion";
import { levelName } from "../skill/permissions";
import { numberFormat } from "../text/formats";
import type { Language } from "../text/language";
import { wholeAmount } from "../text/money";
import { lowerFirst } from "../text/plainText";
import { type ChangeQuestion, renameWarning } from "./changes";
import { type InstalledSkill, isApproved, type PolicyRow, type ProjectSummary } from "./project";

/** Returns whether an install waits for an approval. */
export function needsApproval({ status, approvalState, policy }: InstalledSkill): boolean {
  if (status === "removed") return false;
  const isRequired = policy?.approvalRequired === true && policy.approvedAt === undefined;
  return isApproved(approvalState) === false || isRequired;
}

/** Returns whether a role may approve a skill: high permissions need an owner or admin. */
export function mayApprove({ permissionLevel }: InstalledSkill, role: string): boolean {
  if (role === "owner" || role === "admin") return true;
  // If the registry returns no role or level, it decides itself.
  return role === "" || isBelowHigh(permissionLevel);
}

/** Returns whether a level is certainly below high. */
function isBelowHigh(level: string | undefined): boolean {
  return level === "low" || level === "medium";
}

/** An installed skill and its policy, as the registry returned them, to be approved. */
export interface Approval {
  readonly skill: InstalledSkill;
  readonly policy: PolicyRow;
}

/** Returns whether version and policy are still those that the user was asked to approve. */
export function isSameApproval(confirmed: Approval, now: Approval): boolean {
  const isSame = isSameVersion(confirmed.skill.version, now.skill.version);
  return isSame && policyChanges(confirmed.policy, now.policy).length === 0;
}

/**
 * Builds the question whether to approve a skill, with the permissions that the project's policy allows. `before` is
 * the state that an earlier question showed, if it has changed since.
 */
export function approvalQuestion(
  { skill, policy }: Approval,
  project: ProjectSummary,
  before: Approval | undefined,
  language: Language,
): ChangeQuestion {
  const { t, locale } = language;
  const number = (value: number) => numberFormat(locale).format(value);
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
      [
        before === undefined ? "" : changedText(before.skill, skill, language),
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
              amount: number(wholeAmount(policy.monthlyBudgetCents)),
            }),
      ].filter((line) => line !== ""),
    ],
    agree: t("Approve"),
  };
}

function changedText(before: InstalledSkill, now: InstalledSkill, { t }: Language): string {
  return isSameVersion(before.version, now.version)
    ? t("Its policy was changed elsewhere since you were asked.")
    : t("The pinned version was changed elsewhere since you were asked.");
}

/** Writes a message that asks an owner to approve a skill. */
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

/** The members of a policy in the document's order. */
const members = [
  "maxPermissionLevel",
  "allowNetwork",
  "allowBrowser",
  "filesystemAccess",
  "allowSecretAccess",
  "monthlyBudgetCents",
  "rateLimitPerMinute",
  "approvalRequired",
] as const satisfies readonly (keyof PolicyRow)[];

/** The maximum length of a policy document. A real one has about 250 characters. */
const maxLength = 20_000;

/** Writes a policy as a document. Escapes hidden characters in a registry's words. */
export function policyText(policy: PolicyRow): string {
  const ordered = Object.fromEntries(members.map((name) => [name, policy[name]]));
  const text = JSON.stringify(ordered, undefined, 2);
  const escaped = text.replace(/[^\n\x20-\x7e]/gu, (character) =>
    [...Array(character.length).keys()]
      .map((at) => `\\u${character.charCodeAt(at).toString(16).padStart(4, "0")}`)
      .join(""),
  );
  return `${escaped}\n`;
}

/** Parses a policy document by the schema with which the editor checks it. */
export function readPolicyText(text: string, language: Language): TeamFileReading<PolicyRow> {
  return readTeamFile<PolicyRow>(text, { schema: policySchema, maxLength }, language);
}

/**
 * Merges edits into the registry's current policy. Unedited fields keep the current value, since somebody may have
 * changed them after the document was opened.
 */
export function mergePolicy(before: PolicyRow, edited: PolicyRow, now: PolicyRow): PolicyRow {
  const entries = members.map((name) => [
    name,
    (edited[name] === before[name] ? now : edited)[name],
  ]);
  return Object.fromEntries(entries) as unknown as PolicyRow;
}

/** Lists the members in which two policies differ, as `rateLimitPerMinute: 60 → 5`. */
export function policyChanges(before: PolicyRow, after: PolicyRow): readonly string[] {
  return members
    .filter((name) => before[name] !== after[name])
    .map((name) => `${name}: ${before[name]} → ${after[name]}`);
}

/** Builds the question whether to save a policy: each change on a line of the first paragraph, then the consequences. */
export function policyQuestion(
  skill: InstalledSkill,
  project: ProjectSummary,
  {
    now,
    after,
    isChangedElsewhere,
  }: {
    readonly now: PolicyRow;
    readonly after: PolicyRow;
    readonly isChangedElsewhere: boolean;
  },
  language: Language,
): ChangeQuestion {
  const { t } = language;
  const values = { skill: skill.slug, project: project.name };
  return {
    message: t("Change the policy for {skill} in {project}?", values),
    detail: [
      policyChanges(now, after),
      approvalText(now, after, language),
      after.monthlyBudgetCents === 0 && now.monthlyBudgetCents !== 0
        ? t("A budget of 0 is no limit.")
        : "",
      isChangedElsewhere
        ? t(
            "It was changed elsewhere since you opened it. Those changes are kept where you edited nothing.",
          )
        : "",
      renameWarning(project, language),
    ].filter((line) => line !== ""),
    agree: t("Save Policy"),
  };
}

function approvalText(now: PolicyRow, after: PolicyRow, { t }: Language): string {
  if (now.approvalRequired === after.approvalRequired) return "";
  return after.approvalRequired
    ? t("Its invocations are rejected until it is approved.")
    : t("This approves the skill.");
}

/** Whether a user may change a policy, and which part of it. */
export type PolicyAccess = "all" | "notApproval" | "none";

/**
 * Returns which part of a policy a role may change. Changing an approved policy approves it again, and only an owner or
 * admin approves a skill with high permissions. So other roles cannot change such a policy at all.
 */
export function policyAccess(
  { permissionLevel }: InstalledSkill,
  { approvalRequired }: PolicyRow,
  role: string,
): PolicyAccess {
  // If the registry returns no role, it decides itself.
  if (role === "" || role === "owner" || role === "admin") return "all";
  if (role !== "developer") return "none";
  if (isBelowHigh(permissionLevel)) return "all";
  return approvalRequired ? "notApproval" : "none";
}

/** Returns whether a role may change a policy from `now` to `after`. */
export function mayChangePolicy(
  skill: InstalledSkill,
  now: PolicyRow,
  after: PolicyRow,
  role: string,
): boolean {
  const access = policyAccess(skill, now, role);
  const isApproving = now.approvalRequired && !after.approvalRequired;
  return access === "all" || (access === "notApproval" && !isApproving);
}
