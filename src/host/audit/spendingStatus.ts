import * as vscode from "vscode";
import { restOfDay } from "../../core/invocation/spending";
import { labelText, markdownText } from "../../core/text/plainText";
import type { SpendingLedger } from "../../engine/spendingLedger";
import { viewIds } from "../ids";
import { hostLanguage } from "../ui/hostLanguage";

/** Shows the cost of today's invocations in the status bar, once there is one. */
export class SpendingStatus {
  private readonly item = vscode.window.createStatusBarItem(
    "skillRegistry.spending",
    vscode.StatusBarAlignment.Right,
  );
  private readonly subscription: vscode.Disposable;
  private midnight: NodeJS.Timeout | undefined;

  constructor(private readonly ledger: SpendingLedger) {
    this.item.name = vscode.l10n.t("Skill Registry: Cost Today");
    this.item.command = `${viewIds.invocations}.focus`;
    this.subscription = ledger.onDidChange(() => void this.show());
    ledger.follow();
    void this.show();
  }

  dispose(): void {
    clearTimeout(this.midnight);
    this.subscription.dispose();
    this.item.dispose();
  }

  private async show(): Promise<void> {
    const costs = await this.ledger.today(hostLanguage());
    const [first] = costs;
    clearTimeout(this.midnight);
    this.midnight = setTimeout(() => void this.show(), restOfDay(Date.now()) + 1000);
    if (first === undefined) return this.item.hide();
    const sum = costs.length === 1 ? first.cost : vscode.l10n.t("{0} amounts", costs.length);
    this.item.text = `$(credit-card) ${labelText(sum)}`;
    const lines = costs.map(({ registry, cost }) => `${registry}: ${cost}`);
    const title = vscode.l10n.t("Cost of today's invocations");
    this.item.accessibilityInformation = { label: `${title}: ${lines.join(", ")}` };
    const text = lines.map((line) => markdownText(line, 200)).join("\n\n");
    this.item.tooltip = new vscode.MarkdownString(`**${title}**\n\n${text}`);
    this.item.show();
  }
}
