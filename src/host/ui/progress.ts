import * as vscode from "vscode";
import { waitText } from "../../core/invocation/rateLimit";
import type { RegistryFailure, Result } from "../../core/registry/registryFailure";
import { orAbort, Timer, within } from "../../registry/wait";
import { hostLanguage } from "./hostLanguage";
import { showFailure } from "./showNotice";
import { unlessAborted } from "./wait";

const quietMs = 400;

/** Work that can be canceled and reports its progress, such as `12 of 50 skills`. */
type Work<Value> = (signal: AbortSignal, report: (progress: string) => void) => Promise<Value>;

/**
 * Waits for work with a notification that shows the elapsed time and a button to cancel through `cancel`. Work that
 * ends within 0.4 s shows none. Progress that the work reports stands in front of the elapsed time. Rejects as the work
 * does.
 */
export async function withProgress<Value>(
  title: string,
  work: Work<Value>,
  cancel = new AbortController(),
): Promise<Value> {
  let reported = "";
  let show = () => {};
  const result = work(cancel.signal, (text) => {
    reported = text;
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
      show = () => progress.report({ message: [reported, time].filter(Boolean).join(" · ") });
      if (reported !== "") show();
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
 * Reads something with the same notification. On a failure, calls `failed`, shows the reason and resolves to undefined.
 * Also resolves to undefined as soon as the user cancels.
 */
export async function readShown<Value>(
  title: string,
  read: Work<Result<Value>>,
  failed: (failure: RegistryFailure) => unknown = () => undefined,
): Promise<Value | undefined> {
  const answer = await withWaiting(title, read);
  if (answer === undefined || answer.ok) return answer?.value;
  await failed(answer.failure);
  void showFailure(answer.failure);
  return undefined;
}

/** Shows at the top of a view that work is in progress. */
export function showBusy(viewId: string, work: Promise<unknown>): void {
  void vscode.window.withProgress({ location: { viewId } }, () => work);
}

/** Waits for work that may be abandoned, with the same notification. Undefined as soon as the user cancels. */
export function withWaiting<Value>(title: string, work: Work<Value>): Promise<Value | undefined> {
  return withProgress(title, (signal, report) =>
    unlessAborted(orAbort(work(signal, report), signal), signal),
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
        progress.report({ message: waitText(seconds, hostLanguage()) });
        const ticking = everySecond((passed) => {
          const remaining = seconds - passed;
          if (remaining <= 0) end(true);
          else progress.report({ message: waitText(remaining, hostLanguage()) });
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
