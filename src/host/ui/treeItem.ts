import * as vscode from "vscode";
import type { RowIcon } from "../../core/skill/verification";
import type { RowText } from "../../core/skillList/rows/skillRowText";

/** Creates the item of a row, whose texts are already escaped. `more` has its tooltip and command. */
export function treeItem(
  { id, label, description, sentence, icon, context }: RowText,
  state = vscode.TreeItemCollapsibleState.None,
  more: Pick<vscode.TreeItem, "tooltip" | "command"> = {},
): vscode.TreeItem {
  return Object.assign(new vscode.TreeItem(label, state), {
    id,
    description,
    contextValue: context,
    accessibilityInformation: { label: sentence },
    ...(icon !== undefined && { iconPath: themeIcon(icon) }),
    ...more,
  });
}

/** Creates an icon of the editor from its name, or from its name and a color of the theme. */
export function themeIcon(icon: RowIcon | string): vscode.ThemeIcon {
  const { id, color }: RowIcon = typeof icon === "string" ? { id: icon } : icon;
  return new vscode.ThemeIcon(id, color === undefined ? undefined : new vscode.ThemeColor(color));
}
