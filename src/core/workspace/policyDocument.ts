import policySchema from "../../../media/schemas/project-policy.schema.json";
import { readTeamFile, type TeamFileReading } from "../review/readTeamFile";
import type { Language } from "../text/language";
import type { ChangeQuestion } from "./changes";
import { renameWarning } from "./changes";
import type { PolicyRow } from "./policies";
import type { InstalledSkill, ProjectSummary } from "./project";

/** Its members in the order in which they stand in a document. */
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

/** A policy has some 250 characters. */
const maxLength = 20_000;

/** Writes a policy as a document. What a registry hides in a word stands as an escape. */
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

/** Reads a document that is to be saved, by the schema that the editor completes and checks it with. */
export function readPolicyText(text: string, language: Language): TeamFileReading<PolicyRow> {
  return readTeamFile<PolicyRow>(text, { schema: policySchema, maxLength }, language);
}

/**
 * Puts what was edited on top of what the registry has now. What was not edited stays as it is there:
 * somebody else may have changed it since the document was opened.
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

/** Asks whether a policy may be saved: each change on a line, then what follows from it. */
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
      policyChanges(now, after).join("\n"),
      approvalText(now, after, language),
      after.monthlyBudgetCents === 0 && now.monthlyBudgetCents !== 0
        ? t("A budget of 0 is no limit.")
        : "",
      isChangedElsewhere
        ? t("It was changed elsewhere since you opened it; what you did not edit stays so.")
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

/** Whether somebody may change a policy, and which of it. */
export type PolicyAccess = "all" | "notApproval" | "none";

/**
 * Tells what of a policy a role may change. A skill of high permissions is approved by an owner or admin,
 * and each change of an approved one approves it anew, so that others can change none of it.
 */
export function policyAccess(
  { permissionLevel }: InstalledSkill,
  { approvalRequired }: PolicyRow,
  role: string,
): PolicyAccess {
  // A registry that names no role decides itself.
  if (role === "" || role === "owner" || role === "admin") return "all";
  if (role !== "developer") return "none";
  if (permissionLevel !== "high") return "all";
  return approvalRequired ? "notApproval" : "none";
}
