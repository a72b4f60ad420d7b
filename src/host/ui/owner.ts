import type * as vscode from "vscode";

/** Disposes of a part with the extension. Returns the part. */
export type Register = <Part extends vscode.Disposable>(part: Part) => Part;

/** Owns the objects that a part of the extension creates, and disposes of them with the part, the last first. */
export abstract class Owner implements vscode.Disposable {
  private readonly owned: vscode.Disposable[] = [];
  private readonly ending = new AbortController();

  /** Fires when the part is disposed of, to end its work. */
  protected readonly untilDisposed: AbortSignal = this.ending.signal;

  dispose(): void {
    this.ending.abort();
    for (const part of this.owned.splice(0).reverse()) part.dispose();
  }

  /** Takes ownership of objects. Disposes of them at once if this part is already disposed of. Returns the first. */
  protected own<Part extends vscode.Disposable>(
    part: Part,
    ...others: readonly vscode.Disposable[]
  ): Part {
    for (const one of [part, ...others]) {
      if (this.untilDisposed.aborted) one.dispose();
      else this.owned.push(one);
    }
    return part;
  }
}
