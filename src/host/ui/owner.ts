import type * as vscode from "vscode";

/** Has a part disposed of with the extension. Returns the part. */
export type Register = <Part extends vscode.Disposable>(part: Part) => Part;

/** Owns what a part of the extension creates, and disposes of it with the part, the last first. */
export abstract class Owner implements vscode.Disposable {
  private readonly owned: vscode.Disposable[] = [];
  private readonly ending = new AbortController();

  /** Fires when the part is disposed of, for what it has begun. */
  protected readonly untilDisposed = this.ending.signal;

  dispose(): void {
    this.ending.abort();
    for (const part of this.owned.splice(0).reverse()) part.dispose();
  }

  /** Takes over what was created; at once disposes of it where this part is disposed of already. Returns the first. */
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
