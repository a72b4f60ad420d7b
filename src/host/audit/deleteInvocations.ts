import * as vscode from "vscode";
import { deletableRecords, deletionDays, deletionQuestion } from "../../core/invocation/deletion";
import { invocationCountText } from "../../core/invocation/record/invocationLabels";
import { isFiltering } from "../../core/invocation/record/invocationList";
import type { InvocationRecord } from "../../core/invocation/record/invocationRecord";
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
  // A running invocation would still record its end.
  const [first, ...others] = selected.filter(({ status }) => status !== "running");
  if (first === undefined) {
    const why = vscode.l10n.t("This invocation is still running. Delete it when it has ended.");
    return void inform(why);
  }
  const records = [first, ...others] as const;
  const { detail, ...question } = deletionQuestion(records, Date.now(), hostLanguage());
  if (!(await confirm({ ...question, detail: [detail] }))) return;
  await history.remove(records.map(({ id }) => id));
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
  if (chosen !== undefined) await deleteSelected(history, chosen);
}

/** Creates a row for several invocations, with their number. */
export function recordsRow(label: string, records: readonly InvocationRecord[]) {
  return {
    label,
    description: invocationCountText(records.length, hostLanguage()),
    value: records,
  };
}
