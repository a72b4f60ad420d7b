import { readFileSync } from "node:fs";
import * as vscode from "vscode";
import { pageHtml } from "../../protocol/pageHtml";
import type { SkillPageSnapshot } from "../../protocol/pageMessages";
import { hostLanguage } from "../ui/hostLanguage";

/** The kind of a page, named as its script. */
export type PageSubject = "skillPage" | "usagePage";

/** Fills panels with the page's frame: script, style sheet and icon. Reads each style sheet once, on demand. */
export class PageFrame {
  private readonly styles = new Map<PageSubject, string>();
  private readonly texts = new Map<PageSubject, readonly string[]>();

  constructor(private readonly extensionUri: vscode.Uri) {}

  /**
   * The permissions of a page: it may run its script, and load nothing else. They are set when a panel is created,
   * since changing them takes time.
   */
  get options(): vscode.WebviewPanelOptions & vscode.WebviewOptions {
    return {
      enableScripts: true,
      enableCommandUris: false,
      enableFindWidget: true,
      localResourceRoots: [this.file()],
    };
  }

  /**
   * Fills a panel with the frame. The frame's script shows the content in `first`, if any, and then requests the
   * current content.
   */
  fill(
    view: vscode.WebviewPanel,
    title: string,
    first: SkillPageSnapshot | undefined,
    subject: PageSubject = "skillPage",
  ): void {
    const { locale, words } = hostLanguage();
    const all = Object.keys(words).length === 0 ? [] : this.textsOf(subject);
    const translated = all.flatMap((text) =>
      Object.hasOwn(words, text) ? [[text, words[text]]] : [],
    );
    view.webview.html = pageHtml({
      script: view.webview.asWebviewUri(this.file(`${subject}.js`)).toString(),
      style: this.style(subject),
      nonce: crypto.randomUUID(),
      lang: locale,
      title,
      first,
      words: Object.fromEntries(translated),
    });
  }

  /** The icon of a page's tab. */
  get tabIcon(): { readonly light: vscode.Uri; readonly dark: vscode.Uri } {
    return { light: this.icon("light"), dark: this.icon("dark") };
  }

  /** Returns the English texts in a page's script. */
  private textsOf(subject: PageSubject): readonly string[] {
    const texts =
      this.texts.get(subject) ??
      JSON.parse(readFileSync(this.file(`${subject}.texts.json`).fsPath, "utf8"));
    this.texts.set(subject, texts);
    return texts;
  }

  private style(subject: PageSubject): string {
    const text =
      this.styles.get(subject) ?? readFileSync(this.file(`${subject}.css`).fsPath, "utf8");
    this.styles.set(subject, text);
    return text;
  }

  private file(...name: string[]): vscode.Uri {
    return vscode.Uri.joinPath(this.extensionUri, "dist", "page", ...name);
  }

  private icon(theme: string): vscode.Uri {
    return vscode.Uri.joinPath(this.extensionUri, "media", `skill-page-${theme}.svg`);
  }
}
