import * as vscode from "vscode";
import { endingText, invocationIdText } from "../../core/invocation/invocationStatus";
import { type InvocationRecord, isRecordId } from "../../core/invocation/record/invocationRecord";
import { timeFormats } from "../../core/text/language";
import { labelText } from "../../core/text/plainText";
import { hostLanguage } from "../messages/hostLanguage";
import type { InvocationHistory } from "./invocationHistory";
import { recordIdOf } from "./outputDocuments";

/** Which invocations a command can be meant for, and what is said where there are none. */
export interface InvocationChoice {
  readonly title: string;
  readonly among?: (record: InvocationRecord) => boolean;
  readonly none?: string;
}

/**
 * Finds the record a command is meant for: the row it was run on, else the one the user picks.
 * Undefined where there is none or the user gave up.
 */
export async function chooseInvocation(
  history: InvocationHistory,
  argument: unknown,
  { title, among = () => true, none }: InvocationChoice,
): Promise<InvocationRecord | undefined> {
  const id = recordId(argument);
  if (id !== undefined) return (await history.find(id)) ?? showGone();
  const all = await history.list();
  const records = all.filter(among);
  if (records.length === 0) {
    const nothing = vscode.l10n.t("There are no invocations yet.");
    void vscode.window.showInformationMessage(all.length === 0 ? nothing : (none ?? nothing));
    return undefined;
  }
  const language = hostLanguage();
  const { moment } = timeFormats(language);
  const picked = await vscode.window.showQuickPick(
    records.map((record) => ({
      label: labelText(`${record.skillSlug}@${record.version}`, 80),
      description: `${endingText(record, language)} · ${moment(record.startedAt)}`,
      detail: labelText(invocationIdText(record, language), 120),
      record,
    })),
    {
      title,
      matchOnDescription: true,
      matchOnDetail: true,
      placeHolder: vscode.l10n.t("Select an invocation"),
    },
  );
  return picked?.record;
}

function showGone(): undefined {
  void vscode.window.showInformationMessage(
    vscode.l10n.t("This invocation is no longer in the record."),
  );
}

/** A row names its record, and so does the address of a document that shows its output. */
function recordId(argument: unknown): string | undefined {
  if (argument instanceof vscode.Uri) return recordIdOf(argument);
  if (typeof argument !== "object" || argument === null) return undefined;
  const { id } = argument as Partial<InvocationRecord>;
  return typeof id === "string" && isRecordId(id) ? id : undefined;
}
