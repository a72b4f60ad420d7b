import * as vscode from "vscode";
import {
  addCost,
  ceilingQuestion,
  costText,
  dayOf,
  type PricedInvocation,
  readSpending,
  type Spending,
} from "../../core/invocation/limits/spending";
import type { InvocationRecord } from "../../core/invocation/record/invocationRecord";
import { hostLanguage } from "../words/hostLanguage";
import { SharedFile } from "./sharedFile";

/** Adds up what calls cost a day and registry, over all windows of this machine. */
export class SpendingLedger {
  private readonly file: SharedFile<Spending>;
  private readonly changed = new vscode.EventEmitter<void>();

  /** Fires when this window spent something. */
  readonly onDidChange = this.changed.event;

  constructor(path: string) {
    this.file = new SharedFile(path, readSpending);
  }

  /** Adds what a finished call cost. Never rejects. */
  async add(record: InvocationRecord): Promise<void> {
    const { registry, skillSlug, amountCents: cents, currency = "", startedAt } = record;
    if (cents === undefined || !(cents > 0)) return;
    const cost = { day: dayOf(startedAt), registry, skillSlug, currency, cents };
    await this.file.change((spending) => addCost(spending, cost));
    this.changed.fire();
  }

  /** Says what was spent today, for each registry and currency. */
  async today(): Promise<ReturnType<typeof costText>> {
    return costText(await this.file.get(), dayOf(Date.now()), hostLanguage());
  }

  /** Says why a call needs a question first; undefined where it stays under the ceiling. */
  async question(call: PricedInvocation, ceilingCents: number): Promise<string | undefined> {
    return ceilingQuestion(
      await this.file.get(),
      call,
      ceilingCents,
      dayOf(Date.now()),
      hostLanguage(),
    );
  }

  dispose(): void {
    this.changed.dispose();
  }
}
