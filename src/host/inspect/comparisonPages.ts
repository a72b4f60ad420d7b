import * as vscode from "vscode";
import { registryFailureText } from "../../core/registry/registryFailure";
import {
  compareSkills,
  minCompared,
  type SkillToCompare,
} from "../../core/skill/compare/compareSkills";
import { describeSkill } from "../../core/skill/description/describeSkill";
import { oneLine } from "../../core/text/plainText";
import { readComparisonState } from "../../protocol/pageMessages";
import type { PageHandlers } from "../../protocol/readPageMessage";
import { commandIds, pageIds } from "../ids";
import { ShownPage } from "./shownPage";
import type { SkillPanelParts } from "./skillPanel";

/** The dependencies of every comparison. */
type ComparisonParts = Pick<
  SkillPanelParts,
  "frame" | "language" | "connection" | "details" | "outline"
>;

/** Opens and restores the pages that compare skills. */
export class ComparisonPages implements vscode.WebviewPanelSerializer {
  private readonly panels = new Set<ComparisonPanel>();

  constructor(private readonly parts: ComparisonParts) {}

  /** Compares two to four skills, in the active comparison if there is one. */
  open(slugs: readonly string[]): void {
    const active = [...this.panels].find((panel) => panel.isActive);
    if (active !== undefined) {
      active.change(slugs);
      return;
    }
    const view = vscode.window.createWebviewPanel(
      pageIds.comparisonPage,
      vscode.l10n.t("Compare"),
      vscode.ViewColumn.Active,
      this.parts.frame.options,
    );
    this.adopt(view, slugs);
  }

  async deserializeWebviewPanel(view: vscode.WebviewPanel, stored: unknown): Promise<void> {
    const state = readComparisonState(stored);
    view.webview.options = this.parts.frame.options;
    if (state === undefined) view.dispose();
    else this.adopt(view, state.slugs);
  }

  /**
   * Reloads the open pages that show a skill; without one, all of them. Visible pages reload now, others when they
   * become visible.
   */
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

/** One open page that compares skills. */
class ComparisonPanel {
  private readonly shown: ShownPage;
  /** Whether to read the skills again once somebody sees the page. */
  private isOld = false;
  private readonly handlers: PageHandlers<"comparison"> = {
    retry: () => this.change(this.slugs),
    openSkill: ({ slug }) =>
      this.slugs.includes(slug) && vscode.commands.executeCommand(commandIds.openSkill, slug),
    compareWith: () =>
      vscode.commands.executeCommand(commandIds.compareSkills, { start: this.slugs }),
    removeSkill: ({ slug }) => {
      const remaining = this.slugs.filter((item) => item !== slug);
      if (remaining.length >= minCompared) this.change(remaining);
    },
  };

  constructor(
    private readonly view: vscode.WebviewPanel,
    private slugs: readonly string[],
    private readonly parts: ComparisonParts,
  ) {
    this.shown = new ShownPage({
      view,
      frame: parts.frame,
      title: view.title,
      page: { kind: "comparison", slugs },
      handlers: this.handlers,
      seen: () => this.isOld && void this.load(),
    });
    void this.load();
  }

  /** Shows other skills in this page. */
  change(slugs: readonly string[]): void {
    this.slugs = slugs;
    this.shown.show({ kind: "comparison", slugs });
    void this.load();
  }

  /** Returns whether a skill is one of those compared. */
  shows(slug: string): boolean {
    return this.slugs.includes(slug);
  }

  get isActive(): boolean {
    return this.view.active;
  }

  /**
   * Reads the skills and shows them if the page is visible. Marks a hidden page as old. A newer load drops an older
   * one.
   */
  async load(): Promise<void> {
    this.isOld = !this.shown.isSeen;
    if (this.isOld) return;
    const signal = this.shown.beginLoad();
    const { slugs } = this;
    this.shown.rename(vscode.l10n.t("Compare: {0}", oneLine(slugs.join(", "), 60)));
    const skills = await Promise.all(slugs.map((slug) => this.find(slug)));
    if (signal.aborted) return;
    this.shown.show({
      kind: "comparison",
      slugs,
      comparison: compareSkills(skills, this.parts.language),
    });
  }

  dispose(): void {
    this.view.dispose();
  }

  private async find(slug: string): Promise<SkillToCompare> {
    const [connection, found] = await Promise.all([
      this.parts.connection.current(),
      this.parts.details.find(slug),
    ]);
    const { language, outline } = this.parts;
    if (!found.ok) {
      const problem = oneLine(registryFailureText(found.failure, language), 500);
      return { ok: false, slug, problem };
    }
    const registry = {
      name: connection.ok ? oneLine(connection.registry.name, 100) : "",
      builtIn: connection.ok && connection.registry.isBuiltIn,
    };
    const context = { registry, now: Date.now(), language };
    const { inputSchema, outputSchema } = found.value;
    const [input, output] = await Promise.all(
      [inputSchema, outputSchema].map((schema) =>
        schema === undefined ? undefined : outline(schema),
      ),
    );
    const outlines = { ...(input && { input }), ...(output && { output }) };
    return { ok: true, skill: describeSkill(found.value, context), outlines };
  }
}
