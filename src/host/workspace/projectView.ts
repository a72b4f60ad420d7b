import * as vscode from "vscode";
import { isKeyOfOtherProject, isRowOf, type ProjectKeyRow } from "../../core/project/project";
import {
  type ProjectGroup,
  type ProjectItem,
  type ProjectRow,
  projectRows,
} from "../../core/project/projectRows";
import { projectDescription, projectMessage } from "../../core/project/projectState";
import { compareWithState } from "../../core/project/serverRecord";
import { builtInRegistryName } from "../../core/registry/registryName";
import { labelText, markdownText, oneLine } from "../../core/text/plainText";
import { ownRecords } from "../../engine/record/ownRecords";
import { currentKey } from "../connect/currentRegistry";
import { commandIds, viewIds } from "../ids";
import type { LazyTreeDataProvider } from "../lazyProviders";
import { hostLanguage } from "../ui/hostLanguage";
import { Tree } from "../ui/tree";
import { treeItem } from "../ui/treeItem";
import type { ProjectParts } from "./inProject";

/** Shows the project of this workspace. Reads it when the view is first visible. */
export class ProjectView extends Tree<ProjectRow> {
  private readonly language = hostLanguage();

  constructor(
    private readonly parts: Omit<ProjectParts, "showView">,
    tree: LazyTreeDataProvider<ProjectRow>,
  ) {
    super(tree);
    this.own(
      parts.project.onDidChange(() => void this.draw()),
      parts.history.onDidChange(() => {
        if (!this.view.visible) return;
        void this.draw();
        void parts.project.refreshIfOld();
      }),
      this.view.onDidChangeVisibility(({ visible }) => {
        if (visible) void parts.project.refreshIfOld();
      }),
    );
    void this.draw();
  }

  getTreeItem(row: ProjectRow): vscode.TreeItem {
    return row.kind === "group" ? groupItem(row) : rowItem(row);
  }

  getParent(row: ProjectRow): ProjectRow | undefined {
    return this.rows.find((group) => this.rowsBelow(group).includes(row));
  }

  /** Marks the view and its icon; undefined removes the mark. */
  mark(badge: vscode.ViewBadge | undefined): void {
    this.view.badge = badge;
  }

  /** Reveals a hidden view with the focus. Does not move the focus to a visible one. */
  async show(): Promise<void> {
    if (this.view.visible) return;
    await vscode.commands.executeCommand(`${viewIds.project}.focus`);
  }

  protected async readRows(): Promise<readonly ProjectGroup[]> {
    const { project, connection, keys, history } = this.parts;
    const reading = project.ready();
    // The old rows belong to another registry, account or project.
    if (project.state.kind === "loading" && this.rows.length > 0) return [];
    await reading;
    const { state } = project;
    if (state.kind !== "project") return [];
    const [key, records] = await Promise.all([
      currentKey(connection, keys),
      ownRecords(history, state),
    ]);
    // Another state may have arrived during this read.
    if (state !== project.state) return this.readRows();
    return projectRows({
      ...state,
      updates: project.openUpdates(),
      isUsedHere: (row: ProjectKeyRow) => key !== undefined && isRowOf(row, key),
      hasKey: key !== undefined && !isKeyOfOtherProject(state.detail, key),
      isSample: state.registry === builtInRegistryName,
      invocations: compareWithState(state, records),
      now: Date.now(),
      language: this.language,
    });
  }

  protected rowsBelow(row: ProjectRow): readonly ProjectRow[] {
    return row.kind === "group" ? row.rows : [];
  }

  protected textOf(row: ProjectRow): string {
    return JSON.stringify(row);
  }

  /** Shows the project's name and rows. */
  private async draw(): Promise<void> {
    await Promise.all([this.redraw(), this.describe()]);
  }

  private async describe(): Promise<void> {
    const { project, connection, keys } = this.parts;
    const { state } = project;
    this.view.description = labelText(projectDescription(state), 200);
    const key = state.kind === "project" ? await currentKey(connection, keys) : undefined;
    // A newer state may have arrived and been shown during this read.
    if (state !== project.state) return;
    this.view.message = oneLine(projectMessage(state, key, Date.now(), this.language), 500);
  }
}

function groupItem({ name, label, description, rows }: ProjectGroup): vscode.TreeItem {
  const { None, Expanded, Collapsed } = vscode.TreeItemCollapsibleState;
  const open = name === "invocations" ? Collapsed : Expanded;
  const sentence = `${label}, ${description}`;
  const context = `projectGroup ${name}`;
  const text = { id: `group:${name}`, label, description, sentence, context };
  return treeItem(text, rows.length === 0 ? None : open);
}

function rowItem(row: ProjectItem): vscode.TreeItem {
  const label = labelText(row.label, 80);
  const description = labelText(row.description, 200);
  const accessibleText =
    row.accessibleText === undefined ? "" : `. ${labelText(row.accessibleText, 300)}`;
  const text = {
    ...row,
    label,
    description,
    sentence: `${label}, ${description}${accessibleText}`,
  };
  const paragraphs = row.tooltip
    .filter((item) => item !== "")
    .map((item) => markdownText(item, 500));
  const tooltip = new vscode.MarkdownString(paragraphs.join("\n\n"));
  const command = commandOf(row);
  return treeItem(text, undefined, { tooltip, ...(command && { command }) });
}

function commandOf(row: ProjectItem): vscode.Command | undefined {
  if (row.kind === "invocation" && row.own !== undefined) {
    const title = vscode.l10n.t("Open Invocation");
    return { command: commandIds.openInvocation, title, arguments: [{ id: row.own.id }] };
  }
  if (row.kind === "noKey") {
    return { command: commandIds.setProjectKey, title: vscode.l10n.t("Set Project Key…") };
  }
  if (row.kind !== "skill" && row.kind !== "update") return undefined;
  const slug = row.kind === "skill" ? row.skill.slug : row.update.skillSlug;
  return { command: commandIds.openSkill, title: vscode.l10n.t("Open Skill"), arguments: [slug] };
}
