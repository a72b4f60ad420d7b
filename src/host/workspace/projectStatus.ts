import * as vscode from "vscode";
import { labelText, oneLine } from "../../core/text/plainText";
import { accountKey, accountLabel, expiryWarning } from "../../core/workspace/account";
import { commandIds } from "../ids";
import { hostLanguage } from "../messages/hostLanguage";
import type { CurrentProject } from "./currentProject";

/** Shows in the status bar which project this workspace works with, while somebody is signed in. */
export class ProjectStatus {
  private readonly item: vscode.StatusBarItem;
  private readonly subscription: vscode.Disposable;

  constructor(private readonly project: CurrentProject) {
    this.item = vscode.window.createStatusBarItem(
      "skillRegistry.project",
      vscode.StatusBarAlignment.Left,
      10,
    );
    this.item.name = vscode.l10n.t("Skill Registry Project");
    this.item.command = commandIds.chooseProject;
    this.subscription = project.onDidChange(() => void this.show());
    void this.show();
  }

  dispose(): void {
    this.subscription.dispose();
    this.item.dispose();
  }

  private async show(): Promise<void> {
    const found = await this.project.signedIn();
    const chosen = found && this.project.chosenAt(found.registry);
    if (found === undefined || chosen?.account !== accountKey(found.session)) {
      return this.item.hide();
    }
    const name = labelText(chosen.name, 40);
    const who = oneLine(accountLabel(found.session), 200);
    const warning = expiryWarning(found.session, Date.now(), hostLanguage());
    this.item.text = warning === "" ? `$(project) ${name}` : `$(warning) ${name}`;
    const tooltip = vscode.l10n.t("Project {0}, signed in as {1}", oneLine(chosen.name), who);
    this.item.tooltip = warning === "" ? tooltip : `${tooltip}\n${warning}`;
    const label = vscode.l10n.t("Project {0}", name);
    this.item.accessibilityInformation = { label: warning === "" ? label : `${label}. ${warning}` };
    this.item.show();
  }
}
