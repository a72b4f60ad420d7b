import * as vscode from "vscode";
import { type InvocationRecord, isRecordId } from "../../core/invocation/invocationRecord";
import { prettyJson } from "../../core/text/prettyJson";
import { outputScheme } from "../ids";
import type { InvocationHistory } from "./invocationHistory";

/** The editor itself gives up on longer texts; such an output is saved to a file instead. */
const maxShown = 20_000_000;

/** Shows outputs of past calls as read-only JSON, `skill-output:/<record>/<skill> output.json`. */
export class OutputDocuments implements vscode.TextDocumentContentProvider {
  private readonly registration: vscode.Disposable;

  constructor(private readonly history: InvocationHistory) {
    this.registration = vscode.workspace.registerTextDocumentContentProvider(outputScheme, this);
  }

  /** Opens the output of a call; says so where there is none, and saves one that is too long to show. */
  async open(record: InvocationRecord): Promise<vscode.TextDocument | undefined> {
    const output = (await this.history.texts(record.id))?.outputText;
    if (output === undefined) {
      void vscode.window.showInformationMessage(vscode.l10n.t("No output of this call is kept."));
      return undefined;
    }
    if (output.length > maxShown) {
      await saveOutput(record, output);
      return undefined;
    }
    const document = await vscode.workspace.openTextDocument(outputUri(record));
    await vscode.window.showTextDocument(document, { preview: false });
    return document;
  }

  async provideTextDocumentContent(uri: vscode.Uri): Promise<string> {
    const id = recordIdOf(uri);
    const texts = id === undefined ? undefined : await this.history.texts(id);
    const output = texts?.outputText;
    return output === undefined
      ? `${vscode.l10n.t("No output of this call is kept.")}\n`
      : prettyJson(output).text;
  }

  dispose(): void {
    this.registration.dispose();
  }
}

/** Addresses the document of a call's output. */
export function outputUri(record: InvocationRecord): vscode.Uri {
  return vscode.Uri.from({
    scheme: outputScheme,
    path: `/${record.id}/${record.skillSlug} output.json`,
  });
}

/** Names the record an output's document belongs to. */
export function recordIdOf(uri: vscode.Uri): string | undefined {
  const id = uri.path.split("/")[1] ?? "";
  return uri.scheme === outputScheme && isRecordId(id) ? id : undefined;
}

async function saveOutput({ skillSlug }: InvocationRecord, output: string): Promise<void> {
  const save = vscode.l10n.t("Save As…");
  const megabytes = Math.round(output.length / 1_000_000);
  const answer = await vscode.window.showInformationMessage(
    vscode.l10n.t("The output is too long for an editor ({0} million characters).", megabytes),
    save,
  );
  if (answer !== save) return;
  const folder = vscode.workspace.workspaceFolders?.[0]?.uri;
  const name = `${skillSlug}.output.json`;
  const target = await vscode.window.showSaveDialog({
    title: vscode.l10n.t("Save Output"),
    filters: { JSON: ["json"] },
    ...(folder === undefined ? {} : { defaultUri: vscode.Uri.joinPath(folder, name) }),
  });
  if (target === undefined) return;
  await vscode.workspace.fs.writeFile(target, new TextEncoder().encode(output));
}
