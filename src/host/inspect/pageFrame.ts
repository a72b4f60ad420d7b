import { randomBytes } from "node:crypto";
import { readFileSync } from "node:fs";
import * as vscode from "vscode";
import { skillPageHtml } from "../../page/firstView";
import type { PageScript, SkillPageSnapshot } from "../../protocol/pageMessages";
import { hostLanguage } from "../ui/hostLanguage";

/**
 * The permissions of a page: run its scripts, and load nothing. Set when a panel is created: changing them
 * takes time.
 */
export const pageOptions = {
  enableScripts: true,
  enableCommandUris: false,
  enableFindWidget: true,
  localResourceRoots: [],
} as const satisfies vscode.WebviewPanelOptions & vscode.WebviewOptions;

const lateFiles = { page: "skillPage.js", usage: "usagePage.js", toolkit: "toolkit.js" } as const;

/** A script that a frame may be given; `usage` in the place of `page`. */
type LateFile = PageScript | "usage";

/** What a page is for: a skill or several, or charts. */
export type PageSubject = "page" | "usage";

const styles = { page: "skillPage.css", usage: "usagePage.css" } as const;

/**
 * Fills panels with the page's frame: scripts, style sheet and icon. Reads each of the page's files once,
 * when it is needed.
 */
export class PageFrame {
  private readonly texts = new Map<string, string>();

  constructor(private readonly extensionUri: vscode.Uri) {}

  /** Fills a panel with the frame, which shows the known content first and then requests the page's script. */
  fill(
    view: vscode.WebviewPanel,
    title: string,
    first: SkillPageSnapshot | undefined,
    subject: PageSubject = "page",
  ): void {
    view.webview.html = skillPageHtml({
      script: this.read("pageStart.js"),
      style: this.read(styles[subject]),
      drawsImages: subject === "usage",
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

  /** Reads a script that the page requests once its first content is on the screen. */
  lateScript(name: LateFile): string {
    return this.read(lateFiles[name]);
  }

  private read(name: string): string {
    const path = vscode.Uri.joinPath(this.extensionUri, "dist", name).fsPath;
    const text = this.texts.get(name) ?? readFileSync(path, "utf8");
    this.texts.set(name, text);
    return text;
  }

  private icon(theme: string): vscode.Uri {
    return vscode.Uri.joinPath(this.extensionUri, "media", `skill-page-${theme}.svg`);
  }
}
