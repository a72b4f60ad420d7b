import * as vscode from "vscode";
import { callCountWords } from "../../core/invocation/callCountWords";
import { recordsAsCsv, recordsAsJsonLines } from "../../core/invocation/invocationExport";
import { hostLanguage } from "../words/hostLanguage";
import type { InvocationHistory } from "./invocationHistory";

/** Saves the record of past calls to a file the user chooses, as CSV or JSON Lines by its ending. */
export async function exportInvocations(history: InvocationHistory): Promise<void> {
  const records = await history.list();
  if (records.length === 0) {
    await vscode.window.showInformationMessage(vscode.l10n.t("There are no calls to export yet."));
    return;
  }
  const target = await vscode.window.showSaveDialog({
    title: vscode.l10n.t("Export Invocations"),
    filters: { "JSON Lines": ["jsonl"], CSV: ["csv"] },
    ...suggestedTarget(),
  });
  if (target === undefined) return;
  const text = target.path.toLowerCase().endsWith(".csv")
    ? recordsAsCsv(records)
    : recordsAsJsonLines(records);
  await vscode.workspace.fs.writeFile(target, new TextEncoder().encode(text));
  const count = callCountWords(records.length, hostLanguage());
  await vscode.window.showInformationMessage(
    vscode.l10n.t("{0} exported, without inputs and outputs.", count),
  );
}

function suggestedTarget(): { defaultUri?: vscode.Uri } {
  const folder = vscode.workspace.workspaceFolders?.[0]?.uri;
  return folder === undefined
    ? {}
    : { defaultUri: vscode.Uri.joinPath(folder, "invocations.jsonl") };
}
