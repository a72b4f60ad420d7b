import * as vscode from "vscode";
import { labelText, oneLine } from "../../core/text/plainText";
import {
  accountKey,
  accountLabel,
  expiryWarning,
  nextExpiryMoment,
  type UserSession,
} from "../../core/workspace/account";
import { commandIds } from "../ids";
import { hostLanguage } from "../messages/hostLanguage";
import type { CurrentProject } from "./currentProject";

const longestTimerMs = 2_147_483_647;

/** Shows in the status bar which project this workspace works with, while somebody is signed in. */
export class ProjectStatus {
  private readonly item: vscode.StatusBarItem;
  private readonly subscription: vscode.Disposable;
  private expiring: NodeJS.Timeout | undefined;

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
    clearTimeout(this.expiring);
    this.item.dispose();
  }

  private async show(): Promise<void> {
    const found = await this.project.signedIn();
    const chosen = found && this.project.chosenAt(found.registry);
    this.followExpiry(found?.session);
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

  /** A window may be open for longer than a sign-in lasts: what is shown of its end comes by itself. */
  private followExpiry(session: UserSession | undefined): void {
    clearTimeout(this.expiring);
    const now = Date.now();
    const moment = session && nextExpiryMoment(session, now);
    if (moment === undefined) return;
    // Timers count no further; after the longest one it is looked at again.
    const wait = Math.min(moment - now, longestTimerMs);
    this.expiring = setTimeout(() => void this.project.refresh(), wait);
    this.expiring.unref();
  }
}
