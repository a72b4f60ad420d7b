import type * as vscode from "vscode";

/** Names documents, so that one that is closed and opened anew under the same address is another one. */
export class DocumentNames {
  private readonly names = new WeakMap<vscode.TextDocument, string>();
  private count = 0;

  /** Answers the name of a document, the same as long as it is open. */
  nameOf(document: vscode.TextDocument): string {
    const known = this.names.get(document);
    if (known !== undefined) return known;
    this.count += 1;
    const fresh = `${document.uri} ${this.count}`;
    this.names.set(document, fresh);
    return fresh;
  }
}
