import * as vscode from "vscode";
import {
  type Deletion,
  deleteTrialsQuestion,
  deletionDays,
  deletionOf,
  deletionQuestion,
} from "../../core/invocation/deletion";
import { isOver } from "../../core/invocation/outcome";
import { invocationCountText } from "../../core/invocation/record/invocationLabels";
import { isFiltering } from "../../core/invocation/record/invocationList";
import {
  callerKinds,
  type InvocationRecord,
  isAgent,
} from "../../core/invocation/record/invocationRecord";
import { deletableOf, queryOf, type RecordQuery } from "../../core/invocation/record/recordQuery";
import { dayMs } from "../../core/text/dates";
import type { InvocationHistory } from "../../engine/record/invocationHistory";
import type { TrialRecord } from "../../engine/record/trialRecord";
import type { RecordName } from "../../engine/store/store";
import { hostLanguage } from "../ui/hostLanguage";
import { confirm, inform } from "../ui/messages";
import { choose } from "../ui/quickInput/choose";
import type { InvocationsView } from "./invocationsView";

/** Removes invocations from the record, after asking. The registry's own record stays. */
export async function deleteSelected(
  history: InvocationHistory,
  selected: readonly InvocationRecord[],
): Promise<void> {
  // A running invocation would be recorded again when it ends.
  const records = selected.filter(isOver);
  if (records.length === 0) {
    const why = vscode.l10n.t("This invocation is still running. Delete it when it has ended.");
    return void inform(why);
  }
  await deleteNamed(history, records, deletionOf(records, Date.now()));
}

/** Removes the invocations of a range that the user chooses, or the trials, after asking. Pinned ones are kept. */
export async function deleteRange(
  history: InvocationHistory,
  trials: Pick<TrialRecord, "list" | "clear">,
  { filter }: Pick<InvocationsView, "filter">,
): Promise<void> {
  const now = Date.now();
  const filtered = deletableOf(queryOf(filter));
  const all = await history.names(deletableOf({}));
  const shown = isFiltering(filter) ? await history.names(filtered) : [];
  const ranges = [
    rangeRow(vscode.l10n.t("Shown by the filter"), filtered, shown),
    ...deletionDays.map((days) => {
      const until = now - days * dayMs + 1;
      const title =
        days === 1 ? vscode.l10n.t("Older than a day") : vscode.l10n.t("Older than {0} days", days);
      const older = all.filter(({ startedAt }) => startedAt < until);
      return rangeRow(title, deletableOf({ until }), older);
    }),
    rangeRow(vscode.l10n.t("All"), deletableOf({}), all),
  ].filter(({ value }) => value.names.length > 0);
  const tried = (await trials.list()).length;
  const label = vscode.l10n.t("Trials on This Machine");
  const ofTrials = { label, description: String(tried), value: "trials" as const };
  const chosen = await choose<DeletionChoice>([...ranges, ...(tried === 0 ? [] : [ofTrials])], {
    title: vscode.l10n.t("Delete Invocations"),
    placeHolder: vscode.l10n.t("Select what to delete. Pinned invocations are kept."),
    none: vscode.l10n.t("There are no invocations to delete. Pinned ones are kept."),
    closesOnBlur: true,
  });
  if (chosen === undefined) return;
  if (chosen === "trials") {
    const question = deleteTrialsQuestion(tried, hostLanguage());
    if (await confirm(question)) await trials.clear();
    return;
  }
  const { names, query } = chosen;
  // The question warns about deleting records that keep agents from repeating an invocation. Only records of the last
  // day do that.
  const callers = (query.callers ?? callerKinds).filter(isAgent);
  const byAgents = await history.list({ ...query, callers, since: now - dayMs });
  const { isForAgents } = deletionOf(byAgents, now);
  const only = names.length === 1 ? await history.find(names[0]?.id ?? "") : undefined;
  await deleteNamed(history, names, { count: names.length, only, isForAgents });
}

/** Asks, then removes the named invocations. Keeps those that were pinned while the question was open. */
async function deleteNamed(
  history: InvocationHistory,
  names: readonly (RecordName & Pick<InvocationRecord, "pinned">)[],
  deletion: Deletion,
): Promise<void> {
  const { detail, ...question } = deletionQuestion(deletion, hostLanguage());
  if (!(await confirm({ ...question, detail: [detail] }))) return;
  // Another window may have pinned an invocation while the question was open.
  const stillDeletable = new Set((await history.names(deletableOf({}))).map(({ id }) => id));
  const deletable = names.filter(({ id, pinned }) => pinned === true || stillDeletable.has(id));
  await history.remove(deletable.map(({ id }) => id));
}

/** A range of invocations, or all trials. */
type DeletionChoice = ReturnType<typeof rangeRow>["value"] | "trials";

function rangeRow(label: string, query: RecordQuery, names: readonly RecordName[]) {
  return { ...countRow(label, names.length), value: { query, names } };
}

/** Creates a row for several invocations, with their number. */
export function countRow(label: string, count: number) {
  return { label, description: invocationCountText(count, hostLanguage()) };
}
