import type * as vscode from "vscode";

/** The parts of an input box that sending its text needs. */
export type SubmittingBox = Pick<
  vscode.InputBox,
  | "value"
  | "validationMessage"
  | "enabled"
  | "busy"
  | "onDidChangeValue"
  | "onDidAccept"
  | "onDidHide"
  | "show"
  | "dispose"
>;

/** How a box deals with its text. */
export interface BoxTexts<Value> {
  /** Describes while it is typed what is wrong with a text that is not empty; empty for a valid one. */
  readonly problemOf: (text: string) => string;
  /** Sends a valid text. */
  readonly submit: (text: string, signal: AbortSignal) => Promise<Submitted<Value>>;
}

/** What became of a text: a value, or a problem to show below the box, empty for none. */
export type Submitted<Value> =
  | { readonly ok: true; readonly value: Value }
  | { readonly ok: false; readonly problem: string };

/**
 * Shows a box whose text is submitted with Enter, and which stays open with the problem until there is a value.
 * Closing it aborts what is running and resolves to undefined. Disposes of the box.
 */
export function submitInBox<Value>(
  box: SubmittingBox,
  { problemOf, submit }: BoxTexts<Value>,
): Promise<Value | undefined> {
  const stop = new AbortController();
  return new Promise((resolve) => {
    const end = (value?: Value) => {
      // The first call counts: disposing of the box hides it.
      resolve(value);
      stop.abort();
      box.dispose();
    };
    box.onDidChangeValue(() => {
      box.validationMessage = (box.value !== "" && problemOf(box.value)) || undefined;
    });
    box.onDidHide(() => {
      if (!stop.signal.aborted) end();
    });
    box.onDidAccept(async () => {
      if (box.busy) return;
      const problem = problemOf(box.value);
      if (problem !== "") {
        box.validationMessage = problem;
        return;
      }
      const setBusy = (isBusy: boolean) => {
        box.busy = isBusy;
        box.enabled = !isBusy;
      };
      setBusy(true);
      const answer = await submit(box.value, stop.signal);
      if (stop.signal.aborted) return;
      setBusy(false);
      if (answer.ok) end(answer.value);
      else box.validationMessage = answer.problem || undefined;
    });
    box.show();
  });
}
