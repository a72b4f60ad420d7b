import * as vscode from "vscode";
import {
  type InstallChange,
  installChanges,
  installProblem,
  installQuestion,
  isChangeable,
  reasonProblem,
} from "../../../core/project/changes";
import { predictResponse } from "../../../core/project/gateway/projectChecks";
import {
  type Approval,
  approvalQuestion,
  approvalRequest,
  isSameApproval,
  mayApprove,
  needsApproval,
} from "../../../core/project/policies";
import { type InstalledSkill, isApproved } from "../../../core/project/project";
import { skillActions } from "../../../core/project/skillActions";
import { type LocalizableText, localize } from "../../../core/text/language";
import { labelText } from "../../../core/text/plainText";
import { readInstall } from "../../../registry/workspace/projectReading";
import { registryTitle } from "../../connect/registryConnection";
import { commandIds } from "../../ids";
import { hostLanguage } from "../../ui/hostLanguage";
import { confirm, copyText, inform, offer, showError, showStatus } from "../../ui/messages";
import { readShown } from "../../ui/progress";
import { ask } from "../../ui/quickInput/ask";
import { choose } from "../../ui/quickInput/choose";
import { inProject, type ProjectParts } from "../inProject";
import { makeChange } from "../makeChange";
import type { InProject } from "../signedIn";

/** Installs the current version of a skill at the registry, after consent to its permissions. */
export async function installSkill(parts: ProjectParts, argument: unknown): Promise<void> {
  const at = await inProject(parts);
  if (at === undefined) return;
  const slug = await parts.thisSkill.choose(argument, vscode.l10n.t("Install Skill"));
  if (slug === undefined) return;
  const { registry, detail, role, routes } = at;
  const skill = await readShown(vscode.l10n.t("Loading {0}", slug), (signal) =>
    registry.client.skill(slug, undefined, signal),
  );
  if (skill === undefined) return;
  const problem = installProblem(skill, hostLanguage());
  if (problem !== undefined) return void inform(problem);
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

/** Lists what can be done with a skill of the project, and runs the chosen command for it. */
export async function manageSkill(parts: ProjectParts, argument: unknown): Promise<void> {
  const title = vscode.l10n.t("Manage Skill in Project");
  const none = vscode.l10n.t("No skill is installed in this project.");
  const found = await findInstall(parts, argument, { title, none, isFit: () => true });
  if (found === undefined) return;
  const { at, skill } = found;
  const { slug, name } = skill;
  const { subscriptions, invocations } = at.detail;
  const answer = predictResponse({ skill, subscriptions, invocations, now: Date.now() });
  const updates = parts.project.openUpdates();
  const isBlocked = answer.kind === "blocked";
  const actions = skillActions({ skill, updates, isBlocked }, hostLanguage());
  const chosen = await choose(
    actions.map(({ command, ...row }) => ({ ...row, value: command })),
    { title: `${title}: ${labelText(name, 60)}` },
  );
  if (chosen !== undefined) await vscode.commands.executeCommand(commandIds[chosen], slug);
}

/** Suspends, restores or removes an install, with a reason if the registry stores one. */
export async function changeInstall(
  parts: ProjectParts,
  name: keyof typeof installChanges,
  argument: unknown,
): Promise<void> {
  const language = hostLanguage();
  const change: InstallChange = installChanges[name];
  const title = localize(change.title, language);
  const none = localize(change.none, language);
  const isFit = (skill: InstalledSkill) => isChangeable(skill, change);
  const found = await findInstall(parts, argument, { title, none, isFit });
  if (found === undefined) return;
  const { at, skill } = found;
  const reason = change.reason === undefined ? "" : await askForReason(skill, title, change.reason);
  if (reason === undefined) return;
  const body = { status: change.status, ...(reason !== "" && { reason }) };
  const changed = await makeChange(parts.project, at, title, (signal) =>
    at.routes.setInstallStatus(at.detail.summary.slug, skill.slug, body, signal),
  );
  if (changed === true) showStatus(change.icon, localize(change.done(skill.name), language));
}

/** An install and its project. */
export interface FoundInstall {
  readonly at: InProject;
  readonly skill: InstalledSkill;
}

/**
 * Finds the install for a command, else lets the user choose among those that match `isFit`. Undefined if there are
 * none, after showing `none`, and if the user canceled.
 */
export async function findInstall(
  parts: ProjectParts,
  argument: unknown,
  {
    title,
    none,
    isFit,
  }: {
    readonly title: string;
    readonly none: string;
    readonly isFit: (skill: InstalledSkill) => boolean;
  },
): Promise<FoundInstall | undefined> {
  const at = await inProject(parts);
  if (at === undefined) return undefined;
  const skills = at.detail.skills.filter(isFit);
  const given = parts.thisSkill.find(argument);
  const rows = skills.map((skill) => ({
    label: skill.name,
    description: `${skill.slug}@${skill.version}`,
    value: skill,
  }));
  const placeHolder = vscode.l10n.t("Select a skill of the project");
  const skill =
    skills.find(({ slug }) => slug === given) ?? (await choose(rows, { title, placeHolder, none }));
  return skill && { at, skill };
}

async function askForReason(
  { name, slug }: InstalledSkill,
  title: string,
  reason: LocalizableText,
): Promise<string | undefined> {
  return ask({
    title: `${title}: ${labelText(name === "" ? slug : name, 60)}`,
    prompt: localize(reason, hostLanguage()),
    problemOf: (text) => reasonProblem(text, hostLanguage()),
  });
}

/** Approves a skill of the project. If the role does not allow that, offers a text that requests the approval. */
export async function approveSkill(parts: ProjectParts, argument: unknown): Promise<void> {
  const found = await findInstall(parts, argument, {
    title: vscode.l10n.t("Approve Skill"),
    none: vscode.l10n.t("No skill of this project waits for approval."),
    isFit: needsApproval,
  });
  if (found === undefined) return;
  const { detail, routes } = found.at;
  const agreed = await agreedApproval(parts, found);
  if (agreed === undefined) return;
  const { skill, policy } = agreed;
  const title = vscode.l10n.t("Approving {0}", labelText(skill.slug));
  // The whole policy is sent, because missing fields would be reset.
  const approved = await makeChange(parts.project, found.at, title, (signal) =>
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
 * Asks for an approval until the user agreed to the registry's state at that time. A request cannot name a version, so
 * it approves the version that is pinned when it arrives. Undefined without consent or permission.
 */
async function agreedApproval(
  parts: ProjectParts,
  { at, skill: chosen }: FoundInstall,
): Promise<Approval | undefined> {
  for (let asked: Approval | undefined; ; ) {
    const now = await readApproval(parts, at, asked?.skill ?? chosen);
    if (now === undefined) return undefined;
    if (asked !== undefined) {
      if (isSameApproval(asked, now)) return now;
      // The state changed during the question. Refresh the Project view, whatever the user answers next.
      void parts.project.refresh();
    }
    if (!mayApprove(now.skill, at.role)) {
      const { name } = now.skill;
      const text = vscode.l10n.t(
        "Only an owner or admin of the organization may approve {0}.",
        name,
      );
      await offerRequest(text, approvalRequestOf(at, now.skill));
      return undefined;
    }
    const question = approvalQuestion(now, at.detail.summary, asked, hostLanguage());
    if (!(await confirm({ severity: "information", ...question }))) return undefined;
    asked = now;
  }
}

/** Reads the current subject of an approval. Undefined if there is nothing to approve, which is shown. */
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

/** Explains that a skill has no complete policy to change, and how to get one. */
export function noPolicyText({ name }: InstalledSkill): string {
  return vscode.l10n.t("{0} has no policy in this project. Install it again.", labelText(name));
}

/** Writes a request to an owner for approving a skill of a project. */
export function approvalRequestOf({ detail, registry }: InProject, skill: InstalledSkill): string {
  return approvalRequest(skill, detail.summary, registryTitle(registry), hostLanguage());
}

/** Shows who must act, and offers to copy a request to them. */
export function offerRequest(message: string, request: string): Promise<void> {
  return offer(message, vscode.l10n.t("Copy Request"), () => copyRequest(request));
}

/** Copies a request to somebody who has the permission that the user lacks. */
export async function copyRequest(text: string): Promise<void> {
  await copyText(text, vscode.l10n.t("Request copied"));
}
