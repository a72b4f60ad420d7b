import * as vscode from "vscode";
import { recordsAsCsv, recordsAsJsonLines } from "../../core/invocation/invocationExport";
import type { InvocationHistory } from "./invocationHistory";

/** Saves the record of past calls to a file the user chooses, as CSV or JSON Lines by its ending. */
export async function exportInvocations(history: InvocationHistory): Promise<void> {
  const records = await history.list();
  if (records.length === 0) {
    await vscode.window.showInformationMessage("There are no calls to export yet.");
    return;
  }
  const target = await vscode.window.showSaveDialog({
    title: "Export Invocations",
    filters: { "JSON Lines": ["jsonl"], CSV: ["csv"] },
    ...suggestedTarget(),
  });
  if (target === undefined) return;
  const text = target.path.toLowerCase().endsWith(".csv")
    ? recordsAsCsv(records)
    : recordsAsJsonLines(records);
  await vscode.workspace.fs.writeFile(target, new TextEncoder().encode(text));
  const count = records.length === 1 ? "1 call" : `${records.length} calls`;
  await vscode.window.showInformationMessage(`${count} exported, without inputs and outputs.`);
}

function suggestedTarget(): { defaultUri?: vscode.Uri } {
  const folder = vscode.workspace.workspaceFolders?.[0]?.uri;
  return folder === undefined
    ? {}
    : { defaultUri: vscode.Uri.joinPath(folder, "invocations.jsonl") };
}
