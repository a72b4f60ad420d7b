import type * as vscode from "vscode";
import { ChangeEvent } from "../../engine/changeEvent";
import type { LazyTreeDataProvider } from "../lazyProviders";
import { Owner } from "./owner";

/**
 * The rows of a view. It is redrawn only where a row has changed: with each redraw the editor drops its rows for a
 * moment, and an open menu with them. Rows are read first, to keep that moment short.
 */
export abstract class Tree<Row> extends Owner implements vscode.TreeDataProvider<Row> {
  protected readonly view: vscode.TreeView<Row>;
  private readonly changed = this.own(new ChangeEvent<void>());
  /** The shown top rows with their texts; undefined where they have to be read again. */
  private shown: { readonly rows: readonly Row[]; readonly text: string } | undefined;
  /** Counts the reads of `redraw`; the rows of an earlier one are older than those of the latest that ended. */
  private reads = 0;
  private latest = 0;

  readonly onDidChangeTreeData = this.changed.event;

  constructor(tree: Pick<LazyTreeDataProvider<Row>, "attach">) {
    super();
    this.view = tree.attach(this);
  }

  /** Reads the top rows. */
  protected abstract readRows(): Promise<readonly Row[]>;

  /** Returns the rows below a row. */
  protected abstract rowsBelow(row: Row): readonly Row[];

  /** Returns everything that may change of a row and of those below it, as text. */
  protected abstract textOf(row: Row): string;

  abstract getTreeItem(row: Row): vscode.TreeItem | Promise<vscode.TreeItem>;

  async getChildren(parent?: Row): Promise<Row[]> {
    if (parent !== undefined) return [...this.rowsBelow(parent)];
    // A redraw may have read newer rows meanwhile; the next one is compared with those.
    const read = this.shown ?? (await this.read());
    this.shown ??= read;
    return [...this.shown.rows];
  }

  /** The top rows that the view has. */
  protected get rows(): readonly Row[] {
    return this.shown?.rows ?? [];
  }

  /** Redraws the view where a row has changed; a hidden view when it is shown. Resolves once that has begun. */
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
