import * as vscode from "vscode";

/**
 * Reads the output channel that is shown in the panel: its whole text, also what is scrolled away.
 * Empty where no channel is shown.
 */
export function outputText(): string {
  const shown = vscode.window.visibleTextEditors.find(
    ({ document }) => document.uri.scheme === "output",
  );
  return shown?.document.getText() ?? "";
}

/** The newest block of the output channel that is shown: one invocation, its ID and what became of it. Empty where none is. */
export function lastBlock(): string {
  return (
    outputText()
      .split(/^(?=── )/m)
      .at(-1) ?? ""
  );
}
