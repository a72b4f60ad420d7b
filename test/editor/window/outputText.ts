import * as vscode from "vscode";

/**
 * Returns the whole text of the output channel in the panel, including what is scrolled away. Empty if no channel is
 * shown.
 */
export function outputText(): string {
  const shown = vscode.window.visibleTextEditors.find(
    ({ document }) => document.uri.scheme === "output",
  );
  return shown?.document.getText() ?? "";
}

/**
 * Returns the newest block of the output channel in the panel: one invocation, its ID and its end. Empty if there is
 * none.
 */
export function lastBlock(): string {
  return (
    outputText()
      .split(/^(?=── )/m)
      .at(-1) ?? ""
  );
}
