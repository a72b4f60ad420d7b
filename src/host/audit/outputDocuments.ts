import * as vscode from "vscode";
import { shownJson } from "../../core/invocation/record/invocationDocument";
import { type InvocationRecord, isRecordId } from "../../core/invocation/record/invocationRecord";
import { longestShownOutput } from "../../core/invocation/record/outputLinks";
import { jsonFileEndingOf } from "../../core/text/jsonFileEnding";
import { runYielding } from "../../registry/runYielding";
import { outputScheme } from "../ids";
import type { InvocationHistory } from "./invocationHistory";
import { saveText } from "./saveText";

/** Shows outputs of past calls as read-only JSON, `skill-output:/<record>/<skill> output.json`,
 * or `.jsonl` for reasons of jsonFileEnding. */
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
    if (output.length > longestShownOutput) {
      await saveOutput(record, output);
      return undefined;
    }
    const document = await vscode.workspace.openTextDocument(outputUri(record, output));
    await vscode.window.showTextDocument(document, { preview: false });
    return document;
  }

  async provideTextDocumentContent(uri: vscode.Uri): Promise<string> {
    const id = recordIdOf(uri);
    const texts = id === undefined ? undefined : await this.history.texts(id);
    const output = texts?.outputText;
    return output === undefined
      ? `${vscode.l10n.t("No output of this call is kept.")}\n`
      : runYielding(shownJson(output));
  }

  dispose(): void {
    this.registration.dispose();
  }
}

/** Addresses the document of a call's output, of which it needs the text. */
export function outputUri(record: InvocationRecord, output: string): vscode.Uri {
  const name = `${record.skillSlug} output.${jsonFileEndingOf(output)}`;
  return vscode.Uri.from({ scheme: outputScheme, path: `/${record.id}/${name}` });
}

/** Names the record an output's document belongs to. */
export function recordIdOf(uri: vscode.Uri): string | undefined {
  const id = uri.path.split("/")[1] ?? "";
  return uri.scheme === outputScheme && isRecordId(id) ? id : undefined;
}

/** Offers to save an output that is too long for an editor. */
async function saveOutput({ skillSlug }: InvocationRecord, output: string): Promise<void> {
  const save = vscode.l10n.t("Save As…");
  const millions = Math.round(output.length / 1_000_000);
  const answer = await vscode.window.showInformationMessage(
    vscode.l10n.t(
      "This output has {0} million characters, too many for an editor. Save it to a file to see all of it.",
      millions,
    ),
    save,
  );
  if (answer !== save) return;
  const question = {
    title: vscode.l10n.t("Save Output"),
    name: `${skillSlug}.output.json`,
    filters: { JSON: ["json"] },
  };
  const saved = await saveText(question, () => output);
  if (saved === undefined) return;
  const words = vscode.l10n.t("$(save) Output saved as {0}", saved.path.split("/").at(-1) ?? "");
  vscode.window.setStatusBarMessage(words, 8000);
}
