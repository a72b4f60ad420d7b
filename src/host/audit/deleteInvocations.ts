import * as vscode from "vscode";
import { isNeededByGates } from "../../core/agents/agentGates";
import { invocationCountText } from "../../core/invocation/record/invocationLabels";
import {
  deletableRecords,
  deletionDays,
  isFiltering,
} from "../../core/invocation/record/invocationList";
import type { InvocationRecord } from "../../core/invocation/record/invocationRecord";
import { timeFormats } from "../../core/text/dates";
import type { InvocationHistory } from "../../engine/record/invocationHistory";
import { hostLanguage } from "../ui/hostLanguage";
import { confirm, inform } from "../ui/messages";
import { choose } from "../ui/quickInput/choose";
import type { InvocationsView } from "./invocationsView";

/** Removes invocations from the record, after asking. The registry keeps its own. */
export async function deleteSelected(
  history: InvocationHistory,
  selected: readonly InvocationRecord[],
): Promise<void> {
  // Their end would still be recorded, by this window or the one that waits for it.
  const records = selected.filter(({ status }) => status !== "running");
  const [record] = records;
  if (record === undefined) {
    void inform(stillRunning());
    return;
  }
  const time = timeFormats(hostLanguage()).moment(record.startedAt);
  const question =
    records.length === 1
      ? vscode.l10n.t("Delete the invocation of {0} from {1}?", record.skillSlug, time)
      : deleteQuestion(records);
  await deleteAfterAsking(history, records, question);
}

/** Removes the invocations of a range that the user chooses, after asking. Pinned ones are kept. */
export async function deleteRange(
  history: InvocationHistory,
  view: Pick<InvocationsView, "filter" | "listShown">,
): Promise<void> {
  const all = await history.list();
  const now = Date.now();
  const shown = isFiltering(view.filter) ? await view.listShown() : [];
  const ranges = [
    recordsRow(vscode.l10n.t("Shown by the filter"), deletableRecords(shown, now)),
    ...deletionDays.map((days) =>
      recordsRow(
        days === 1 ? vscode.l10n.t("Older than a day") : vscode.l10n.t("Older than {0} days", days),
        deletableRecords(all, now, days),
      ),
    ),
    recordsRow(vscode.l10n.t("All"), deletableRecords(all, now)),
  ].filter(({ value }) => value.length > 0);
  const chosen = await choose(ranges, {
    title: vscode.l10n.t("Delete Invocations"),
    placeHolder: vscode.l10n.t("Select what to delete. Pinned invocations are kept."),
    none: vscode.l10n.t("There are no invocations to delete. Pinned ones are kept."),
    closesOnBlur: true,
  });
  if (chosen !== undefined) await deleteAfterAsking(history, chosen, deleteQuestion(chosen));
}

function deleteQuestion({ length }: readonly InvocationRecord[]): string {
  return vscode.l10n.t("Delete {0}?", invocationCountText(length, hostLanguage()));
}

async function deleteAfterAsking(
  history: InvocationHistory,
  records: readonly InvocationRecord[],
  message: string,
): Promise<void> {
  const detail =
    records.length === 1
      ? vscode.l10n.t("Its record on this machine is removed for good. The registry keeps its own.")
      : vscode.l10n.t(
          "Their records on this machine are removed for good. The registry keeps its own.",
        );
  // By its record an invocation is known to have been made. Only a person can say that this no longer matters.
  const lets = records.some((record) => isNeededByGates(record, Date.now()))
    ? [vscode.l10n.t("Agents may then make the same invocation again, and it may be billed twice.")]
    : [];
  const agree = vscode.l10n.t("Delete");
  if (!(await confirm({ message, detail: [[detail, ...lets]], agree }))) return;
  for (const { id } of records) await history.remove(id);
}

/** Describes why a running invocation is kept. */
function stillRunning(): string {
  return vscode.l10n.t("This invocation is still running. Delete it when it has ended.");
}

/** Makes a row for some invocations, which says how many they are. */
export function recordsRow(label: string, records: readonly InvocationRecord[]) {
  return {
    label,
    description: invocationCountText(records.length, hostLanguage()),
    value: records,
  };
}
