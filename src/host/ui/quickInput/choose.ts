import * as vscode from "vscode";
import type { RowIcon } from "../../../core/skill/verification";
import { labelText } from "../../../core/text/plainText";
import { Timer } from "../../../registry/wait";
import { inform } from "../messages";
import { themeIcon } from "../treeItem";
import { LatestRequest } from "../wait";
import { type EndInput, goBack, untilEnded } from "./quickInput";

/*
 * Every list that the user chooses from. The texts of a row may come from a registry. They are escaped here, and
 * nowhere else.
 */

/** A row of a list to choose from. */
export interface ChoiceRow<Value> {
  readonly label: string;
  readonly description?: string;
  readonly detail?: string;
  /** An icon of the editor, by its name or with a color. */
  readonly icon?: RowIcon | string | undefined;
  /** Its heading. Consecutive rows with the same heading share it. Default: none. */
  readonly heading?: string | undefined;
  /** The name of its group, if headings of neighboring groups may be equal. Default: the heading. */
  readonly group?: string;
  /** Whether it is shown for any typed text. */
  readonly alwaysShow?: boolean;
  /** Whether it is checked at first, in a list with several choices. */
  readonly picked?: boolean;
  readonly buttons?: readonly RowButton[];
  readonly value: Value;
}

interface RowButton {
  /** The name of an icon of the editor. */
  readonly icon: string;
  readonly title: string;
  readonly press: () => unknown;
}

/** Options of a list. */
export interface ListOptions<Result> {
  readonly title: string;
  readonly placeHolder?: string;
  /** Closes when the focus leaves it, for lists that are quickly reopened. Default: stays open. */
  readonly closesOnBlur?: boolean;
  /** Goes back to the previous question: a button, and the editor's key for going back, resolve to its result. */
  readonly back?: () => Promise<Result | undefined>;
}

/** Options of a list with known rows. */
export interface Choice<Result> extends ListOptions<Result> {
  /** The message for a list without rows. Default: shows an empty list. */
  readonly none?: string;
  /** Takes a single row without asking, if no other choice is possible. Default: shows it. */
  readonly takesOnly?: boolean;
  /** The label of the row to start at. Default: the first. */
  readonly startAt?: string | undefined;
}

/**
 * The rows, a promise of them (meanwhile the list shows a progress bar), or a function that creates them, called again
 * after a row's button has changed them.
 */
type Rows<Value> = SomeRows<Value> | ((again: () => void) => SomeRows<Value>);

type SomeRows<Value> = readonly ChoiceRow<Value>[] | Promise<readonly ChoiceRow<Value>[]>;

/**
 * Lets the user choose one row, found by any of its texts. Undefined if the user canceled, or there was nothing to
 * choose, which is shown.
 */
export function choose<Value, Earlier = never>(
  rows: Rows<Value>,
  choice: Choice<Earlier>,
): Promise<Value | Earlier | undefined> {
  return openList<ListItem<Value>, Value | Earlier>(choice, (list, end) => {
    list.onDidAccept(() => {
      const [item] = list.selectedItems;
      if (item !== undefined) end(item.value);
    });
    fill(list, rows, choice, end);
    const [only, ...others] = list.items;
    if (choice.takesOnly === true && only !== undefined && others.length === 0) end(only.value);
  });
}

/** Lets the user check any number of rows, otherwise like `choose`. */
export function chooseMany<Value, Earlier = never>(
  rows: Rows<Value>,
  choice: Choice<Earlier>,
): Promise<readonly Value[] | Earlier | undefined> {
  return openList<ListItem<Value>, readonly Value[] | Earlier>(choice, (list, end) => {
    list.canSelectMany = true;
    list.onDidAccept(() => end(chosenValues(list.selectedItems)));
    fill(list, rows, choice, end);
  });
}

/** An item of a list with the value of its row; a heading has none. */
export interface ListItem<Value> extends vscode.QuickPickItem {
  readonly value?: Value;
}

/** Returns the values of items, without headings. */
export function chosenValues<Value>(items: readonly ListItem<Value>[]): readonly Value[] {
  return items.flatMap(({ value }) => (value === undefined ? [] : [value]));
}

/** Creates the items of rows, each after its heading. */
export function listItems<Value>(rows: readonly ChoiceRow<Value>[]): ListItem<Value>[] {
  return rows.flatMap((row, index) => {
    const { label, description = "", detail = "", icon, buttons = [] } = row;
    const { heading, group = heading, alwaysShow, picked, value } = row;
    const item = {
      value,
      ...(alwaysShow !== undefined && { alwaysShow }),
      ...(picked !== undefined && { picked }),
      label: labelText(label, maxLength),
      description: labelText(description, maxLength),
      detail: labelText(detail, maxLength),
      buttons: buttons.map((button) => ({
        ...button,
        iconPath: themeIcon(button.icon),
        tooltip: button.title,
      })),
      ...(icon !== undefined && { iconPath: themeIcon(icon) }),
    };
    const before = rows[index - 1];
    if (group === undefined || group === (before?.group ?? before?.heading)) return [item];
    const { Separator } = vscode.QuickPickItemKind;
    return [{ label: labelText(heading ?? "", maxLength), kind: Separator }, item];
  });
}

/** The maximum length of a row, which is one line; no window shows a longer one. */
const maxLength = 200;

/**
 * Shows a list that `run` fills, follows and ends. Resolves to the first result that `end` gets; undefined if the user
 * closed the list. Then disposes of the list.
 */
export function openList<Item extends vscode.QuickPickItem, Result>(
  { title, placeHolder = "", closesOnBlur = false, back }: ListOptions<Result>,
  run: (list: vscode.QuickPick<Item>, end: EndInput<Result>) => void,
): Promise<Result | undefined> {
  const list = vscode.window.createQuickPick<Item>();
  list.title = labelText(title, maxLength);
  list.placeholder = labelText(placeHolder, maxLength);
  list.matchOnDescription = true;
  list.matchOnDetail = true;
  list.ignoreFocusOut = !closesOnBlur;
  return untilEnded<Result>(list, (end) => {
    list.onDidTriggerItemButton(({ button }) => (button as Partial<RowButton>).press?.());
    if (back !== undefined) {
      list.buttons = [vscode.QuickInputButtons.Back];
      goBack(list, back, end);
    }
    run(list, end);
  });
}

function fill<Value, Result>(
  list: vscode.QuickPick<ListItem<Value>>,
  rows: Rows<Value>,
  { none, startAt }: Choice<Result>,
  end: EndInput<Result>,
): void {
  const show = (all: readonly ChoiceRow<Value>[]) => {
    if (all.length === 0 && none !== undefined) {
      void inform(none);
      return end(undefined);
    }
    list.busy = false;
    list.items = listItems(all);
    if (list.canSelectMany) list.selectedItems = list.items.filter(({ picked }) => picked);
    const start = startAt === undefined ? undefined : all.find(({ label }) => label === startAt);
    const item = start && list.items.find(({ value }) => value === start.value);
    if (item !== undefined) list.activeItems = [item];
  };
  const showOnceMade = (made: SomeRows<Value>) => {
    if (!(made instanceof Promise)) return show(made);
    list.busy = true;
    made.then(show, (error: unknown) => end(Promise.reject(error)));
  };
  const draw = (): void => showOnceMade(typeof rows === "function" ? rows(draw) : rows);
  draw();
}

/** The pause in typing before a search, in milliseconds, so that a word is not searched for letter by letter. */
const pauseMs = 150;

/**
 * Searches for the text in a list's input box, at once and after each pause in typing, while the list shows that it
 * waits. Further typing, and the end of the list, abort the search.
 */
export function searchWhileTyping(
  list: vscode.QuickPick<vscode.QuickPickItem>,
  search: (text: string, signal: AbortSignal) => Promise<void>,
): void {
  const typing = new Timer();
  const searches = new LatestRequest();
  const start = async () => {
    const signal = searches.begin();
    list.busy = true;
    await search(list.value.trim(), signal);
    if (!signal.aborted) list.busy = false;
  };
  list.onDidChangeValue(() => {
    searches.dispose();
    list.busy = true;
    typing.after(pauseMs, () => void start());
  });
  list.onDidHide(() => {
    typing.dispose();
    searches.dispose();
  });
  void start();
}
