import * as vscode from "vscode";
import { callCountWords } from "../../core/invocation/record/callCountWords";
import { recordsAsCsv, recordsAsJsonLines } from "../../core/invocation/record/invocationExport";
import { hostLanguage } from "../words/hostLanguage";
import type { InvocationHistory } from "./invocationHistory";
import { saveText } from "./saveText";

/** Saves the record of past calls to a file the user chooses, as CSV or JSON Lines by its ending. */
export async function exportInvocations(history: InvocationHistory): Promise<void> {
  const records = await history.list();
  if (records.length === 0) {
    await vscode.window.showInformationMessage(vscode.l10n.t("There are no calls to export yet."));
    return;
  }
  const question = {
    title: vscode.l10n.t("Export Invocations"),
    name: "invocations.jsonl",
    filters: { "JSON Lines": ["jsonl"], CSV: ["csv"] },
  };
  const saved = await saveText(question, ({ path }) =>
    path.toLowerCase().endsWith(".csv") ? recordsAsCsv(records) : recordsAsJsonLines(records),
  );
  if (saved === undefined) return;
  const count = callCountWords(records.length, hostLanguage());
  await vscode.window.showInformationMessage(
    vscode.l10n.t("{0} exported, without inputs and outputs.", count),
  );
}
