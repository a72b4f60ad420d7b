import * as vscode from "vscode";
import { readPageState } from "../../protocol/pageState";
import { viewIds } from "../ids";
import { pageOptions } from "./pageFrame";
import { SkillPanel, type SkillPanelParts } from "./skillPanel";

/** Opens and keeps the pages of skills, one for each skill, also over a reload of the window. */
export class SkillPages implements vscode.WebviewPanelSerializer {
  private readonly panels = new Map<string, SkillPanel>();

  constructor(private readonly parts: SkillPanelParts) {}

  /**
   * Shows the page of a skill, which loads while it is visible. With a version that one is shown; an
   * empty one stands for the registry's choice. Without, an open page keeps the version it shows.
   */
  async open(slug: string, option?: unknown, version?: string): Promise<void> {
    const preserveFocus = keepsFocus(option);
    const panel = this.panels.get(slug);
    if (panel !== undefined) {
      if (version) panel.showVersion(version);
      panel.reveal(preserveFocus);
      return;
    }
    const view = vscode.window.createWebviewPanel(
      viewIds.skillPage,
      slug,
      { viewColumn: vscode.ViewColumn.Active, preserveFocus },
      pageOptions,
    );
    this.adopt(view, slug, version);
  }

  async deserializeWebviewPanel(view: vscode.WebviewPanel, kept: unknown): Promise<void> {
    const state = readPageState(kept);
    view.webview.options = pageOptions;
    if (state === undefined || this.panels.has(state.slug)) view.dispose();
    else this.adopt(view, state.slug, state.version);
  }

  /** Loads the open page of a skill anew; without one, all of them. */
  refresh(slug?: string): void {
    for (const [shown, panel] of this.panels) {
      if (slug === undefined || shown === slug) void panel.load();
    }
  }

  /** Says anew on all open pages whether their skill can be run. */
  judgeRuns(): void {
    for (const panel of this.panels.values()) void panel.judgeRun();
  }

  dispose(): void {
    for (const panel of [...this.panels.values()]) panel.dispose();
  }

  private adopt(view: vscode.WebviewPanel, slug: string, version = ""): void {
    this.panels.set(slug, new SkillPanel(view, slug, version, this.parts));
    view.onDidDispose(() => this.panels.delete(slug));
  }
}

/** The tree asks to keep its focus; anything else that is passed counts as nothing. */
function keepsFocus(option: unknown): boolean {
  return (
    typeof option === "object" &&
    option !== null &&
    (option as { preserveFocus?: unknown }).preserveFocus === true
  );
}
