import * as vscode from "vscode";
import type { SkillSummary } from "../../core/skill/skill";
import {
  catalogDescription,
  catalogMessage,
  hasMessage,
  missingList,
} from "../../core/skillList/catalogState";
import { isRestricted } from "../../core/skillList/listLabels";
import {
  type FoundSkillFile,
  fileRows,
  fileRowText,
  filesBySkill,
  payloadsRows,
  payloadsRowText,
  type SkillFile,
} from "../../core/skillList/rows/skillFileRows";
import {
  branchRows,
  rowsAbove,
  type SkillRow,
  type SkillRowSource,
  topRows,
} from "../../core/skillList/rows/skillRows";
import {
  actionRowText,
  branchText,
  loadingRowText,
  moreRowText,
  skillRowText,
  skillTooltip,
} from "../../core/skillList/rows/skillRowText";
import { skillMatches } from "../../core/skillList/skillFilters";
import type { SkillList } from "../../core/skillList/skillList";
import { SortedSkills } from "../../core/skillList/skillOrder";
import type { Language } from "../../core/text/language";
import { labelText, oneLine } from "../../core/text/plainText";
import { textHash } from "../../core/text/textHash";
import type { AllowedSkills } from "../agents/allowedSkills";
import { placeTitle } from "../connect/registryConnection";
import type { WindowPlace } from "../environments/windowPlace";
import { commandIds } from "../ids";
import type { LazyTreeDataProvider } from "../lazyProviders";
import type { WorkspaceReviews } from "../review/workspaceReviews";
import type { SkillFiles } from "../skillFiles";
import { hostLanguage } from "../ui/hostLanguage";
import { actionCommand } from "../ui/showNotice";
import { Tree } from "../ui/tree";
import { treeItem } from "../ui/treeItem";
import type { CurrentProject } from "../workspace/currentProject";
import type { Favorites } from "./favorites";
import type { FirstInvocation } from "./firstInvocation";
import type { RowDetails } from "./rowDetails";
import type { SkillCatalog } from "./skillCatalog";

/** The dependencies of the Skills view. */
export interface SkillsViewParts {
  readonly catalog: SkillCatalog;
  readonly favorites: Favorites;
  readonly details: RowDetails;
  readonly firstInvocation: FirstInvocation;
  readonly reviews: Pick<WorkspaceReviews, "ofRow" | "filesOf" | "onDidChange">;
  readonly files: Pick<SkillFiles, "known" | "followClients" | "onDidChange">;
  readonly allowed: Pick<AllowedSkills, "ofRow" | "onDidChange">;
  /** The project of this workspace. Rows of versions that it already runs do not offer *Install*. */
  readonly project: Pick<CurrentProject, "isInstalled" | "onDidChange">;
  readonly place: Pick<WindowPlace, "address" | "environment" | "onDidChange">;
  readonly tree: LazyTreeDataProvider<SkillRow>;
}

/** Shows the catalog as the Skills view. Starts loading it when the view is first visible. */
export class SkillsView extends Tree<SkillRow> {
  private readonly language = hostLanguage();
  private readonly sorted = new SortedSkills();
  private selected: readonly SkillRow[] = [];
  private drawn: SkillRowSource | undefined;
  /** The address of the registry whose list was last drawn; empty for the built-in one. */
  private drawnAddress: string | undefined;
  private readonly digests = new WeakMap<SkillSummary, string>();

  constructor(private readonly parts: SkillsViewParts) {
    super(parts.tree);
    const { catalog, favorites, details, reviews, allowed, project, files, place } = parts;
    const shown = [catalog, favorites, details, reviews, allowed, project, files];
    for (const { onDidChange } of shown) {
      this.own(onDidChange(() => this.show()));
    }
    this.own(place.onDidChange(() => this.show()));
    this.own(
      parts.firstInvocation.onDidChange(() => this.setMessage()),
      this.view.onDidChangeSelection(({ selection }) => {
        this.selected = selection;
      }),
      onReturn(this.view, () => favorites.reread()),
    );
    this.show();
  }

  /** The selected rows. During a refresh VS Code reports a partial selection, so the longer of the last two counts. */
  get selection(): readonly SkillRow[] {
    if (!this.view.visible) return [];
    const { selection } = this.view;
    return selection.length > this.selected.length ? selection : this.selected;
  }

  getParent(row: SkillRow): SkillRow | undefined {
    return "parent" in row ? row.parent : undefined;
  }

  getTreeItem(row: SkillRow): vscode.TreeItem {
    return skillTreeItem(row, this.language);
  }

  /** Writes the tooltip of a row without a request, from known facts. */
  resolveTreeItem(item: vscode.TreeItem, row: SkillRow): vscode.TreeItem {
    if (row.kind !== "skill") return item;
    const skill = this.parts.details.complete(row.skill);
    item.tooltip = new vscode.MarkdownString(skillTooltip(skill, this.language, row.agreement));
    return item;
  }

  /**
   * Loads more skills. If the user pressed the row that loads more (`isFromRow`), selects the first new skill, which
   * takes that row's place.
   */
  async loadMore(isFromRow: boolean): Promise<void> {
    const { catalog } = this.parts;
    const known = new Set(this.shownSkills().map(({ skill }) => skill.slug));
    await catalog.loadMore();
    await this.redraw();
    const fresh = this.shownSkills().find(({ skill }) => !known.has(skill.slug));
    if (fresh === undefined || !isFromRow || !this.view.visible) return;
    await this.view.reveal(fresh, { select: true, focus: true });
  }

  protected async readRows(): Promise<readonly SkillRow[]> {
    const { catalog, place } = this.parts;
    const { drawnAddress } = this;
    // Rows of the earlier registry must not appear under the name of this one.
    if (catalog.state.kind === "loading" && (drawnAddress ?? place.address) !== place.address) {
      return [{ kind: "loading", name: placeTitle(place) }];
    }
    await catalog.ready();
    const source = this.source();
    // Payloads can be opened without a list.
    if (source === undefined)
      return [...this.actionRows(), ...payloadsRows(this.parts.files.known)];
    return [...rowsAbove(source), ...topRows(source)];
  }

  protected rowsBelow(row: SkillRow): readonly SkillRow[] {
    if (row.kind === "skill" || row.kind === "payloads") return fileRows(row, this.language);
    const source = this.source();
    return row.kind === "branch" && source !== undefined ? branchRows(row, source) : [];
  }

  protected textOf(row: SkillRow): string {
    if (row.kind !== "branch") {
      const skill = row.kind === "skill" ? this.digestOf(row.skill) : undefined;
      return JSON.stringify({ ...row, skill, parent: undefined });
    }
    const { id, title, isOpen } = row;
    return [id, title, isOpen, ...this.rowsBelow(row).map((element) => this.textOf(element))].join(
      "\n",
    );
  }

  /**
   * Returns a skill's digest, which is cached, since digests of all skills are compared at each event.
   */
  private digestOf(skill: SkillSummary): string {
    const digest = this.digests.get(skill) ?? textHash(JSON.stringify(skill));
    this.digests.set(skill, digest);
    return digest;
  }

  /** Returns the source of all rows and groups. Creates it once for each state of the list. */
  private source(): SkillRowSource | undefined {
    this.drawn ??= this.newSource();
    return this.drawn;
  }

  private newSource(): SkillRowSource | undefined {
    const { catalog, reviews, allowed, project } = this.parts;
    if (catalog.state.kind !== "list") return undefined;
    const { registry } = catalog.state;
    this.drawnAddress = registry;
    const { list } = this.shownList(catalog.state.list);
    const favorites = this.parts.favorites.of(registry);
    // An unreviewed skill is marked only if the workspace uses it, so its typed clients count too.
    const files = this.parts.files.known;
    const unreviewed = list.skills.filter((skill) => reviews.ofRow(skill) === "unreviewed");
    this.parts.files.followClients(unreviewed.map(({ slug }) => slug));
    return {
      list,
      skills: this.sorted.of(list, catalog.arrangement.order, this.language),
      arrangement: catalog.arrangement,
      favorites,
      standingOf: (skill) => reviews.ofRow(skill),
      agreementOn: ({ slug }) => allowed.ofRow(registry, slug),
      isInstalled: (skill) => project.isInstalled(skill),
      filesOf: this.filesAmong(files, [...list.skills, ...favorites]),
      files,
      language: this.language,
      isUnrestricted: !isRestricted(catalog.query),
      // The built-in registry has no address.
      isBuiltIn: registry === "",
    };
  }

  /** Finds the files of the workspace for skills. */
  private filesAmong(
    files: readonly FoundSkillFile[],
    skills: readonly { readonly slug: string }[],
  ) {
    const slugs = new Set(skills.map(({ slug }) => slug));
    const saved = filesBySkill(files, (slug) => slugs.has(slug));
    return (slug: string): readonly SkillFile[] => [
      ...(saved.get(slug) ?? []),
      ...this.parts.reviews.filesOf(slug).map((uri) => ({
        use: "review" as const,
        address: uri.toString(),
        path: vscode.workspace.asRelativePath(uri),
      })),
    ];
  }

  /** Returns the list with known details, and the number of rows that a filter omits because of them. */
  private shownList(list: SkillList): { readonly list: SkillList; readonly leftOut: number } {
    const { filters } = this.parts.catalog.query;
    const skills = list.skills.map((skill) => this.parts.details.complete(skill));
    const shown = skills.filter(
      (skill) => skill.understatedLevel === undefined || skillMatches(skill, filters),
    );
    return { list: { ...list, skills: shown }, leftOut: skills.length - shown.length };
  }

  /** Lists the skills that have rows at any level. */
  private shownSkills() {
    const source = this.source();
    const rows = source === undefined ? [] : topRows(source);
    return rows.flatMap((row) => {
      if (row.kind === "skill") return [row];
      if (row.kind !== "branch" || !row.isOpen || source === undefined) return [];
      return branchRows(row, source).filter((below) => below.kind === "skill");
    });
  }

  /** Returns rows that offer actions, since the editor's welcome texts cannot include a registry's response. */
  private actionRows(): SkillRow[] {
    const missing = missingList(this.parts.catalog.state, this.language);
    return (missing?.actions ?? []).map((action, index) => ({
      kind: "action",
      action,
      isPrimary: index === 0,
    }));
  }

  private show(): void {
    this.drawn = undefined;
    const { state, query, arrangement } = this.parts.catalog;
    const { environment = "" } = this.parts.place;
    const description = catalogDescription(state, { query, arrangement }, this.language);
    this.view.description = labelText([environment, description].filter(Boolean).join(" · "), 300);
    this.setMessage();
    void this.redraw();
  }

  private setMessage(): void {
    const { state, query, arrangement } = this.parts.catalog;
    if (!hasMessage(state)) {
      // The editor wraps a message, whereas it would truncate a row or the header.
      const missing = missingList(state, this.language);
      this.view.message = missing === undefined ? "" : oneLine(missing.message, 1000);
      return;
    }
    const { list, leftOut } = this.shownList(state.list);
    const listing = { query, arrangement };
    const isNew = !this.parts.firstInvocation.isDone;
    const shown = { listing, list, leftOut, isNew, now: Date.now() };
    this.view.message = catalogMessage(state, shown, this.language);
  }
}

/**
 * Calls `act` now, and whenever the user returns to a view or its window, since the editor fires no event for changes
 * by other windows. A window without focus may show older data.
 */
function onReturn(view: vscode.TreeView<unknown>, act: () => void): vscode.Disposable {
  const actIfVisible = () => {
    if (view.visible) act();
  };
  actIfVisible();
  return vscode.Disposable.from(
    view.onDidChangeVisibility(actIfVisible),
    vscode.window.onDidChangeWindowState(actIfVisible),
  );
}

/** The command argument of the row that loads more, since the selected row is not always known. */
export const fromRow = "row";

/** Creates a row of the Skills view. Selecting a skill opens its page; selecting the last row loads more. */
function skillTreeItem(row: SkillRow, language: Language): vscode.TreeItem {
  const { None, Collapsed, Expanded } = vscode.TreeItemCollapsibleState;
  switch (row.kind) {
    case "skill": {
      const command = {
        command: commandIds.openSkill,
        title: vscode.l10n.t("Open Skill"),
        arguments: [row.skill.slug, { preserveFocus: true }],
      };
      const state = row.files === undefined ? None : Collapsed;
      return treeItem(skillRowText(row, language), state, { command });
    }
    case "branch":
      return treeItem(branchText(row, language), row.isOpen ? Expanded : Collapsed);
    case "payloads":
      return treeItem(payloadsRowText(row, language), Collapsed);
    case "file": {
      const command = {
        command: "vscode.open",
        title: vscode.l10n.t("Open"),
        arguments: [vscode.Uri.parse(row.file.address, true)],
      };
      return treeItem(fileRowText(row, language), None, { command });
    }
    case "more": {
      const command = {
        command: commandIds.loadMore,
        title: vscode.l10n.t("Load More Skills"),
        arguments: [fromRow],
      };
      return treeItem(moreRowText(row, language), None, { command });
    }
    case "loading":
      return treeItem(loadingRowText(row, language), None);
    case "action": {
      const command = actionCommand(row.action);
      return treeItem(actionRowText(row), None, command && { command });
    }
  }
}
