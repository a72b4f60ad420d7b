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
import type { InvocationHistory } from "../../engine/record/invocationHistory";
import { hostLanguage } from "../ui/hostLanguage";
import {
  type ChoiceRow,
  chosenValues,
  type ListItem,
  listItems,
  openList,
} from "../ui/quickInput/choose";
import type { InvocationsView } from "./invocationsView";

/**
 * An item of the list. It has no value if it is a heading, or the row that explains how to search for a text that no
 * row contains.
 */
type ChoiceItem = ListItem<FilterChoice>;

/**
 * Filters the Invocations view by the given `{skill, status, kind, caller, text}`, or lets the user check values in a
 * list. Text that is left in the list's input box becomes the searched text.
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
  const items = listItems(choiceRows(filterChoices(await history.sums({})), now));
  const question = {
    title: vscode.l10n.t("Filter Invocations"),
    placeHolder: vscode.l10n.t("Select skills and statuses, or type to search"),
  };
  return openList<ChoiceItem, InvocationFilter>(question, (list, end) => {
    list.canSelectMany = true;
    list.items = items;
    list.selectedItems = items.filter(({ picked }) => picked);
    list.value = now.text;
    let hint: string | undefined;
    // Without a matching row, the list would be empty, as if nothing could be found.
    list.onDidChangeValue((typed) => {
      const isInRow = items.some(({ label }) => label.toLowerCase().includes(typed.toLowerCase()));
      const next = typed.trim() === "" || isInRow ? undefined : typed;
      // Setting `items` would drop a check mark that has not been reported yet.
      if (next === hint) return;
      hint = next;
      const picked = list.selectedItems.filter(({ value }) => value !== undefined);
      list.items = hint === undefined ? items : [...items, hintItem(hint)];
      list.selectedItems = picked;
    });
    list.onDidAccept(() => end(filterOf(list.selectedItems, list.value)));
  });
}

function hintItem(typed: string): ChoiceItem {
  const label = vscode.l10n.t(
    "Press Enter to search for “{0}” in payloads, outputs, codes and IDs",
    typed,
  );
  return { label: labelText(label, 120), alwaysShow: true };
}

/** Builds the filter. Ignores text that was typed to find a checked value. */
function filterOf(picked: readonly ChoiceItem[], typed: string): InvocationFilter {
  const part = typed.trim().toLowerCase();
  const rows = picked.filter(({ value }) => value !== undefined);
  const isPart = rows.some(({ label }) => label.toLowerCase().includes(part));
  return chosenFilter(chosenValues(rows), isPart ? "" : typed);
}

function choiceRows(
  choices: readonly FilterChoice[],
  now: InvocationFilter,
): ChoiceRow<FilterChoice>[] {
  const language = hostLanguage();
  const titles = {
    skills: vscode.l10n.t("Skill"),
    statuses: vscode.l10n.t("Status"),
    kinds: vscode.l10n.t("Kind"),
    callers: vscode.l10n.t("Caller"),
    profiles: vscode.l10n.t("Profile"),
  };
  return choices.map((choice) => ({
    label: choiceText(choice, language),
    description: invocationCountText(choice.count, language),
    heading: titles[choice.of],
    picked: isChosen(choice, now),
    value: choice,
  }));
}
