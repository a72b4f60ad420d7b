import type * as vscode from "vscode";
import { ViewColumn } from "../vscode/enums";
import {
  EventEmitter,
  Range,
  Selection,
  TabInputText,
  TabInputTextDiff,
  TabInputWebview,
} from "../vscode/values";
import { type Board, standIn } from "./board";
import type { Documents, MemoryDocument } from "./documents";
import { MemoryPanel } from "./memoryPanel";

/** A tab: a text, two texts compared, or a page. */
export class MemoryTab implements vscode.Tab {
  isDirty = false;
  isPinned = false;

  constructor(
    readonly group: MemoryGroup,
    readonly input: TabInputText | TabInputTextDiff | TabInputWebview,
    public label: string,
    public isPreview: boolean,
    /** Its content; in a comparison the modified side. */
    readonly content: MemoryTextEditor | MemoryPanel,
  ) {}

  get isActive(): boolean {
    return this.group.activeTab === this;
  }
}

class MemoryGroup implements vscode.TabGroup {
  tabs: MemoryTab[] = [];
  activeTab: MemoryTab | undefined;

  constructor(
    private readonly owner: Tabs,
    readonly viewColumn: vscode.ViewColumn,
  ) {}

  get isActive(): boolean {
    return this.owner.activeGroup === this;
  }
}

/** An editor that shows a text. */
export class MemoryTextEditor {
  selections: readonly vscode.Selection[] = [new Selection(0, 0, 0, 0)];
  options: vscode.TextEditorOptions = { tabSize: 4, insertSpaces: true };
  /** The range that was last revealed. */
  revealed: vscode.Range | undefined;
  /** The editor as the API has it. */
  readonly api: vscode.TextEditor;

  constructor(
    readonly document: MemoryDocument,
    column: () => vscode.ViewColumn,
    documents: Documents,
  ) {
    const self = this;
    this.api = standIn<vscode.TextEditor>("TextEditor", {
      document,
      get viewColumn() {
        return column();
      },
      get selection() {
        return self.selections[0] as vscode.Selection;
      },
      set selection(to: vscode.Selection) {
        self.selections = [to];
      },
      get selections() {
        return self.selections;
      },
      set selections(to: readonly vscode.Selection[]) {
        self.selections = to;
      },
      get options() {
        return self.options;
      },
      get visibleRanges() {
        return [new Range(0, 0, document.lineCount, 0)];
      },
      revealRange: (range: vscode.Range) => {
        self.revealed = range;
      },
      insertSnippet: async ({ value }: vscode.SnippetString, range: vscode.Range) => {
        const [before = ""] = value.split(/(?<!\\)\$\d/);
        const newText = value.replaceAll(/(?<!\\)\$\d+/g, "").replaceAll(/\\(.)/gs, "$1");
        const at = document.offsetAt(range.start) + before.replaceAll(/\\(.)/gs, "$1").length;
        documents.change(document, [{ range, newText } as vscode.TextEdit]);
        const first = document.positionAt(at);
        self.selections = [new Selection(first, first)];
        return true;
      },
      edit: async (work: (builder: vscode.TextEditorEdit) => void) => {
        const edits: vscode.TextEdit[] = [];
        const add = (range: vscode.Range, newText: string) =>
          edits.push({ range, newText } as vscode.TextEdit);
        work(
          standIn<vscode.TextEditorEdit>("TextEditorEdit", {
            replace: (where: vscode.Range | vscode.Position, text: string) =>
              add("line" in where ? new Range(where, where) : where, text),
            insert: (where: vscode.Position, text: string) => add(new Range(where, where), text),
            delete: (range: vscode.Range) => add(range, ""),
          }),
        );
        documents.change(document, edits);
        return true;
      },
    });
  }
}

/** The editor area: groups of tabs, of which each shows its active one. */
export class Tabs {
  private readonly changed = new EventEmitter<vscode.TabChangeEvent>();
  private readonly groupsChanged = new EventEmitter<vscode.TabGroupChangeEvent>();
  private readonly activeEditorChanged = new EventEmitter<vscode.TextEditor | undefined>();
  private readonly visibleChanged = new EventEmitter<readonly vscode.TextEditor[]>();
  private lastActive: MemoryTextEditor | undefined;
  private lastVisible: readonly MemoryTextEditor[] = [];
  groups: MemoryGroup[] = [new MemoryGroup(this, 1)];
  activeGroup: MemoryGroup = this.groups[0] as MemoryGroup;
  /** Whether extensions know the tabs. Those of the last window become known a moment after this window has opened. */
  private areKnown = true;
  readonly api: vscode.TabGroups;

  readonly onDidChangeActiveTextEditor = this.activeEditorChanged.event;
  readonly onDidChangeVisibleTextEditors = this.visibleChanged.event;

  constructor(
    private readonly board: Board,
    private readonly documents: Documents,
    private readonly usesPreviews: () => boolean,
    /** Called when a page has loaded its HTML: acts as its script. */
    readonly loaded: (panel: MemoryPanel) => void,
  ) {
    const self = this;
    documents.onDidChange(({ document }) => this.markDirty(document as MemoryDocument));
    documents.onDidSave((document) => this.markDirty(document as MemoryDocument));
    documents.moved.event(([from, to]) => this.follow(from, to));
    this.api = standIn<vscode.TabGroups>("TabGroups", {
      get all() {
        return self.areKnown ? self.groups : [];
      },
      get activeTabGroup() {
        return self.activeGroup;
      },
      onDidChangeTabs: this.changed.event,
      onDidChangeTabGroups: this.groupsChanged.event,
      close: async (what: unknown) => {
        for (const tab of [what].flat()) this.close(tab as MemoryTab);
        return true;
      },
    });
  }

  /** Hides the tabs from extensions until `learn` is called. */
  hide(): void {
    this.areKnown = false;
  }

  /** Makes the restored tabs known to extensions. */
  learn(): void {
    this.areKnown = true;
    this.groupsChanged.fire({ opened: this.groups, closed: [], changed: [] });
  }

  get all(): readonly MemoryTab[] {
    return this.groups.flatMap(({ tabs }) => tabs);
  }

  get active(): MemoryTab | undefined {
    return this.activeGroup.activeTab;
  }

  /** The active text editor: the last active one, as long as it is visible and no page is active. */
  get activeEditor(): MemoryTextEditor | undefined {
    const content = this.active?.content;
    return content instanceof MemoryTextEditor ? content : undefined;
  }

  get visibleEditors(): readonly MemoryTextEditor[] {
    return this.groups
      .map(({ activeTab }) => activeTab?.content)
      .filter((content) => content instanceof MemoryTextEditor);
  }

  get panels(): readonly MemoryPanel[] {
    return this.all.map(({ content }) => content).filter((one) => one instanceof MemoryPanel);
  }

  of(content: MemoryTextEditor | MemoryPanel): MemoryTab | undefined {
    return this.all.find((tab) => tab.content === content);
  }

  /** Shows a document, as `showTextDocument` does. */
  showText(
    document: MemoryDocument,
    options: vscode.TextDocumentShowOptions = {},
  ): MemoryTextEditor {
    const { viewColumn, preserveFocus = false, preview, selection } = options;
    const group = this.groupAt(viewColumn);
    const isShown = (tab: MemoryTab) =>
      tab.input instanceof TabInputText &&
      tab.content instanceof MemoryTextEditor &&
      tab.content.document === document;
    const known = group.tabs.find(isShown);
    const isPreview = (preview ?? !document.isDirty) && this.usesPreviews() && !document.isUntitled;
    const tab = known ?? this.addText(group, document, isPreview);
    if (known !== undefined && preview === false) known.isPreview = false;
    this.activate(tab, preserveFocus);
    const editor = tab.content as MemoryTextEditor;
    if (selection !== undefined)
      editor.selections = [new Selection(selection.start, selection.end)];
    return editor;
  }

  /** Shows two documents compared. */
  showDiff(original: vscode.Uri, modified: MemoryDocument, label: string): void {
    const editor = new MemoryTextEditor(
      modified,
      () => this.activeGroup.viewColumn,
      this.documents,
    );
    const input = new TabInputTextDiff(original, modified.uri);
    this.add(new MemoryTab(this.activeGroup, input, label, this.usesPreviews(), editor), false);
  }

  /** Opens a page. */
  openPanel(
    viewType: string,
    title: string,
    where: vscode.ViewColumn | { viewColumn: vscode.ViewColumn; preserveFocus?: boolean },
    options: vscode.WebviewPanelOptions & vscode.WebviewOptions = {},
  ): MemoryPanel {
    const { viewColumn, preserveFocus = false } =
      typeof where === "number" ? { viewColumn: where } : where;
    const group = this.groupAt(viewColumn);
    const panel = new MemoryPanel(this, this.board, viewType, title, options);
    const input = new TabInputWebview(`mainThreadWebview-${viewType}`);
    this.add(new MemoryTab(group, input, title, false, panel), preserveFocus);
    return panel;
  }

  relabel(panel: MemoryPanel): void {
    const tab = this.of(panel);
    if (tab === undefined) return;
    tab.label = panel.title;
    this.tell({ opened: [], closed: [], changed: [tab] });
  }

  reveal(panel: MemoryPanel, column: vscode.ViewColumn | undefined, preserveFocus: boolean): void {
    const tab = this.of(panel);
    if (tab === undefined) return;
    if (column !== undefined && column > 0 && column !== tab.group.viewColumn) {
      throw new Error("The editor in memory does not move pages to another column.");
    }
    this.activate(tab, preserveFocus);
  }

  closePanel(panel: MemoryPanel): void {
    const tab = this.of(panel);
    if (tab !== undefined) this.close(tab);
  }

  /** Brings a tab to the front. */
  activate(tab: MemoryTab, preserveFocus = false): void {
    tab.group.activeTab = tab;
    if (!preserveFocus || this.activeGroup.activeTab === undefined) this.activeGroup = tab.group;
    this.tell({ opened: [], closed: [], changed: [tab] });
  }

  /** Closes a tab without saving. The document of a file stays open for a while. */
  close(tab: MemoryTab): void {
    const { group, content } = tab;
    if (!group.tabs.includes(tab)) throw new Error("Tab close: Invalid tab not found!");
    group.tabs = group.tabs.filter((one) => one !== tab);
    if (group.activeTab === tab) group.activeTab = group.tabs.at(-1);
    if (group.tabs.length === 0 && this.groups.length > 1) this.removeGroup(group);
    this.tell({ opened: [], closed: [tab], changed: [] });
    if (content instanceof MemoryPanel) {
      content.gone();
      return;
    }
    const isElsewhere = this.all.some(
      ({ content: other }) =>
        other instanceof MemoryTextEditor && other.document === content.document,
    );
    if (!isElsewhere && content.document.isUntitled) this.documents.close(content.document);
  }

  private addText(group: MemoryGroup, document: MemoryDocument, isPreview: boolean): MemoryTab {
    const editor = new MemoryTextEditor(document, () => group.viewColumn, this.documents);
    const label = document.uri.path.split("/").at(-1) ?? "";
    const tab = new MemoryTab(group, new TabInputText(document.uri), label, isPreview, editor);
    tab.isDirty = document.isDirty;
    // A preview replaces the existing preview.
    const before = isPreview ? group.tabs.find((one) => one.isPreview) : undefined;
    this.add(tab, true);
    if (before !== undefined) this.close(before);
    return tab;
  }

  private add(tab: MemoryTab, preserveFocus: boolean): void {
    tab.group.tabs.push(tab);
    tab.group.activeTab = tab;
    if (!preserveFocus || this.activeGroup.activeTab === undefined) this.activeGroup = tab.group;
    this.tell({ opened: [tab], closed: [], changed: [] });
  }

  private groupAt(column: vscode.ViewColumn = ViewColumn.Active): MemoryGroup {
    if (column === ViewColumn.Active) return this.activeGroup;
    const wanted = column === ViewColumn.Beside ? this.activeGroup.viewColumn + 1 : column;
    const number = Math.min(wanted, this.groups.length + 1);
    const known = this.groups[number - 1];
    if (known !== undefined) return known;
    const fresh = new MemoryGroup(this, number);
    this.groups = [...this.groups, fresh];
    return fresh;
  }

  private removeGroup(group: MemoryGroup): void {
    this.groups = this.groups.filter((one) => one !== group);
    this.groups.forEach((one, index) => {
      (one as { viewColumn: vscode.ViewColumn }).viewColumn = index + 1;
    });
    if (this.activeGroup === group) this.activeGroup = this.groups[0] as MemoryGroup;
  }

  /** Replaces a document whose file was renamed. */
  private follow(from: MemoryDocument, to: MemoryDocument): void {
    const { activeGroup } = this;
    for (const tab of this.all) {
      if (!(tab.content instanceof MemoryTextEditor) || tab.content.document !== from) continue;
      const wasActive = tab.isActive;
      const fresh = this.addText(tab.group, to, false);
      tab.group.tabs = tab.group.tabs.filter((one) => one !== tab);
      if (wasActive) tab.group.activeTab = fresh;
      this.tell({ opened: [], closed: [tab], changed: [] });
    }
    this.activeGroup = activeGroup;
  }

  private markDirty(document: MemoryDocument): void {
    const changed = this.all.filter(
      (tab) => tab.content instanceof MemoryTextEditor && tab.content.document === document,
    );
    for (const tab of changed) {
      tab.isDirty = document.isDirty;
      if (document.isDirty) tab.isPreview = false;
    }
    if (changed.length > 0) this.tell({ opened: [], closed: [], changed });
  }

  private tell(event: vscode.TabChangeEvent): void {
    this.changed.fire(event);
    const { visibleEditors, activeEditor } = this;
    if (
      String(visibleEditors.map(({ document }) => document.uri)) !==
      String(this.lastVisible.map(({ document }) => document.uri))
    ) {
      this.lastVisible = visibleEditors;
      this.visibleChanged.fire(visibleEditors.map(({ api }) => api));
    }
    if (activeEditor !== this.lastActive) {
      this.lastActive = activeEditor;
      this.activeEditorChanged.fire(activeEditor?.api);
    }
    for (const panel of this.panels) panel.look(() => this.loaded(panel));
    this.board.changed();
  }
}
