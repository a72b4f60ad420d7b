import * as vscode from "vscode";
import type { InvocationStatus } from "../../core/invocation/invocation";
import {
  invocationCountText,
  kindText,
  statusText,
} from "../../core/invocation/record/invocationLabels";
import {
  filterChoices,
  type InvocationFilter,
  readInvocationFilter,
} from "../../core/invocation/record/invocationList";
import type { InvocationKind } from "../../core/invocation/record/invocationRecord";
import { labelText } from "../../core/text/plainText";
import type { InvocationHistory } from "../../engine/invocationHistory";
import { hostLanguage } from "../messages/hostLanguage";
import type { InvocationsView } from "./invocationsView";

interface ChoiceItem extends vscode.QuickPickItem {
  readonly skill?: string;
  readonly status?: InvocationStatus;
  readonly invocationKind?: InvocationKind;
  /** Set for the row that explains what happens with a text that matches no other row. */
  readonly isHint?: true;
}

/**
 * Filters the Invocations view by `{skill, status, kind, text}`, or asks: values to check, and any text left
 * in the input is searched for.
 */
export async function filterInvocations(
  view: InvocationsView,
  history: InvocationHistory,
  given: unknown,
): Promise<void> {
  const filter = readInvocationFilter(given) ?? (await askForFilter(view.filter, history));
  if (filter !== undefined) view.filter = filter;
}

async function askForFilter(
  now: InvocationFilter,
  history: InvocationHistory,
): Promise<InvocationFilter | undefined> {
  const items = choiceItems(await history.list());
  const pick = vscode.window.createQuickPick<ChoiceItem>();
  pick.title = vscode.l10n.t("Filter Invocations");
  pick.placeholder = vscode.l10n.t("Select skills and statuses, or type to search");
  pick.canSelectMany = true;
  pick.items = items;
  pick.selectedItems = items.filter(
    ({ skill, status, invocationKind }) =>
      (invocationKind !== undefined && now.kinds.includes(invocationKind)) ||
      (skill !== undefined && now.skills.includes(skill)) ||
      (status !== undefined && now.statuses.includes(status)),
  );
  pick.value = now.text;
  let hint: string | undefined;
  // Without a matching row the list would look as if nothing could be found.
  pick.onDidChangeValue((typed) => {
    const isInRow = items.some(({ label }) => label.toLowerCase().includes(typed.toLowerCase()));
    const next = typed.trim() === "" || isInRow ? undefined : typed;
    // Setting `items` would drop a check mark that has not been reported yet.
    if (next === hint) return;
    hint = next;
    const picked = pick.selectedItems.filter(({ isHint }) => isHint !== true);
    pick.items = hint === undefined ? items : [...items, hintItem(hint)];
    pick.selectedItems = picked;
  });
  try {
    return await new Promise((resolve) => {
      pick.onDidAccept(() => resolve(filterOf(pick.selectedItems, pick.value)));
      pick.onDidHide(() => resolve(undefined));
      pick.show();
    });
  } finally {
    pick.dispose();
  }
}

function hintItem(typed: string): ChoiceItem {
  const label = vscode.l10n.t(
    "Press Enter to search for “{0}” in versions, codes, messages and IDs",
    typed,
  );
  return { label: labelText(label, 120), alwaysShow: true, isHint: true };
}

/** A text typed to find a checked value is not searched for as well. */
function filterOf(picked: readonly ChoiceItem[], typed: string): InvocationFilter {
  const skills = picked.flatMap(({ skill }) => skill ?? []);
  const statuses = picked.flatMap(({ status }) => status ?? []);
  const kinds = picked.flatMap(({ invocationKind }) => invocationKind ?? []);
  const part = typed.trim().toLowerCase();
  const isPart = picked.some(({ label, isHint }) => !isHint && label.toLowerCase().includes(part));
  return { skills, statuses, kinds, text: isPart ? "" : typed };
}

function choiceItems(records: Parameters<typeof filterChoices>[0]): ChoiceItem[] {
  const language = hostLanguage();
  const { skills, statuses, kinds } = filterChoices(records);
  return [
    { label: vscode.l10n.t("Skill"), kind: vscode.QuickPickItemKind.Separator },
    ...skills.map(([skill, count]) => ({
      label: labelText(skill, 80),
      description: invocationCountText(count, language),
      skill,
    })),
    { label: vscode.l10n.t("Status"), kind: vscode.QuickPickItemKind.Separator },
    ...statuses.map(([status, count]) => ({
      label: statusText(status, language),
      description: invocationCountText(count, language),
      status,
    })),
    ...(kinds.length === 0
      ? []
      : [{ label: vscode.l10n.t("Kind"), kind: vscode.QuickPickItemKind.Separator }]),
    ...kinds.map(([kind, count]) => ({
      label: kindText(kind, language),
      description: invocationCountText(count, language),
      kindOfCall: kind,
    })),
  ];
}
