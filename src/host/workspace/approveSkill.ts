import * as vscode from "vscode";
import { labelText, notificationText } from "../../core/text/plainText";
import {
  approvalQuestion,
  approvalRequest,
  mayApprove,
  needsApproval,
} from "../../core/workspace/policies";
import type { InstalledSkill } from "../../core/workspace/project";
import { slugArgument } from "../discover/slugArguments";
import { withProgress } from "../invoke/progress";
import { hostLanguage } from "../messages/hostLanguage";
import { showFailure } from "../messages/showNotice";
import { chooseInstall, type InstallParts } from "./installCommands";
import type { InProject } from "./keyCommands";
import { makeChange } from "./makeChange";

/** Approves a skill of the project, or, where the role does not allow that, offers the words to ask for it. */
export async function approveSkill(parts: InstallParts, argument: unknown): Promise<void> {
  const at = await parts.inProject();
  if (at === undefined) return;
  const { detail, routes, role } = at;
  const waiting = detail.skills.filter(needsApproval);
  const given = slugArgument(argument);
  const skill =
    waiting.find(({ slug }) => slug === given) ??
    (await chooseInstall(waiting, {
      title: vscode.l10n.t("Approve Skill"),
      none: vscode.l10n.t("No skill of this project waits for approval."),
    }));
  if (skill === undefined) return;
  if (!mayApprove(skill, role)) return askOwner(at, skill);
  const { slug } = detail.summary;
  // All of the policy is sent, as it stands at the registry now: what is left out would be reset.
  const policies = await withProgress(vscode.l10n.t("Loading the policy"), (signal) =>
    routes.policies(slug, signal),
  );
  if (!policies.ok) return void showFailure(policies.failure);
  const policy = policies.value.get(skill.slug)?.row;
  if (policy === undefined) {
    void vscode.window.showErrorMessage(
      vscode.l10n.t("{0} has no policy in this project. Install it again.", labelText(skill.name)),
    );
    return;
  }
  const {
    message,
    detail: lines,
    agree,
  } = approvalQuestion(skill, detail.summary, policy, hostLanguage());
  const answer = await vscode.window.showInformationMessage(
    notificationText(message),
    { modal: true, detail: lines.join("\n") },
    agree,
  );
  if (answer !== agree) return;
  const title = vscode.l10n.t("Approving {0}", labelText(skill.slug));
  const approved = await makeChange(parts.project, at, title, (signal) =>
    routes.putPolicy(slug, skill.slug, { ...policy, approvalRequired: false }, signal),
  );
  if (approved !== true) return;
  vscode.window.setStatusBarMessage(
    vscode.l10n.t("$(pass) {0} approved.", labelText(skill.name)),
    5000,
  );
}

async function askOwner({ detail, registry }: InProject, skill: InstalledSkill): Promise<void> {
  const copy = vscode.l10n.t("Copy Request");
  const answer = await vscode.window.showInformationMessage(
    notificationText(
      vscode.l10n.t("Only an owner or admin of the organization may approve {0}.", skill.name),
    ),
    copy,
  );
  if (answer !== copy) return;
  const text = approvalRequest(skill, detail.summary, registry.origin, hostLanguage());
  await vscode.env.clipboard.writeText(text);
  vscode.window.setStatusBarMessage(vscode.l10n.t("$(copy) Request copied"), 5000);
}
