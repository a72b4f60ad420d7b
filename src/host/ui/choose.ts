import * as vscode from "vscode";
import { labelText } from "../../core/text/plainText";
import { inform } from "./messages";

/** A row of a list to choose from. Its texts may be of a registry: they are made safe here. */
export interface ChoiceRow<Value> {
  readonly label: string;
  readonly description?: string;
  readonly detail?: string;
  /** The name of an icon of the editor. */
  readonly icon?: string;
  readonly value: Value;
}

/** What a list is shown for. */
export interface Choice {
  readonly title: string;
  readonly placeHolder?: string;
  /** What to tell where there is no row. Default: an empty list is shown. */
  readonly none?: string;
}

/**
 * Lets the user choose one row, found by any of its texts. Stays open until then: what is chosen from was often
 * read just before, when the focus may be on its way elsewhere. Undefined where the user canceled, or there was
 * nothing to choose, which is told.
 */
export async function choose<Value>(
  rows: readonly ChoiceRow<Value>[],
  { title, placeHolder = "", none }: Choice,
): Promise<Value | undefined> {
  if (rows.length === 0 && none !== undefined) {
    void inform(none);
    return undefined;
  }
  const items = rows.map(({ label, description = "", detail = "", icon, value }) => ({
    label: labelText(label),
    description: labelText(description),
    detail: labelText(detail, 200),
    ...(icon !== undefined && { iconPath: new vscode.ThemeIcon(icon) }),
    value,
  }));
  const picked = await vscode.window.showQuickPick(items, {
    title,
    placeHolder,
    matchOnDescription: true,
    matchOnDetail: true,
    ignoreFocusOut: true,
  });
  return picked?.value;
}
