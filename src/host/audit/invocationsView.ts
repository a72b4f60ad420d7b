import * as vscode from "vscode";
import { invocationCountText } from "../../core/invocation/record/invocationCountText";
import { type InvocationDay, invocationDays } from "../../core/invocation/record/invocationDays";
import {
  filterRecords,
  filterText,
  type InvocationFilter,
  isFiltering,
  noFilter,
} from "../../core/invocation/record/invocationFilter";
import type { InvocationRecord } from "../../core/invocation/record/invocationRecord";
import type { Language } from "../../core/text/language";
import { labelText } from "../../core/text/plainText";
import { timeFormats } from "../../core/text/timeFormats";
import { contextKeys } from "../ids";
import type { RunningInvocations } from "../invoke/runningInvocations";
import type { LazyTreeDataProvider } from "../lazyTreeDataProvider";
import { hostLanguage } from "../words/hostLanguage";
import type { InvocationHistory } from "./invocationHistory";
import { invocationTreeItem } from "./invocationTreeItem";

/** A row of the Invocations view: a day, or a call of it. */
export type InvocationRow = InvocationDay | InvocationRecord;

/** Shows the record of past calls by day, newest first, as far as the filter lets them through. */
export class InvocationsView implements vscode.TreeDataProvider<InvocationRow> {
  private readonly changed = new vscode.EventEmitter<void>();
  private readonly subscriptions: readonly vscode.Disposable[];
  private readonly view: vscode.TreeView<InvocationRow>;
  private readonly language = hostLanguage();
  private readonly times = timeFormats(this.language);
  private current = noFilter;
  /** What the view shows; undefined where it has to be read anew. */
  private days: readonly InvocationDay[] | undefined;

  readonly onDidChangeTreeData = this.changed.event;

  constructor(
    private readonly history: InvocationHistory,
    private readonly running: RunningInvocations,
    tree: LazyTreeDataProvider<InvocationRow>,
  ) {
    this.subscriptions = [
      history.onDidChange(() => void this.follow()),
      running.onDidChange(() => {
        this.days = undefined;
        void this.follow();
      }),
    ];
    this.view = tree.attach(this);
  }

  /** Which calls are shown. */
  get filter(): InvocationFilter {
    return this.current;
  }

  set filter(filter: InvocationFilter) {
    this.current = filter;
    this.view.description = labelText(filterText(filter, this.language), 100);
    void vscode.commands.executeCommand(
      "setContext",
      contextKeys.invocationsFiltered,
      isFiltering(filter),
    );
    void this.follow();
  }

  async getChildren(parent?: InvocationRow): Promise<InvocationRow[]> {
    if (parent !== undefined) return isDay(parent) ? [...parent.records] : [];
    this.days ??= await this.read();
    return [...this.days];
  }

  async getTreeItem(row: InvocationRow): Promise<vscode.TreeItem> {
    return isDay(row)
      ? dayTreeItem(row, this.language)
      : invocationTreeItem(row, {
          language: this.language,
          times: this.times,
          canCancel: this.running.find(row.id) !== undefined,
        });
  }

  dispose(): void {
    for (const subscription of this.subscriptions) subscription.dispose();
    this.changed.dispose();
  }

  /**
   * Follows the record where what is shown has changed: with each refresh the editor forgets its rows
   * for a moment, and so what an open menu belongs to. The rows are read before, to keep that short.
   */
  private async follow(): Promise<void> {
    if (!this.view.visible) {
      this.days = undefined;
      this.changed.fire();
      return;
    }
    const days = await this.read();
    const isSame = this.days !== undefined && shownText(this.days) === shownText(days);
    if (isSame) return;
    this.days = days;
    this.changed.fire();
  }

  private async read(): Promise<readonly InvocationDay[]> {
    const records = filterRecords(await this.history.list(), this.current);
    return invocationDays(records, Date.now(), this.language);
  }
}

/** What of a call can change is its status and its pin; the rest follows from its name. */
function shownText(days: readonly InvocationDay[]): string {
  return days
    .map(({ title, records }) => [title, ...records.map(({ id, status }) => `${id} ${status}`)])
    .join("\n");
}

function isDay(row: InvocationRow): row is InvocationDay {
  return "records" in row;
}

function dayTreeItem({ day, title, records }: InvocationDay, language: Language): vscode.TreeItem {
  const item = new vscode.TreeItem(title, vscode.TreeItemCollapsibleState.Expanded);
  const count = invocationCountText(records.length, language);
  item.id = `day:${day}`;
  item.description = count;
  item.contextValue = "invocationDay";
  item.accessibilityInformation = { label: `${title}, ${count}` };
  return item;
}
