import type * as vscode from "vscode";

/** An event like the editor's that can be fired without an editor, so that its users can be unit-tested. */
export class ChangeEvent<Value> {
  private readonly listeners = new Set<(value: Value) => unknown>();

  /** Calls `listener` with each value until the returned disposable is disposed of. */
  readonly event: vscode.Event<Value> = (listener, self, disposables) => {
    const call = (value: Value) => listener.call(self, value);
    this.listeners.add(call);
    const subscription = { dispose: () => void this.listeners.delete(call) };
    disposables?.push(subscription);
    return subscription;
  };

  fire(value: Value): void {
    for (const listener of [...this.listeners]) listener(value);
  }

  dispose(): void {
    this.listeners.clear();
  }
}
