import type * as vscode from "vscode";
import { ChangeEvent } from "../../engine/changeEvent";
import type { LazyTreeDataProvider } from "../lazyProviders";
import { Owner } from "./owner";

/**
 * The rows of a view. Redraws only if a row has changed, since each redraw removes the rows for a moment, and an open
 * menu with them. Reads rows first, to keep that moment short.
 */
export abstract class Tree<Row> extends Owner implements vscode.TreeDataProvider<Row> {
  protected readonly view: vscode.TreeView<Row>;
  private readonly changed = this.own(new ChangeEvent<void>());
  /** The visible top rows with their texts; undefined if they must be read again. */
  private shown: { readonly rows: readonly Row[]; readonly text: string } | undefined;
  /** The number of reads. Rows of an earlier read must not replace those of the latest. */
  private reads = 0;
  private latest = 0;

  readonly onDidChangeTreeData = this.changed.event;

  constructor(tree: Pick<LazyTreeDataProvider<Row>, "attach">) {
    super();
    this.view = tree.attach(this);
  }

  protected abstract readRows(): Promise<readonly Row[]>;

  protected abstract rowsBelow(row: Row): readonly Row[];

  /** Returns everything that can change in a row and the rows below it, as text. */
  protected abstract textOf(row: Row): string;

  abstract getTreeItem(row: Row): vscode.TreeItem | Promise<vscode.TreeItem>;

  async getChildren(parent?: Row): Promise<Row[]> {
    if (parent !== undefined) return [...this.rowsBelow(parent)];
    // A redraw may have read newer rows meanwhile. Return those, since the next redraw compares its rows with them.
    const read = this.shown ?? (await this.read());
    this.shown ??= read;
    return [...this.shown.rows];
  }

  /** The top rows that the view has. */
  protected get rows(): readonly Row[] {
    return this.shown?.rows ?? [];
  }

  /**
   * Redraws the view if a row has changed. A hidden view is redrawn when it is shown. Resolves once the redraw has
   * started.
   */
  protected async redraw(): Promise<void> {
    if (this.view.visible) {
      this.reads += 1;
      const at = this.reads;
      const read = await this.read();
      if (at < this.latest) return;
      this.latest = at;
      if (read.text === this.shown?.text) return;
      this.shown = read;
    } else this.shown = undefined;
    this.changed.fire();
  }

  private async read() {
    const rows = await this.readRows();
    return { rows, text: rows.map((row) => this.textOf(row)).join("\n") };
  }
}
