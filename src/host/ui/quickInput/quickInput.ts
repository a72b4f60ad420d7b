import type * as vscode from "vscode";

/** Ends a list or an input box with a result, or with that of a promise. */
export type EndInput<Result> = (result: Result | undefined | Promise<Result | undefined>) => void;

/**
 * Shows a list or an input box that `run` fills, follows and ends. Resolves to the first result that `end` gets;
 * undefined if the user closed it. Then fires the signal and disposes of it.
 */
export function untilEnded<Result>(
  input: vscode.QuickInput,
  run: (end: EndInput<Result>, ended: AbortSignal) => void,
): Promise<Result | undefined> {
  const stop = new AbortController();
  return new Promise((resolve) => {
    const end: EndInput<Result> = (result) => {
      // Resolve first: disposing of the input hides it, which calls `end` again.
      resolve(result);
      if (stop.signal.aborted) return;
      stop.abort();
      input.dispose();
    };
    input.onDidHide(() => end(undefined));
    run(end, stop.signal);
    if (!stop.signal.aborted) input.show();
  });
}

/** Makes every button at the top of an input go back to the previous question, and resolve to its result. */
export function goBack<Result>(
  { onDidTriggerButton }: Pick<vscode.InputBox, "onDidTriggerButton">,
  back: () => Promise<Result | undefined>,
  end: EndInput<Result>,
): void {
  // Start the previous question only after this input is hidden: hiding it later would hide the new input too.
  onDidTriggerButton(() => end(Promise.resolve().then(back)));
}

/** The texts and actions of an input box. */
export interface BoxTexts<Value, Earlier = never> {
  /** Describes the problem of a non-empty text while typing; empty for a valid text. */
  readonly problemOf: (text: string) => string;
  /** Sends a valid text. */
  readonly submit: (text: string, signal: AbortSignal) => Promise<Submitted<Value>>;
  /** Called when the box opens, with a signal that fires when it closes. */
  readonly opened?: (ended: AbortSignal) => void;
  /** Goes back to the previous question, at a button of the box. */
  readonly back?: (() => Promise<Earlier | undefined>) | undefined;
}

/** The result of a text: a value, or a problem to show below the box; empty for none. */
export type Submitted<Value> =
  | { readonly ok: true; readonly value: Value }
  | { readonly ok: false; readonly problem: string };

/**
 * Shows an input box whose text is submitted with Enter. It stays open and shows the problem until a submission returns
 * a value. Closing it aborts the running submission and resolves to undefined. Disposes of the box.
 */
export function submitInBox<Value, Earlier = never>(
  box: vscode.InputBox,
  { problemOf, submit, opened, back }: BoxTexts<Value, Earlier>,
): Promise<Value | Earlier | undefined> {
  return untilEnded<Value | Earlier>(box, (end, ended) => {
    if (back !== undefined) goBack(box, back, end);
    opened?.(ended);
    box.onDidChangeValue(() => {
      box.validationMessage = (box.value !== "" && problemOf(box.value)) || undefined;
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
      const answer = await submit(box.value, ended);
      if (ended.aborted) return;
      setBusy(false);
      if (answer.ok) end(answer.value);
      else box.validationMessage = answer.problem || undefined;
    });
  });
}

const goneBack = Symbol("back");

/** The result of a question that the user left by going back. */
export type GoneBack = typeof goneBack;

/** The way back from one of several questions; nothing for the first. */
export interface Step {
  readonly back?: () => Promise<GoneBack>;
}

/**
 * Asks one question after the other, each with a step back to the previous one, whose earlier answer is `before`.
 * Undefined if the user canceled one.
 */
export async function askInTurn<Answers extends readonly unknown[]>(
  ...questions: {
    readonly [Index in keyof Answers]: (
      step: Step,
      before: Answers[Index] | undefined,
    ) => Promise<Answers[Index] | GoneBack | undefined>;
  }
): Promise<Answers | undefined> {
  const answers: unknown[] = [];
  for (let at = 0; at < questions.length; ) {
    const step: Step = at === 0 ? {} : { back: async () => goneBack };
    const answer = await questions[at]?.(step, answers[at]);
    if (answer === undefined) return undefined;
    if (answer !== goneBack) answers[at] = answer;
    at += answer === goneBack ? -1 : 1;
  }
  return answers as unknown as Answers;
}
