import * as vscode from "vscode";
import { invocationCountText } from "../../core/invocation/record/invocationLabels";
import {
  choiceText,
  chosenFilter,
  type FilterChoice,
  filterChoices,
  type InvocationFilter,
  isChosen,
  readInvocationFilter,
} from "../../core/invocation/record/invocationList";
import { labelText } from "../../core/text/plainText";
import type { InvocationHistory } from "../../engine/invocationHistory";
import { hostLanguage } from "../ui/hostLanguage";
import type { InvocationsView } from "./invocationsView";

interface ChoiceItem extends vscode.QuickPickItem {
  /** Absent from headings, and from the row that explains what happens with a text that matches no other row. */
  readonly choice?: FilterChoice;
}

/**
 * Filters the Invocations view by `{skill, status, kind, caller, text}`, or asks: values to check, and any text left
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
  const items = choiceItems(filterChoices(await history.list()));
  const pick = vscode.window.createQuickPick<ChoiceItem>();
  pick.title = vscode.l10n.t("Filter Invocations");
  pick.placeholder = vscode.l10n.t("Select skills and statuses, or type to search");
  pick.canSelectMany = true;
  pick.items = items;
  pick.selectedItems = items.filter(({ choice }) => choice !== undefined && isChosen(choice, now));
  pick.value = now.text;
  let hint: string | undefined;
  // Without a matching row the list would look as if nothing could be found.
  pick.onDidChangeValue((typed) => {
    const isInRow = items.some(({ label }) => label.toLowerCase().includes(typed.toLowerCase()));
    const next = typed.trim() === "" || isInRow ? undefined : typed;
    // Setting `items` would drop a check mark that has not been reported yet.
    if (next === hint) return;
    hint = next;
    const picked = pick.selectedItems.filter(({ choice }) => choice !== undefined);
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
    "Press Enter to search for “{0}” in payloads, outputs, codes and IDs",
    typed,
  );
  return { label: labelText(label, 120), alwaysShow: true };
}

/** A text typed to find a checked value is not searched for as well. */
function filterOf(picked: readonly ChoiceItem[], typed: string): InvocationFilter {
  const part = typed.trim().toLowerCase();
  const rows = picked.filter(({ choice }) => choice !== undefined);
  const isPart = rows.some(({ label }) => label.toLowerCase().includes(part));
  return chosenFilter(
    rows.flatMap(({ choice }) => choice ?? []),
    isPart ? "" : typed,
  );
}

function choiceItems(choices: readonly FilterChoice[]): ChoiceItem[] {
  const language = hostLanguage();
  const titles = {
    skills: vscode.l10n.t("Skill"),
    statuses: vscode.l10n.t("Status"),
    kinds: vscode.l10n.t("Kind"),
    callers: vscode.l10n.t("Caller"),
  };
  return choices.flatMap((choice, index) => {
    const item: ChoiceItem = {
      label: labelText(choiceText(choice, language), 80),
      description: invocationCountText(choice.count, language),
      choice,
    };
    if (choices[index - 1]?.of === choice.of) return [item];
    return [{ label: titles[choice.of], kind: vscode.QuickPickItemKind.Separator }, item];
  });
}
