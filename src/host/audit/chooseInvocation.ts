import * as vscode from "vscode";
import { endingWords } from "../../core/invocation/outcome/statusWords";
import { idWords } from "../../core/invocation/record/idWords";
import { type InvocationRecord, isRecordId } from "../../core/invocation/record/invocationRecord";
import { labelText } from "../../core/text/plainText";
import { timeFormats } from "../../core/text/timeFormats";
import { hostLanguage } from "../words/hostLanguage";
import type { InvocationHistory } from "./invocationHistory";

/**
 * Finds the record a command is meant for: the row it was run on, else the one the user picks.
 * Undefined where there is none or the user gave up.
 */
export async function chooseInvocation(
  history: InvocationHistory,
  argument: unknown,
  title: string,
): Promise<InvocationRecord | undefined> {
  const records = await history.list();
  const id = recordId(argument);
  if (id !== undefined) return records.find((record) => record.id === id) ?? tellGone();
  if (records.length === 0) {
    await vscode.window.showInformationMessage(vscode.l10n.t("No calls were made yet."));
    return undefined;
  }
  const language = hostLanguage();
  const { moment } = timeFormats(language);
  const picked = await vscode.window.showQuickPick(
    records.map((record) => ({
      label: labelText(`${record.skillSlug}@${record.version}`, 80),
      description: `${endingWords(record, language)} · ${moment(record.startedAt)}`,
      detail: labelText(idWords(record, language), 120),
      record,
    })),
    {
      title,
      matchOnDescription: true,
      matchOnDetail: true,
      placeHolder: vscode.l10n.t("Choose a call"),
    },
  );
  return picked?.record;
}

function tellGone(): undefined {
  void vscode.window.showInformationMessage(vscode.l10n.t("This call is no longer in the record."));
}

function recordId(argument: unknown): string | undefined {
  if (typeof argument !== "object" || argument === null) return undefined;
  const { id } = argument as Partial<InvocationRecord>;
  return typeof id === "string" && isRecordId(id) ? id : undefined;
}
