import * as vscode from "vscode";
import { outputScheme } from "./ids";
import { partOf } from "./ui/documents";

/** Returns whether a tab shows a result. Results have their own side of the window. */
export function isResultTab(tab: vscode.Tab | undefined): boolean {
  const input = tab?.input;
  return (
    input instanceof vscode.TabInputText &&
    input.uri.scheme === outputScheme &&
    partOf(input.uri, "extent") === undefined &&
    partOf(input.uri, "text") === undefined
  );
}

/**
 * Returns the column for a page or payload: the active one. If that shows a result, the one beside it, so that results
 * and payloads do not swap sides.
 */
export function editorColumn(): vscode.ViewColumn {
  const { all, activeTabGroup } = vscode.window.tabGroups;
  if (!isResultTab(activeTabGroup.activeTab)) return vscode.ViewColumn.Active;
  const { viewColumn } = activeTabGroup;
  const others = all.map((group) => group.viewColumn).filter((column) => column !== viewColumn);
  const before = others.filter((column) => column < viewColumn);
  return before.at(-1) ?? others[0] ?? vscode.ViewColumn.Active;
}

/** Returns the column for a past result: the one with results, so that it covers no payload; else the active one. */
export function resultColumn(): vscode.ViewColumn {
  const { all } = vscode.window.tabGroups;
  const group = all.find(({ activeTab }) => isResultTab(activeTab));
  return group?.viewColumn ?? vscode.ViewColumn.Active;
}
