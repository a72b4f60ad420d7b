import * as vscode from "vscode";
import { invocationCountText } from "../../core/invocation/outcome/invocationStatus";
import { recordsAsCsv, recordsAsJsonLines } from "../../core/invocation/record/invocationExport";
import {
  filterRecords,
  type InvocationFilter,
} from "../../core/invocation/record/invocationFilter";
import type { InvocationRecord } from "../../core/invocation/record/invocationRecord";
import { hostLanguage } from "../messages/hostLanguage";
import { saveText } from "../storage/saveText";
import type { InvocationHistory } from "./invocationHistory";

/**
 * Saves the record of past invocations to a file the user chooses, as CSV or JSON Lines by its ending. Asks
 * whether those that the view's filter leaves out are meant as well.
 */
export async function exportInvocations(
  history: InvocationHistory,
  filter: InvocationFilter,
): Promise<void> {
  const all = await history.list();
  if (all.length === 0) {
    await vscode.window.showInformationMessage(
      vscode.l10n.t("There are no invocations to export yet."),
    );
    return;
  }
  const records = await askForScope(all, filterRecords(all, filter));
  if (records === undefined) return;
  const question = {
    title: vscode.l10n.t("Export Invocations"),
    name: "invocations.jsonl",
    filters: { "JSON Lines": ["jsonl"], CSV: ["csv"] },
  };
  const saved = await saveText(question, ({ path }) =>
    path.toLowerCase().endsWith(".csv") ? recordsAsCsv(records) : recordsAsJsonLines(records),
  );
  if (saved === undefined) return;
  const count = invocationCountText(records.length, hostLanguage());
  await vscode.window.showInformationMessage(
    vscode.l10n.t("{0} exported, without payloads and outputs.", count),
  );
}

async function askForScope(
  all: readonly InvocationRecord[],
  shown: readonly InvocationRecord[],
): Promise<readonly InvocationRecord[] | undefined> {
  if (shown.length === all.length) return all;
  const language = hostLanguage();
  const item = (label: string, records: readonly InvocationRecord[]) => ({
    label,
    description: invocationCountText(records.length, language),
    records,
  });
  const choices = [
    item(vscode.l10n.t("Shown by the filter"), shown),
    item(vscode.l10n.t("All"), all),
  ].filter(({ records }) => records.length > 0);
  const title = vscode.l10n.t("Export Invocations");
  return (await vscode.window.showQuickPick(choices, { title }))?.records;
}
