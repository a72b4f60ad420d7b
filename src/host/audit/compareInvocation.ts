import * as vscode from "vscode";
import { previousRun } from "../../core/invocation/invocationDays";
import type { InvocationRecord } from "../../core/invocation/invocationRecord";
import { longestShownOutput } from "../../core/invocation/outputLinks";
import { dayOf } from "../../core/invocation/spending";
import { timeFormats } from "../../core/text/timeFormats";
import { hostLanguage } from "../words/hostLanguage";
import { invocationUri } from "./invocationDocuments";
import type { InvocationHistory } from "./invocationHistory";
import { outputUri } from "./outputDocuments";

/**
 * Compares a call with the one before of the same skill: their outputs where both have one that an
 * editor can show, else all that is on record of them.
 */
export async function compareInvocation(
  history: InvocationHistory,
  record: InvocationRecord,
): Promise<void> {
  const before = previousRun(await history.list(), record);
  if (before === undefined) {
    void vscode.window.showInformationMessage(
      vscode.l10n.t("There is no earlier call of this skill on record."),
    );
    return;
  }
  const outputs = await Promise.all([before, record].map(({ id }) => history.texts(id)));
  const haveOutputs = outputs.every(
    (texts) => (texts?.outputText?.length ?? Number.POSITIVE_INFINITY) <= longestShownOutput,
  );
  const uriOf = haveOutputs ? outputUri : invocationUri;
  const { moment, timeOfDay } = timeFormats(hostLanguage());
  const isSameDay = dayOf(before.startedAt) === dayOf(record.startedAt);
  const [from, to] = [before, record].map(({ startedAt }) =>
    isSameDay ? timeOfDay(startedAt) : moment(startedAt),
  );
  const title = `${record.skillSlug}: ${from} ↔ ${to}`;
  await vscode.commands.executeCommand("vscode.diff", uriOf(before), uriOf(record), title);
}
