import * as vscode from "vscode";
import { eventually } from "../eventually";

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

/** Gives what the output channel that is shown has more than now, each time it is asked. */
export function followOutput(): () => string {
  const { length } = outputText();
  return () => outputText().slice(length);
}

/** Waits until the output channel that is shown has what `pattern` describes: it shows it after it was written. */
export async function outputHas(pattern: RegExp): Promise<void> {
  await eventually(`${pattern} in the output`, () => pattern.test(outputText()));
}

/** The newest block of the output channel that is shown: one invocation, its ID and what became of it. Empty where none is. */
export function lastBlock(): string {
  return (
    outputText()
      .split(/^(?=── )/m)
      .at(-1) ?? ""
  );
}
