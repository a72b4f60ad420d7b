import * as vscode from "vscode";
import type { InvocationRecord } from "../../core/invocation/record/invocationRecord";
import {
  costText,
  dailyLimitQuestion,
  expectCost,
  type PricedInvocation,
  readSpending,
  restOfDay,
  type Spending,
  settleCost,
} from "../../core/invocation/spending";
import type { InvocationPrice } from "../../core/skill/price";
import { localDay } from "../../core/text/dates";
import { labelText, markdownText } from "../../core/text/plainText";
import { SharedFile } from "../../engine/sharedFile";
import { viewIds } from "../ids";
import { hostLanguage } from "../messages/hostLanguage";

/** Adds up the cost of invocations per day and registry, over all windows of this machine. */
export class SpendingLedger {
  private readonly file: SharedFile<Spending>;
  private readonly changed = new vscode.EventEmitter<void>();

  /** Fires when this window spent money. */
  readonly onDidChange = this.changed.event;

  constructor(path: string) {
    this.file = new SharedFile(path, readSpending);
  }

  /** Adds an invocation that is sent next at its expected price, until it has ended. Never rejects. */
  async expect(record: InvocationRecord, price: InvocationPrice): Promise<void> {
    const { id, registry, skillSlug, startedAt } = record;
    const invocation = { registry, skillSlug, price };
    const day = localDay(startedAt);
    await this.file.change((spending) => expectCost(spending, invocation, id, day));
  }

  /** Adds the cost of a finished invocation; where its outcome is unknown, the expected cost. Never rejects. */
  async settle(record: InvocationRecord): Promise<void> {
    await this.file.change((spending) => settleCost(spending, record));
    if ((record.amountCents ?? 0) > 0) this.changed.fire();
  }

  /** Describes what was billed today, for each registry and currency. */
  async today(): Promise<ReturnType<typeof costText>> {
    return costText(await this.file.get(), localDay(Date.now()), hostLanguage());
  }

  /** Returns the reason for a question before an invocation; undefined where it stays under the ceiling. */
  async question(invocation: PricedInvocation, ceilingCents: number): Promise<string | undefined> {
    return dailyLimitQuestion(
      await this.file.get(),
      invocation,
      ceilingCents,
      localDay(Date.now()),
      hostLanguage(),
    );
  }

  dispose(): void {
    this.changed.dispose();
  }
}

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
    this.subscription = vscode.Disposable.from(
      ledger.onDidChange(() => void this.show()),
      // Other windows may have spent money since.
      vscode.window.onDidChangeWindowState(({ focused }) => focused && void this.show()),
    );
    void this.show();
  }

  dispose(): void {
    clearTimeout(this.midnight);
    this.subscription.dispose();
    this.item.dispose();
  }

  private async show(): Promise<void> {
    const costs = await this.ledger.today();
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
