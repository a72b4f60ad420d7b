import * as vscode from "vscode";
import {
  changeable,
  type InstallChange,
  installChanges,
  installQuestion,
  reasonProblem,
} from "../../../core/project/changes";
import {
  type Approval,
  approvalQuestion,
  approvalRequest,
  isSameApproval,
  mayApprove,
  needsApproval,
} from "../../../core/project/policies";
import { type InstalledSkill, isApproved } from "../../../core/project/project";
import { labelText } from "../../../core/text/plainText";
import { slugArgument } from "../../registerCommands";
import { hostLanguage } from "../../ui/hostLanguage";
import { confirm, copyText, inform, showError, showStatus } from "../../ui/messages";
import { readShown } from "../../ui/progress";
import { ask } from "../../ui/quickInput/ask";
import { choose } from "../../ui/quickInput/choose";
import { inProject, type ProjectParts } from "../inProject";
import { makeChange } from "../makeChange";
import { type InProject, readInstall } from "../signedIn";

/** Installs the version of a skill that the registry offers now, after the user agreed to its permissions. */
export async function installSkill(parts: ProjectParts, argument: unknown): Promise<void> {
  const at = await inProject(parts);
  if (at === undefined) return;
  const slug = slugArgument(argument) ?? (await parts.pickSkill(vscode.l10n.t("Install Skill")));
  if (slug === undefined) return;
  const { registry, detail, role, routes } = at;
  const skill = await readShown(vscode.l10n.t("Loading {0}", slug), (signal) =>
    registry.client.skill(slug, undefined, signal),
  );
  if (skill === undefined) return;
  const question = installQuestion(skill, detail, role, hostLanguage());
  if (!(await confirm({ severity: "information", ...question }))) return;
  const { version } = skill.summary;
  const title = vscode.l10n.t("Installing {0}", labelText(slug));
  const install = await makeChange(parts.project, at, title, (signal) =>
    routes.install(detail.summary.slug, slug, version, signal),
  );
  if (install === undefined) return;
  const name = `${slug}@${install.version || version}`;
  if (isApproved(install.approvalState) === false) {
    showStatus("lock", vscode.l10n.t("{0} installed. It requires an approval.", name));
  } else showStatus("pass", vscode.l10n.t("{0} installed.", name));
}

/** Suspends an install: its invocations are rejected until it is restored. */
export async function suspendSkill(parts: ProjectParts, argument: unknown): Promise<void> {
  await changeInstall(parts, argument, installChanges.suspend, {
    title: vscode.l10n.t("Suspend Skill"),
    none: vscode.l10n.t("No skill of this project can be suspended."),
    reason: vscode.l10n.t("Reason. Invocations in this project are rejected until it is restored."),
    icon: "debug-pause",
    done: (skill) => vscode.l10n.t("{0} suspended.", skill),
  });
}

/** Restores an install that was suspended or removed, in its pinned version. */
export async function restoreSkill(parts: ProjectParts, argument: unknown): Promise<void> {
  await changeInstall(parts, argument, installChanges.restore, {
    title: vscode.l10n.t("Restore Skill"),
    none: vscode.l10n.t("No skill of this project is suspended or removed."),
    icon: "pass",
    done: (skill) => vscode.l10n.t("{0} restored.", skill),
  });
}

/** Removes a skill from the project. */
export async function uninstallSkill(parts: ProjectParts, argument: unknown): Promise<void> {
  await changeInstall(parts, argument, installChanges.remove, {
    title: vscode.l10n.t("Remove Skill from Project"),
    none: vscode.l10n.t("No skill is installed in this project."),
    reason: vscode.l10n.t("Reason. Invocations in this project are rejected from then on."),
    icon: "circle-slash",
    done: (skill) => vscode.l10n.t("{0} removed from the project.", skill),
  });
}

/** The texts shown while an install is changed; without `reason` none is asked for. */
interface ChangeTexts {
  readonly title: string;
  readonly none: string;
  readonly reason?: string;
  /** The icon of the confirmation. */
  readonly icon: string;
  readonly done: (skill: string) => string;
}

async function changeInstall(
  parts: ProjectParts,
  argument: unknown,
  change: InstallChange,
  texts: ChangeTexts,
): Promise<void> {
  const at = await inProject(parts);
  if (at === undefined) return;
  const { routes, detail } = at;
  const all = changeable(detail.skills, change);
  const skill = await chooseInstall(all, texts, argument);
  if (skill === undefined) return;
  const reason = texts.reason === undefined ? "" : await askForReason(skill, texts);
  if (reason === undefined) return;
  const body = { status: change.status, ...(reason !== "" && { reason }) };
  const changed = await makeChange(parts.project, at, texts.title, (signal) =>
    routes.setInstallStatus(detail.summary.slug, skill.slug, body, signal),
  );
  if (changed === true) showStatus(texts.icon, texts.done(skill.name));
}

/**
 * Finds the install that a command was run on, else lets the user choose one; shows `none` where there are none.
 * Undefined where they canceled.
 */
export async function chooseInstall(
  skills: readonly InstalledSkill[],
  { title, none }: Pick<ChangeTexts, "title" | "none">,
  argument?: unknown,
): Promise<InstalledSkill | undefined> {
  const given = slugArgument(argument);
  const found = skills.find(({ slug }) => slug === given);
  if (found !== undefined) return found;
  const rows = skills.map((skill) => ({
    label: skill.name,
    description: `${skill.slug}@${skill.version}`,
    value: skill,
  }));
  return choose(rows, {
    title,
    placeHolder: vscode.l10n.t("Select a skill of the project"),
    none,
  });
}

async function askForReason(
  { name, slug }: InstalledSkill,
  { title, reason }: ChangeTexts,
): Promise<string | undefined> {
  return ask({
    title: `${title}: ${labelText(name === "" ? slug : name, 60)}`,
    prompt: reason ?? "",
    problemOf: (text) => reasonProblem(text, hostLanguage()),
  });
}

/** Approves a skill of the project, or, where the role does not allow that, offers a text that requests it. */
export async function approveSkill(parts: ProjectParts, argument: unknown): Promise<void> {
  const at = await inProject(parts);
  if (at === undefined) return;
  const { detail, routes } = at;
  const waiting = detail.skills.filter(needsApproval);
  const texts = {
    title: vscode.l10n.t("Approve Skill"),
    none: vscode.l10n.t("No skill of this project waits for approval."),
  };
  const chosen = await chooseInstall(waiting, texts, argument);
  if (chosen === undefined) return;
  const agreed = await agreedApproval(parts, at, chosen);
  if (agreed === undefined) return;
  const { skill, policy } = agreed;
  const title = vscode.l10n.t("Approving {0}", labelText(skill.slug));
  // The whole policy is sent: missing fields would be reset.
  const approved = await makeChange(parts.project, at, title, (signal) =>
    routes.putPolicy(
      detail.summary.slug,
      skill.slug,
      { ...policy, approvalRequired: false },
      signal,
    ),
  );
  if (approved !== true) return;
  showStatus("pass", vscode.l10n.t("{0} approved.", skill.name));
}

/**
 * Asks for an approval until the user agreed to what the registry has at that time: it approves whatever is
 * pinned when the request arrives, which cannot name a version. Undefined where the user did not agree or may
 * not.
 */
async function agreedApproval(
  parts: ProjectParts,
  at: InProject,
  chosen: InstalledSkill,
): Promise<Approval | undefined> {
  for (let asked: Approval | undefined; ; ) {
    const now = await readApproval(parts, at, asked?.skill ?? chosen);
    if (now === undefined) return undefined;
    if (asked !== undefined) {
      if (isSameApproval(asked, now)) return now;
      // Whatever the user answers next, the Project view shows the current data.
      void parts.project.refresh();
    }
    if (!mayApprove(now.skill, at.role)) {
      await askOwner(at, now.skill);
      return undefined;
    }
    if (!(await agreesToApproval(at, now, asked))) return undefined;
    asked = now;
  }
}

/** Reads what an approval would be about now. Undefined where there is nothing to approve, which is shown. */
async function readApproval(
  { project }: ProjectParts,
  { routes, detail, session }: InProject,
  { slug, name }: InstalledSkill,
): Promise<Approval | undefined> {
  const read = await readShown(
    vscode.l10n.t("Loading the policy"),
    (signal) => readInstall(routes, detail.summary.slug, slug, signal),
    (failure) => project.noteFailure(session, failure),
  );
  if (read === undefined) return undefined;
  const { skill, policy } = read;
  if (skill === undefined || !needsApproval(skill)) {
    const text = vscode.l10n.t("{0} no longer waits for approval.", labelText(name));
    void inform(text);
    void project.refresh();
    return undefined;
  }
  if (policy === undefined) {
    void showError(noPolicyText(skill));
    return undefined;
  }
  return { skill, policy };
}

/** Explains that a skill has no complete policy to change, and how it gets one. */
export function noPolicyText({ name }: InstalledSkill): string {
  return vscode.l10n.t("{0} has no policy in this project. Install it again.", labelText(name));
}

function agreesToApproval(
  { detail }: InProject,
  approval: Approval,
  before: Approval | undefined,
): Promise<boolean> {
  const question = approvalQuestion(approval, detail.summary, before, hostLanguage());
  return confirm({ severity: "information", ...question, detail: [question.detail] });
}

async function askOwner({ detail, registry }: InProject, skill: InstalledSkill): Promise<void> {
  const copy = vscode.l10n.t("Copy Request");
  const answer = await inform(
    vscode.l10n.t("Only an owner or admin of the organization may approve {0}.", skill.name),
    copy,
  );
  if (answer !== copy) return;
  const text = approvalRequest(skill, detail.summary, registry.origin, hostLanguage());
  await copyText(text, vscode.l10n.t("Request copied"));
}
