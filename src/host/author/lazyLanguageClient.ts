import type * as vscode from "vscode";
import type { LanguageClient } from "../../language/languageClient";
import { hostTexts } from "../messages/hostLanguage";

/** Loads the client of the language thread with the first question; one for the whole window. */
export class LazyLanguageClient implements vscode.Disposable {
  private client: Promise<LanguageClient> | undefined;

  /** `workerPath` is the thread's bundle. */
  constructor(private readonly workerPath: string) {}

  get(): Promise<LanguageClient> {
    this.client ??= import("../../language/languageClient").then(
      ({ LanguageClient }) =>
        new LanguageClient({ workerPath: this.workerPath, language: hostTexts() }),
    );
    return this.client;
  }

  dispose(): void {
    void this.client?.then((client) => client.dispose());
  }
}

/** Asks until the editor no longer waits: then the answer is undefined. */
export async function unlessCancelled<Answer>(
  token: vscode.CancellationToken,
  ask: (signal: AbortSignal) => Promise<Answer>,
): Promise<Answer | undefined> {
  const controller = new AbortController();
  const subscription = token.onCancellationRequested(() => controller.abort());
  try {
    return token.isCancellationRequested ? undefined : await ask(controller.signal);
  } catch (error) {
    if (controller.signal.aborted) return undefined;
    throw error;
  } finally {
    subscription.dispose();
  }
}
