import * as vscode from "vscode";
import type { Evidence } from "../../core/readiness/readinessFacts";
import type { ReadinessText } from "../../core/readiness/readinessText";
import { commandIds, readinessScheme, settingSection, viewIds } from "../ids";

/** A readiness that was found out, and the folder that its evidence in files is relative to. */
interface ShownReadiness extends ReadinessText {
  readonly root: vscode.Uri | undefined;
}

/**
 * Shows the readiness of skills as read-only text, `skill-readiness:/<slug> readiness.txt`, in which all
 * evidence is a link. It can be searched, copied and kept beside other editors, as a dialog could not.
 */
export class ReadinessDocuments
  implements vscode.TextDocumentContentProvider, vscode.DocumentLinkProvider
{
  private readonly changed = new vscode.EventEmitter<vscode.Uri>();
  readonly onDidChange = this.changed.event;
  private readonly shown = new Map<string, ShownReadiness>();
  private readonly registration: vscode.Disposable;

  constructor() {
    this.registration = vscode.Disposable.from(
      vscode.workspace.registerTextDocumentContentProvider(readinessScheme, this),
      vscode.languages.registerDocumentLinkProvider({ scheme: readinessScheme }, this),
    );
  }

  /** Opens the text, in place of what was said of the same skill before. */
  async show(slug: string, text: ReadinessText, root: vscode.Uri | undefined): Promise<void> {
    const uri = vscode.Uri.from({ scheme: readinessScheme, path: `/${slug} readiness.txt` });
    this.shown.set(uri.path, { ...text, root });
    this.changed.fire(uri);
    await vscode.window.showTextDocument(uri, { preview: false });
  }

  provideTextDocumentContent({ path }: vscode.Uri): string {
    const shown = this.shown.get(path);
    if (shown !== undefined) return shown.text;
    return `${vscode.l10n.t("This report has expired. Run “Skill Registry: Check Readiness…” again.")}\n`;
  }

  provideDocumentLinks(document: vscode.TextDocument): vscode.DocumentLink[] {
    const shown = this.shown.get(document.uri.path);
    // The editor may still hold the text of the check before.
    if (shown === undefined || shown.text !== document.getText()) return [];
    return shown.links.flatMap(({ start, end, evidence }) => {
      const target = targetOf(evidence, shown.root);
      if (target === undefined) return [];
      const range = new vscode.Range(document.positionAt(start), document.positionAt(end));
      return [new vscode.DocumentLink(range, target)];
    });
  }

  dispose(): void {
    this.changed.dispose();
    this.registration.dispose();
  }
}

/** Where evidence can be looked at; undefined where there is nothing to open. */
function targetOf(evidence: Evidence, root: vscode.Uri | undefined): vscode.Uri | undefined {
  switch (evidence.kind) {
    case "skill":
      return commandUri(commandIds.openSkill, evidence.slug);
    case "file": {
      const { file, line } = evidence;
      const uri = root && vscode.Uri.joinPath(root, ...file.split("/"));
      return line === undefined ? uri : uri?.with({ fragment: `L${line + 1}` });
    }
    case "project":
      return commandUri(`${viewIds.project}.focus`);
    case "invocation":
      return commandUri(commandIds.openInvocation, { id: evidence.id });
    case "setting":
      return commandUri("workbench.action.openSettings", `${settingSection}.${evidence.name}`);
    case "registry":
      return commandUri(commandIds.checkProjectKey);
    case "files":
      return undefined;
  }
}

function commandUri(command: string, ...args: readonly unknown[]): vscode.Uri {
  return vscode.Uri.parse(`command:${command}?${encodeURIComponent(JSON.stringify(args))}`);
}
