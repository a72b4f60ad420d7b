import * as vscode from "vscode";
import { callCountWords } from "../../core/invocation/callCountWords";
import { type InvocationDay, invocationDays } from "../../core/invocation/invocationDays";
import {
  filterRecords,
  filterWords,
  type InvocationFilter,
  isFiltering,
  noFilter,
} from "../../core/invocation/invocationFilter";
import type { InvocationRecord } from "../../core/invocation/invocationRecord";
import { labelText } from "../../core/text/plainText";
import { contextKeys } from "../ids";
import type { LateTree } from "../lateTree";
import { hostLanguage } from "../words/hostLanguage";
import type { InvocationHistory } from "./invocationHistory";
import { invocationTreeItem } from "./invocationTreeItem";

/** A row of the Invocations view: a day, or a call of it. */
export type InvocationRow = InvocationDay | InvocationRecord;

/** Shows the record of past calls by day, newest first, as far as the filter lets them through. */
export class InvocationsView implements vscode.TreeDataProvider<InvocationRow> {
  private readonly changed = new vscode.EventEmitter<void>();
  private readonly subscription: vscode.Disposable;
  private readonly view: vscode.TreeView<InvocationRow>;
  private current = noFilter;

  readonly onDidChangeTreeData = this.changed.event;

  constructor(
    private readonly history: InvocationHistory,
    tree: LateTree<InvocationRow>,
  ) {
    this.subscription = history.onDidChange(() => this.changed.fire());
    this.view = tree.attach(this);
  }

  /** Which calls are shown. */
  get filter(): InvocationFilter {
    return this.current;
  }

  set filter(filter: InvocationFilter) {
    this.current = filter;
    this.view.description = labelText(filterWords(filter, hostLanguage()), 100);
    void vscode.commands.executeCommand(
      "setContext",
      contextKeys.invocationsFiltered,
      isFiltering(filter),
    );
    this.changed.fire();
  }

  async getChildren(parent?: InvocationRow): Promise<InvocationRow[]> {
    if (parent !== undefined) return isDay(parent) ? [...parent.records] : [];
    const records = filterRecords(await this.history.list(), this.current);
    return [...invocationDays(records, Date.now(), hostLanguage())];
  }

  async getTreeItem(row: InvocationRow): Promise<vscode.TreeItem> {
    return isDay(row) ? dayTreeItem(row) : invocationTreeItem(row);
  }

  dispose(): void {
    this.subscription.dispose();
    this.changed.dispose();
  }
}

function isDay(row: InvocationRow): row is InvocationDay {
  return "records" in row;
}

function dayTreeItem({ day, title, records }: InvocationDay): vscode.TreeItem {
  const item = new vscode.TreeItem(title, vscode.TreeItemCollapsibleState.Expanded);
  const count = callCountWords(records.length, hostLanguage());
  item.id = `day:${day}`;
  item.description = count;
  item.contextValue = "invocationDay";
  item.accessibilityInformation = { label: `${title}, ${count}` };
  if (day === "pinned") item.iconPath = new vscode.ThemeIcon("pinned");
  return item;
}
