import * as vscode from "vscode";
import { labelText, notificationText } from "../../core/text/plainText";
import { earlierVersions, rollBackQuestion } from "../../core/workspace/updates";
import { slugArgument } from "../discover/slugArguments";
import { withProgress } from "../invoke/progress";
import { hostLanguage } from "../messages/hostLanguage";
import { chooseInstall, type InstallParts } from "./installCommands";
import { makeChange } from "./makeChange";

/** Pins an earlier version of a skill: one that was pinned before, or an older one that the registry lists. */
export async function rollBackSkill(parts: InstallParts, argument: unknown): Promise<void> {
  const at = await parts.inProject();
  if (at === undefined) return;
  const { registry, routes, detail } = at;
  const installed = detail.skills.filter(({ status }) => status === "installed");
  const given = slugArgument(argument);
  const skill =
    installed.find(({ slug }) => slug === given) ??
    (await chooseInstall(installed, {
      title: vscode.l10n.t("Roll Back Skill"),
      none: vscode.l10n.t("No skill is installed in this project."),
    }));
  if (skill === undefined) return;
  const name = labelText(skill.name, 80);
  const read = await withProgress(vscode.l10n.t("Loading {0}", name), (signal) =>
    registry.client.ownDetail(skill.slug, signal),
  );
  const listed = read.ok ? read.value.versions : [];
  const versions = earlierVersions(skill, parts.project.pinnedBefore(skill.slug), listed);
  if (versions.length === 0) {
    void vscode.window.showInformationMessage(
      notificationText(vscode.l10n.t("No earlier version of {0} is known.", name)),
    );
    return;
  }
  const target = await vscode.window.showQuickPick(
    versions.map((label) => ({ label: labelText(label, 60), version: label })),
    {
      title: vscode.l10n.t("Roll Back {0}, now {1}", name, labelText(skill.version, 40)),
      placeHolder: vscode.l10n.t("Select a version"),
      ignoreFocusOut: true,
    },
  );
  if (target === undefined) return;
  const { version } = target;
  const question = rollBackQuestion(skill, version, detail.summary, hostLanguage());
  const answer = await vscode.window.showWarningMessage(
    notificationText(question.message, 200),
    { modal: true, detail: question.detail.join("\n\n") },
    question.agree,
  );
  if (answer !== question.agree) return;
  const earlier = labelText(`${skill.slug}@${version}`);
  const title = vscode.l10n.t("Rolling back to {0}", earlier);
  const restored = await makeChange(parts.project, at, title, (signal) =>
    routes.install(detail.summary.slug, skill.slug, version, signal),
  );
  if (restored === undefined) return;
  const text = vscode.l10n.t("$(history) {0} is pinned again.", earlier);
  vscode.window.setStatusBarMessage(text, 5000);
}
