import * as vscode from "vscode";
import { readComparisonState } from "../../protocol/comparisonState";
import { viewIds } from "../ids";
import { ComparisonPanel } from "./comparisonPanel";
import { pageOptions } from "./pageFrame";
import type { SkillPanelParts } from "./skillPanel";

/** Opens and keeps the pages that show skills side by side, also over a reload of the window. */
export class ComparisonPages implements vscode.WebviewPanelSerializer {
  private readonly panels = new Set<ComparisonPanel>();

  constructor(
    private readonly parts: Omit<
      SkillPanelParts,
      "effects" | "callabilityFacts" | "reviewOf" | "sample"
    >,
  ) {}

  /** Shows two to four skills side by side, in the comparison that is active where there is one. */
  open(slugs: readonly string[]): void {
    const active = [...this.panels].find((panel) => panel.isActive);
    if (active !== undefined) {
      active.change(slugs);
      return;
    }
    const view = vscode.window.createWebviewPanel(
      viewIds.comparisonPage,
      vscode.l10n.t("Compare"),
      vscode.ViewColumn.Active,
      pageOptions,
    );
    this.adopt(view, slugs);
  }

  async deserializeWebviewPanel(view: vscode.WebviewPanel, kept: unknown): Promise<void> {
    const state = readComparisonState(kept);
    view.webview.options = pageOptions;
    if (state === undefined) view.dispose();
    else this.adopt(view, state.slugs);
  }

  /** Loads the open pages that show a skill again; without one, all of them. */
  refresh(slug?: string): void {
    for (const panel of this.panels) {
      if (slug === undefined || panel.shows(slug)) void panel.load();
    }
  }

  dispose(): void {
    for (const panel of [...this.panels]) panel.dispose();
  }

  private adopt(view: vscode.WebviewPanel, slugs: readonly string[]): void {
    const panel = new ComparisonPanel(view, slugs, this.parts);
    this.panels.add(panel);
    view.onDidDispose(() => this.panels.delete(panel));
  }
}
