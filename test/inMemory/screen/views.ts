// The parts around the editors: trees, the status bar, output channels.
import type * as vscode from "vscode";
import { TreeItemCollapsibleState } from "../vscode/enums";
import { CancellationTokenSource, EventEmitter } from "../vscode/values";
import { type Board, standIn } from "./board";

/** A row of a tree, as it was drawn. */
export interface TreeRow {
  readonly element: unknown;
  readonly item: vscode.TreeItem;
  readonly label: string;
  readonly depth: number;
}

/** A tree. Its rows are drawn while it is visible, all that are expanded. */
export class MemoryTree {
  private readonly visibility = new EventEmitter<vscode.TreeViewVisibilityChangeEvent>();
  private readonly selected = new EventEmitter<vscode.TreeViewSelectionChangeEvent<unknown>>();
  private readonly folded = new Map<string, boolean>();
  private drawing: Promise<void> = Promise.resolve();
  private selection: readonly unknown[] = [];
  private said = "";
  private beside = "";
  isVisible = false;
  rows: readonly TreeRow[] = [];
  /** How often it was redrawn, which closes an open menu. */
  redraws = 0;
  /** The badge of its icon. */
  badge: vscode.ViewBadge | undefined;
  readonly api: vscode.TreeView<unknown>;

  constructor(
    readonly id: string,
    private readonly provider: vscode.TreeDataProvider<unknown>,
    private readonly board: Board,
  ) {
    const self = this;
    provider.onDidChangeTreeData?.(() => {
      this.redraws += 1;
      void this.draw();
    });
    const never: vscode.Event<never> = () => ({ dispose: () => undefined });
    this.api = standIn<vscode.TreeView<unknown>>("TreeView", {
      get visible() {
        return self.isVisible;
      },
      get selection() {
        return self.selection;
      },
      get message() {
        return self.message;
      },
      set message(to: string) {
        self.said = to;
        board.changed();
      },
      get description() {
        return self.description;
      },
      set description(to: string) {
        self.beside = to;
        board.changed();
      },
      get badge() {
        return self.badge;
      },
      set badge(to: vscode.ViewBadge | undefined) {
        self.badge = to;
        board.changed();
      },
      title: id,
      onDidChangeVisibility: this.visibility.event,
      onDidChangeSelection: this.selected.event,
      onDidExpandElement: never,
      onDidCollapseElement: never,
      reveal: async (element: unknown, { select = true } = {}) => {
        await this.drawing;
        // The row of an element is found by its ID, whatever the object.
        const { id } = await this.provider.getTreeItem(element);
        const shown = id === undefined ? undefined : this.rows.find(({ item }) => item.id === id);
        if (select) this.setSelection([shown?.element ?? element]);
      },
      dispose: () => undefined,
    });
  }

  get message(): string {
    return this.said;
  }

  get description(): string {
    return this.beside;
  }

  /** Everything that it shows, as text. */
  get text(): string {
    const rows = this.rows.map(({ depth, item, label }) => {
      const beside = typeof item.description === "string" ? ` | ${item.description}` : "";
      return `${"  ".repeat(depth)}${label}${beside}`;
    });
    return [this.message, ...rows].filter((line) => line !== "").join("\n");
  }

  /** Shows or hides it. Resolves once its rows are drawn. */
  async setVisible(to: boolean): Promise<void> {
    if (this.isVisible !== to) {
      this.isVisible = to;
      this.visibility.fire({ visible: to });
    }
    await this.draw();
  }

  /** Redraws its rows, after a drawing in progress. */
  draw(): Promise<void> {
    this.drawing = this.drawing.then(async () => {
      if (!this.isVisible) return;
      const before = this.rows.filter(({ element }) => this.selection.includes(element)).map(keyOf);
      this.rows = await this.rowsBelow(undefined, 0);
      // A redrawn row stays selected, even with a new element.
      const kept = this.rows.filter((row) => before.includes(keyOf(row)));
      this.selection = kept.map(({ element }) => element);
      this.board.changed();
    });
    return this.drawing;
  }

  /** Returns the row with this label, or whose label and description match. Undefined if no drawn row does. */
  row(label: string | RegExp): TreeRow | undefined {
    return this.rows.find((row) =>
      typeof label === "string"
        ? row.label === label
        : label.test(`${row.label} ${String(row.item.description ?? "")}`),
    );
  }

  /** As a person: selects rows. */
  select(...rows: readonly TreeRow[]): void {
    this.setSelection(rows.map(({ element }) => element));
  }

  /** As a person: opens or closes a row. */
  async fold(row: TreeRow, isOpen: boolean): Promise<void> {
    this.folded.set(keyOf(row), isOpen);
    await this.draw();
  }

  /** Reads the tooltip of a row, as the editor does when the pointer rests on it. */
  async tooltip({ item, element }: TreeRow): Promise<string> {
    const { token } = new CancellationTokenSource();
    const resolved = (await this.provider.resolveTreeItem?.(item, element, token)) ?? item;
    const { tooltip } = resolved;
    return typeof tooltip === "string" ? tooltip : (tooltip?.value ?? "");
  }

  private setSelection(selection: readonly unknown[]): void {
    this.selection = selection;
    this.selected.fire({ selection });
    this.board.changed();
  }

  private async rowsBelow(parent: unknown, depth: number): Promise<TreeRow[]> {
    const rows: TreeRow[] = [];
    for (const element of (await this.provider.getChildren(parent)) ?? []) {
      const item = await this.provider.getTreeItem(element);
      const label = typeof item.label === "string" ? item.label : (item.label?.label ?? "");
      const row = { element, item, label, depth };
      rows.push(row);
      const isOpen =
        this.folded.get(keyOf(row)) ?? item.collapsibleState === TreeItemCollapsibleState.Expanded;
      if (isOpen && item.collapsibleState !== TreeItemCollapsibleState.None) {
        rows.push(...(await this.rowsBelow(element, depth + 1)));
      }
    }
    return rows;
  }
}

function keyOf({ item, label }: TreeRow): string {
  return item.id ?? label;
}

/** The status bar. */
export class StatusBar {
  private readonly items: (vscode.StatusBarItem & { isShown: boolean })[] = [];
  private messages: { readonly text: string }[] = [];

  constructor(private readonly board: Board) {}

  /** The visible texts, without icons. */
  get texts(): readonly string[] {
    const shown = this.items.filter(({ isShown }) => isShown).map(({ text }) => text);
    const last = this.messages.at(-1)?.text;
    return [...(last === undefined ? [] : [last]), ...shown].map((text) =>
      text.replaceAll(/\$\([^)]*\) ?/g, ""),
    );
  }

  /** Returns the visible entry with an ID. */
  item(id: string): vscode.StatusBarItem | undefined {
    return this.items.find((item) => item.id === id && item.isShown);
  }

  create(
    id: string,
    alignment: vscode.StatusBarAlignment,
    priority?: number,
  ): vscode.StatusBarItem {
    const { board, items } = this;
    const item = {
      id,
      alignment,
      priority,
      text: "",
      name: undefined,
      tooltip: undefined,
      color: undefined,
      backgroundColor: undefined,
      command: undefined,
      accessibilityInformation: undefined,
      isShown: false,
      show() {
        shown.isShown = true;
      },
      hide() {
        shown.isShown = false;
      },
      dispose() {
        items.splice(items.indexOf(shown), 1);
        board.changed();
      },
    } as vscode.StatusBarItem & { isShown: boolean };
    const shown = new Proxy(item, {
      set: (target, key, value) => {
        const done = Reflect.set(target, key, value);
        board.changed();
        return done;
      },
    });
    items.push(shown);
    return shown;
  }

  /** Shows a message for a time, or until work ends. */
  say(text: string, until?: number | Thenable<unknown>): vscode.Disposable {
    const message = { text };
    this.messages.push(message);
    this.board.changed();
    const dispose = () => {
      this.messages = this.messages.filter((one) => one !== message);
      this.board.changed();
    };
    if (typeof until === "number") setTimeout(dispose, until).unref();
    else if (until !== undefined) void Promise.resolve(until).then(dispose, dispose);
    return { dispose };
  }

  /** Clears the messages. */
  clear(): void {
    this.messages = [];
  }
}

/** An output or log channel. */
export class Channel {
  text = "";
  isShown = false;
  readonly api: vscode.LogOutputChannel;

  constructor(
    readonly name: string,
    board: Board,
  ) {
    const write = (text: string) => {
      this.text += text;
      board.changed();
    };
    const log = (level: string) => (what: string | Error) => write(`[${level}] ${String(what)}\n`);
    this.api = standIn<vscode.LogOutputChannel>("OutputChannel", {
      name,
      append: write,
      appendLine: (line: string) => write(`${line}\n`),
      replace: (text: string) => {
        this.text = "";
        write(text);
      },
      clear: () => {
        this.text = "";
      },
      show: () => {
        this.isShown = true;
        board.changed();
      },
      hide: () => {
        this.isShown = false;
      },
      dispose: () => undefined,
      error: log("error"),
      warn: log("warning"),
      info: log("info"),
      debug: log("debug"),
      trace: log("trace"),
    });
  }
}
