import { randomBytes } from "node:crypto";
import { readFileSync } from "node:fs";
import * as vscode from "vscode";
import type { SkillPageSnapshot } from "../../protocol/skillPage";
import { hostLanguage } from "../words/hostLanguage";
import { skillPageHtml } from "./skillPageHtml";

/** What a page may do: run its scripts, and load nothing. A panel is best made with it: to change it costs time. */
export const pageOptions = {
  enableScripts: true,
  enableCommandUris: false,
  enableFindWidget: true,
  localResourceRoots: [],
} as const satisfies vscode.WebviewPanelOptions & vscode.WebviewOptions;

/** Gives panels the page's frame: scripts, style and icon. Reads each of the page's files once, when it is needed. */
export class PageFrame {
  private files: { readonly script: string; readonly style: string } | undefined;
  private late: string | undefined;

  constructor(private readonly extensionUri: vscode.Uri) {}

  /** Fills a panel with the frame, which shows the first snapshot and asks for the one that holds as soon as it runs. */
  fill(view: vscode.WebviewPanel, title: string, first: SkillPageSnapshot | undefined): void {
    this.files ??= { script: this.read("skillPage.js"), style: this.read("skillPage.css") };
    view.webview.html = skillPageHtml({
      ...this.files,
      nonce: randomBytes(24).toString("base64url"),
      lang: hostLanguage().locale,
      title,
      first,
    });
  }

  /** The icon of a page's tab. */
  get tabIcon(): { readonly light: vscode.Uri; readonly dark: vscode.Uri } {
    return { light: this.icon("light"), dark: this.icon("dark") };
  }

  /** The script that the page runs once its words are on the screen. */
  get lateScript(): string {
    this.late ??= this.read("toolkit.js");
    return this.late;
  }

  private read(name: string): string {
    return readFileSync(vscode.Uri.joinPath(this.extensionUri, "dist", name).fsPath, "utf8");
  }

  private icon(theme: string): vscode.Uri {
    return vscode.Uri.joinPath(this.extensionUri, "media", `skill-page-${theme}.svg`);
  }
}
