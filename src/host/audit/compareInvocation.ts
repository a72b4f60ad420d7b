import * as vscode from "vscode";
import { dayOf } from "../../core/invocation/limits/spending";
import { previousOutput, previousRun } from "../../core/invocation/record/invocationDays";
import type { InvocationRecord } from "../../core/invocation/record/invocationRecord";
import { longestShownOutput } from "../../core/invocation/record/outputLinks";
import { timeFormats } from "../../core/text/timeFormats";
import { hostLanguage } from "../words/hostLanguage";
import { invocationUri } from "./invocationDocuments";
import type { InvocationHistory } from "./invocationHistory";
import { outputUri } from "./outputDocuments";

/**
 * Compares a call with the one before of the same skill, the last that had an output where it has one:
 * their outputs where both are kept and an editor can show them, else all that is on record of them.
 */
export async function compareInvocation(
  history: InvocationHistory,
  record: InvocationRecord,
): Promise<void> {
  const records = await history.list();
  const withOutput = record.responseSha256 !== undefined && previousOutput(records, record);
  const before = withOutput || previousRun(records, record);
  if (before === undefined) {
    void vscode.window.showInformationMessage(
      vscode.l10n.t("There is no earlier invocation of this skill on record."),
    );
    return;
  }
  const runs = [before, record];
  const texts = await Promise.all(runs.map(({ id }) => history.texts(id)));
  const outputs = texts
    .map((kept) => kept?.outputText)
    .filter((output) => output !== undefined && output.length <= longestShownOutput);
  const haveOutputs = outputs.length === runs.length;
  const [old, now] = runs.map((run, index) =>
    haveOutputs ? outputUri(run, outputs[index], "bare") : invocationUri(run, "comparison"),
  );
  const { moment, timeOfDay } = timeFormats(hostLanguage());
  const isSameDay = dayOf(before.startedAt) === dayOf(record.startedAt);
  const [from, to] = [before, record].map(({ startedAt }) =>
    isSameDay ? timeOfDay(startedAt) : moment(startedAt),
  );
  const title = `${record.skillSlug}: ${from} ↔ ${to}`;
  await vscode.commands.executeCommand("vscode.diff", old, now, title);
}
