import type * as vscode from "vscode";
import type { InvocationRecord } from "../../core/invocationRecord";
import type { LateTree } from "../lateTree";
import type { InvocationHistory } from "./invocationHistory";
import { invocationTreeItem } from "./invocationTreeItem";

/** Shows the record of past calls, newest first. */
export class InvocationsView implements vscode.TreeDataProvider<InvocationRecord> {
  readonly onDidChangeTreeData: vscode.Event<void>;

  constructor(
    private readonly history: InvocationHistory,
    tree: LateTree<InvocationRecord>,
  ) {
    this.onDidChangeTreeData = history.onDidChange;
    tree.attach(this);
  }

  async getChildren(parent?: InvocationRecord): Promise<InvocationRecord[]> {
    return parent === undefined ? [...(await this.history.list())] : [];
  }

  getTreeItem(record: InvocationRecord): vscode.TreeItem {
    return invocationTreeItem(record);
  }
}
