import * as vscode from "vscode";
import { failureWords } from "../../core/failureWords";
import { labelText } from "../../core/plainText";
import type { SkillSummary } from "../../core/skill";
import type { SkillList } from "../../core/skillList";
import { filterTitle, isRestricted, queryWords } from "../../core/skillQueryWords";
import { commandIds, contextKeys } from "../ids";
import type { LateTree } from "../lateTree";
import type { CatalogState, SkillCatalog, StaleList } from "./skillCatalog";
import { skillTreeItem } from "./skillTreeItem";

/** A row of the Skills view. */
export type SkillRow =
  | { readonly kind: "skill"; readonly skill: SkillSummary }
  | { readonly kind: "more"; readonly shown: number; readonly total?: number };

/** Shows the catalogue as the Skills view, and starts loading it when the view is first seen. */
export class SkillsView implements vscode.TreeDataProvider<SkillRow> {
  private readonly changed = new vscode.EventEmitter<void>();
  private readonly view: vscode.TreeView<SkillRow>;
  private readonly subscription: vscode.Disposable;
  private started: Promise<void> | undefined;

  readonly onDidChangeTreeData = this.changed.event;

  constructor(
    private readonly catalog: SkillCatalog,
    tree: LateTree<SkillRow>,
  ) {
    this.view = tree.attach(this);
    this.subscription = catalog.onDidChange((state) => this.show(state));
    this.show(catalog.state);
  }

  async getChildren(parent?: SkillRow): Promise<SkillRow[]> {
    if (parent !== undefined) return [];
    this.started ??= this.catalog.refresh();
    if (this.catalog.state.kind === "loading") await this.started;
    return this.catalog.state.kind === "list" ? rows(this.catalog.state.list) : [];
  }

  getTreeItem(row: SkillRow): vscode.TreeItem {
    return row.kind === "skill" ? skillTreeItem(row.skill) : moreTreeItem(row);
  }

  dispose(): void {
    this.subscription.dispose();
    this.changed.dispose();
  }

  private show(state: CatalogState): void {
    const { query } = this.catalog;
    this.view.description = labelText(queryWords(query), 120);
    this.setMessage(state);
    void setContext(contextKeys.list, listContext(state));
    void setContext(contextKeys.filtered, isRestricted(query));
    void setContext(
      contextKeys.moreExist,
      state.kind === "list" && state.list.nextCursor !== undefined,
    );
    this.changed.fire();
  }

  private setMessage(state: CatalogState): void {
    const message = state.kind === "list" ? listMessage(state.list, state.stale) : "";
    if (message === "") delete this.view.message;
    else this.view.message = message;
  }
}

function rows(list: SkillList): SkillRow[] {
  const skills = list.skills.map((skill): SkillRow => ({ kind: "skill", skill }));
  if (list.nextCursor === undefined) return skills;
  const total = list.total === undefined ? {} : { total: list.total };
  return [...skills, { kind: "more", shown: list.skills.length, ...total }];
}

function moreTreeItem(row: Extract<SkillRow, { kind: "more" }>): vscode.TreeItem {
  const item = new vscode.TreeItem("Load more skills…");
  item.id = `more:${row.shown}`;
  item.iconPath = new vscode.ThemeIcon("ellipsis");
  item.description =
    row.total === undefined ? `${row.shown} shown` : `${row.shown} of ${row.total} shown`;
  item.command = { command: commandIds.loadMore, title: "Load More Skills" };
  return item;
}

function listMessage(list: SkillList, stale: StaleList | undefined): string {
  const notes: string[] = [];
  if (stale !== undefined) {
    const time = new Date(stale.since).toLocaleTimeString();
    notes.push(`List of ${time}, not refreshed since: ${failureWords(stale.failure)}`);
  }
  if (list.ignoredFilters.length > 0) {
    const names = list.ignoredFilters.map(filterTitle).join(", ");
    notes.push(`The registry ignored the filter ${names}; it was applied here.`);
  }
  return notes.map((note) => labelText(note, 300)).join("\n");
}

function listContext(state: CatalogState): string {
  if (state.kind !== "list") return state.kind;
  return state.list.skills.length === 0 ? "empty" : "ready";
}

function setContext(key: string, value: string | boolean): Thenable<unknown> {
  return vscode.commands.executeCommand("setContext", key, value);
}
