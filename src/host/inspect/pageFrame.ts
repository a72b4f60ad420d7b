import { randomBytes } from "node:crypto";
import * as vscode from "vscode";
import { skillPageHtml } from "./skillPageHtml";

/** Gives a panel the page's frame: its script, style and icon, and what it may load. */
export function fillPageFrame(
  view: vscode.WebviewPanel,
  extensionUri: vscode.Uri,
  title: string,
): void {
  const dist = vscode.Uri.joinPath(extensionUri, "dist");
  view.webview.options = {
    enableScripts: true,
    enableCommandUris: false,
    localResourceRoots: [dist],
  };
  const icon = (theme: string) =>
    vscode.Uri.joinPath(extensionUri, "media", `skill-page-${theme}.svg`);
  view.iconPath = { light: icon("light"), dark: icon("dark") };
  view.webview.html = skillPageHtml({
    scriptUri: view.webview.asWebviewUri(vscode.Uri.joinPath(dist, "skillPage.js")).toString(),
    styleUri: view.webview.asWebviewUri(vscode.Uri.joinPath(dist, "skillPage.css")).toString(),
    cspSource: view.webview.cspSource,
    nonce: randomBytes(24).toString("base64url"),
    lang: vscode.env.language,
    title,
  });
}
