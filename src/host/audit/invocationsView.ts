import * as vscode from "vscode";
import type { InvocationRecord } from "../../core/invocationRecord";
import { viewIds } from "../ids";
import type { InvocationHistory } from "./invocationHistory";
import { invocationTreeItem } from "./invocationTreeItem";

/** Shows the record of past calls, newest first. */
export class InvocationsView implements vscode.TreeDataProvider<InvocationRecord> {
  private readonly view: vscode.TreeView<InvocationRecord>;

  readonly onDidChangeTreeData: vscode.Event<void>;

  constructor(private readonly history: InvocationHistory) {
    this.onDidChangeTreeData = history.onDidChange;
    this.view = vscode.window.createTreeView(viewIds.invocations, { treeDataProvider: this });
  }

  async getChildren(parent?: InvocationRecord): Promise<InvocationRecord[]> {
    return parent === undefined ? this.history.list() : [];
  }

  getTreeItem(record: InvocationRecord): vscode.TreeItem {
    return invocationTreeItem(record);
  }

  dispose(): void {
    this.view.dispose();
  }
}
