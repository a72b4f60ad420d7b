import * as vscode from "vscode";
import type { RegistryFailure, Result } from "../../core/registry/registryFailure";
import { orAbort, Timer, within } from "../../registry/wait";
import { showFailure } from "./showNotice";
import { unlessAborted } from "./wait";

const quietMs = 400;

/**
 * Runs an invocation with a progress notification that shows the elapsed time and can cancel it through
 * `cancel`. One that ends within 0.4 s shows none. `call` may say how far it is; it is shown before the time.
 */
export async function withProgress<Value>(
  title: string,
  call: (signal: AbortSignal, say: (howFar: string) => void) => Promise<Value>,
  cancel = new AbortController(),
): Promise<Value> {
  let said = "";
  let show = () => {};
  const result = call(cancel.signal, (howFar) => {
    said = howFar;
    show();
  });
  const hasEnded = result.then(
    () => true,
    () => true,
  );
  if (await within(hasEnded, quietMs)) return result;
  return vscode.window.withProgress(
    { location: vscode.ProgressLocation.Notification, title, cancellable: true },
    async (progress, token) => {
      const canceling = token.onCancellationRequested(() => cancel.abort());
      let time = "";
      show = () => progress.report({ message: [said, time].filter(Boolean).join(" · ") });
      if (said !== "") show();
      const ticking = everySecond((seconds) => {
        time = `${seconds} s`;
        show();
      });
      try {
        return await result;
      } finally {
        ticking.dispose();
        canceling.dispose();
      }
    },
  );
}

/**
 * Reads something with the same notification; shows why where that fails, after `failed` was called with it. Undefined
 * then, and as soon as the user cancels.
 */
export async function readShown<Value>(
  title: string,
  read: (signal: AbortSignal, say: (howFar: string) => void) => Promise<Result<Value>>,
  failed: (failure: RegistryFailure) => unknown = () => undefined,
): Promise<Value | undefined> {
  const answer = await withWaiting(title, read);
  if (answer === undefined || answer.ok) return answer?.value;
  await failed(answer.failure);
  void showFailure(answer.failure);
  return undefined;
}

/** Shows at the top of a view that work is in progress, until it is done. */
export function showBusy(viewId: string, work: Promise<unknown>): void {
  void vscode.window.withProgress({ location: { viewId } }, () => work);
}

/** Waits for work that may be abandoned, with the same notification; undefined as soon as the user cancels. */
export function withWaiting<Value>(
  title: string,
  work: (signal: AbortSignal, say: (howFar: string) => void) => Promise<Value>,
): Promise<Value | undefined> {
  return withProgress(title, (signal, say) =>
    unlessAborted(orAbort(work(signal, say), signal), signal),
  );
}

/**
 * Waits `seconds` with a countdown that can be canceled. Resolves to true when the time is up.
 */
export function withCountdown(title: string, seconds: number): Thenable<boolean> {
  return vscode.window.withProgress(
    { location: vscode.ProgressLocation.Notification, title, cancellable: true },
    (progress, token) =>
      new Promise<boolean>((resolve) => {
        const end = (over: boolean) => {
          ticking.dispose();
          resolve(over);
        };
        progress.report({ message: `${seconds} s` });
        const ticking = everySecond((passed) => {
          const left = seconds - passed;
          if (left <= 0) end(true);
          else progress.report({ message: `${left} s` });
        });
        token.onCancellationRequested(() => end(false));
      }),
  );
}

function everySecond(tick: (seconds: number) => void): Timer {
  const start = performance.now();
  const ticking = new Timer();
  ticking.every(1000, () => tick(Math.floor((performance.now() - start) / 1000)));
  return ticking;
}
