import * as vscode from "vscode";
import type { AgentSettings } from "../../core/agents/agentAgreements";
import { commandIds } from "../ids";
import { Owner } from "../ui/owner";

/** Shows in the status bar that agents may invoke skills; one click stops them. */
export class AgentStatus extends Owner {
  private readonly item = this.own(
    vscode.window.createStatusBarItem("skillRegistry.agents", vscode.StatusBarAlignment.Right),
  );

  constructor() {
    super();
    this.item.name = vscode.l10n.t("Skill Registry: Agents");
    this.item.command = commandIds.stopAgents;
  }

  /** Shows the number of allowed skills, or that agents are stopped. */
  show({ skills, stopped }: AgentSettings): void {
    if (skills.length === 0) {
      this.item.hide();
      return;
    }
    const isStopped = stopped === true;
    this.item.text = isStopped ? "$(circle-slash)" : `$(robot) ${skills.length}`;
    const tooltip = isStopped
      ? vscode.l10n.t("Agents are stopped. Click to resume them.")
      : skills.length === 1
        ? vscode.l10n.t("Agents may invoke 1 skill. Click to stop them.")
        : vscode.l10n.t("Agents may invoke {0} skills. Click to stop them.", skills.length);
    this.item.tooltip = tooltip;
    this.item.accessibilityInformation = { label: tooltip };
    this.item.show();
  }
}
