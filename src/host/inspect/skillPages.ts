import * as vscode from "vscode";
import { doubleClickMs } from "../../core/invocation/underWay";
import { readPageState } from "../../protocol/pageMessages";
import { editorColumn } from "../editorColumn";
import { pageIds } from "../ids";
import type { DocumentPayload } from "../invoke/onPage/payloadForm";
import { SkillPanel, type SkillPanelParts } from "./skillPanel";

/**
 * Opens and restores the pages of skills, one per skill. Rows of the list share one page, which shows the next skill,
 * until the user pins it.
 */
export class SkillPages implements vscode.WebviewPanelSerializer {
  private readonly panels = new Map<string, SkillPanel>();
  /** The preview page that the next row reuses, and when a row last used it, in milliseconds. */
  private preview: { readonly panel: SkillPanel; readonly usedAt: number } | undefined;

  /** The editor restores only pages of the default kind. */
  constructor(
    private readonly parts: SkillPanelParts,
    private readonly viewType: string = pageIds.skillPage,
  ) {}

  /**
   * Shows the page of a skill, which loads while it is visible. Shows the given version; empty for the registry's
   * choice. Without a version, an open page keeps its own.
   */
  async open(slug: string, option?: unknown, version?: string): Promise<void> {
    const isFromRow = keepsFocus(option);
    const panel = this.panels.get(slug);
    if (panel !== undefined) {
      if (panel === this.preview?.panel) this.updatePreview(this.preview.usedAt, panel, isFromRow);
      if (version) panel.showVersion(version);
      panel.reveal(isFromRow);
      return;
    }
    if (isFromRow && this.preview !== undefined) {
      this.reuse(this.preview.panel, slug);
      return;
    }
    const view = vscode.window.createWebviewPanel(
      this.viewType,
      this.parts.nameOf(slug),
      { viewColumn: editorColumn(), preserveFocus: isFromRow },
      this.parts.frame.options,
    );
    const opened = this.adopt(view, slug, version);
    if (isFromRow) this.preview = { panel: opened, usedAt: performance.now() };
  }

  /** Shows the form on the page of a skill; with `payload`, for a document's payload. */
  async tryIt(slug: string, version?: string, payload?: DocumentPayload): Promise<void> {
    await this.open(slug, undefined, version);
    this.panels.get(slug)?.tryIt(payload);
  }

  async deserializeWebviewPanel(view: vscode.WebviewPanel, stored: unknown): Promise<void> {
    const state = readPageState(stored);
    view.webview.options = this.parts.frame.options;
    if (state === undefined || this.panels.has(state.slug)) view.dispose();
    else {
      const { form } = this.adopt(view, state.slug, state.version);
      if (state.document !== undefined) form.resume(state.document);
    }
  }

  /** The skill of the active page; undefined if another editor is active. */
  get activeSlug(): string | undefined {
    return [...this.panels.values()].find(({ isActive }) => isActive)?.shownSlug;
  }

  /**
   * Reloads the open page of a skill; without one, all pages. Visible pages reload now, others when they become
   * visible.
   */
  refresh(slug?: string): void {
    for (const [shown, panel] of this.panels) {
      if (slug === undefined || shown === slug) void panel.load();
    }
  }

  /** Updates on all open pages whether their skill can be invoked, and the state of its reviews. */
  refreshCallability(): void {
    for (const panel of this.panels.values()) void panel.refreshCallability();
  }

  dispose(): void {
    for (const panel of [...this.panels.values()]) panel.dispose();
  }

  private updatePreview(askedAt: number, panel: SkillPanel, isFromRow: boolean): void {
    const now = performance.now();
    // A double click keeps the page, as it keeps a file's editor.
    const isKept = !isFromRow || now - askedAt < doubleClickMs;
    this.preview = isKept ? undefined : { panel, usedAt: now };
  }

  private reuse(panel: SkillPanel, slug: string): void {
    this.panels.delete(panel.shownSlug);
    this.panels.set(slug, panel);
    this.preview = { panel, usedAt: performance.now() };
    panel.showSkill(slug);
    panel.reveal(true);
  }

  private adopt(view: vscode.WebviewPanel, slug: string, version = ""): SkillPanel {
    const panel = new SkillPanel(view, slug, version, this.parts);
    this.panels.set(slug, panel);
    view.onDidDispose(() => {
      this.panels.delete(panel.shownSlug);
      if (this.preview?.panel === panel) this.preview = undefined;
    });
    return panel;
  }
}

/** Returns whether the tree passed its option to keep the focus. Ignores any other value. */
function keepsFocus(option: unknown): boolean {
  return (
    typeof option === "object" &&
    option !== null &&
    (option as { preserveFocus?: unknown }).preserveFocus === true
  );
}
