import * as vscode from "vscode";
import { restOfDay } from "../../core/invocation/spending";
import { labelText, markdownText } from "../../core/text/plainText";
import type { InvocationHistory } from "../../engine/record/invocationHistory";
import { costsToday } from "../../engine/store/spentToday";
import type { Store } from "../../engine/store/store";
import { Timer } from "../../registry/wait";
import { viewIds } from "../ids";
import { hostLanguage } from "../ui/hostLanguage";
import { Owner } from "../ui/owner";

/** Shows the cost of today's invocations in the status bar, once it is above zero. */
export class SpendingStatus extends Owner {
  private readonly item = this.own(
    vscode.window.createStatusBarItem("skillRegistry.spending", vscode.StatusBarAlignment.Right),
  );
  private readonly midnight = this.own(new Timer());

  constructor(
    private readonly store: Store,
    history: Pick<InvocationHistory, "onDidChange">,
  ) {
    super();
    this.item.name = vscode.l10n.t("Skill Registry: Cost Today");
    this.item.command = `${viewIds.invocations}.focus`;
    this.own(history.onDidChange(() => void this.show()));
    void this.show();
  }

  private async show(): Promise<void> {
    // An unknown cost is not shown.
    const costs = await costsToday(this.store, hostLanguage()).catch(() => []);
    const [first] = costs;
    this.midnight.after(restOfDay(Date.now()) + 1000, () => this.show());
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
