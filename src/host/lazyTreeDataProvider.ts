import * as vscode from "vscode";

/**
 * Holds a view's place until the view is first seen: only then is `load` called, which must lead to
 * `attach` with the provider of the rows.
 */
export class LazyTreeDataProvider<Row> implements vscode.TreeDataProvider<Row> {
  private readonly changed = new vscode.EventEmitter<Row | Row[] | undefined | null>();
  private readonly view: vscode.TreeView<Row>;
  private provider: vscode.TreeDataProvider<Row> | undefined;
  private subscription: vscode.Disposable | undefined;

  readonly onDidChangeTreeData = this.changed.event;

  constructor(
    viewId: string,
    private readonly load: () => Promise<unknown>,
    options: { readonly canSelectMany?: boolean } = {},
  ) {
    this.view = vscode.window.createTreeView(viewId, { treeDataProvider: this, ...options });
  }

  /** Hands the view over to the provider of its rows. */
  attach(provider: vscode.TreeDataProvider<Row>): vscode.TreeView<Row> {
    this.provider = provider;
    this.subscription = provider.onDidChangeTreeData?.((row) =>
      this.changed.fire(row ?? undefined),
    );
    return this.view;
  }

  async getChildren(row?: Row): Promise<Row[]> {
    if (this.provider === undefined) await this.load();
    return (await this.provider?.getChildren(row)) ?? [];
  }

  async getTreeItem(row: Row): Promise<vscode.TreeItem> {
    return this.provider?.getTreeItem(row) ?? new vscode.TreeItem("");
  }

  getParent(row: Row): vscode.ProviderResult<Row> {
    return this.provider?.getParent?.(row);
  }

  resolveTreeItem(
    item: vscode.TreeItem,
    row: Row,
    token: vscode.CancellationToken,
  ): vscode.ProviderResult<vscode.TreeItem> {
    return this.provider?.resolveTreeItem?.(item, row, token) ?? item;
  }

  dispose(): void {
    this.subscription?.dispose();
    this.view.dispose();
    this.changed.dispose();
  }
}
