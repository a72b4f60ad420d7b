import * as vscode from "vscode";
import { changedPart } from "../../../core/payload/fixes/textEdit";
import type { DocumentMove } from "../../author/payloadBindings";
import { openDocument, showDocument } from "../../author/payloadDocument";
import { workspaceEdit } from "../../marks";
import { fileName } from "../../ui/saveText";

/** The URI of a payload without a document. In a workspace with a single folder, it belongs to that folder. */
export const newPayloadUri = vscode.Uri.from({ scheme: "untitled", path: "form" });

/** Why a document no longer has the text of a form: nobody has it open, or it refused a change. */
type Loss = "closed" | "unchangeable";

/**
 * The text of a form's payload. Its document holds it, so that the form, the editor and undo have one text. Without a
 * document, and after it was closed, the form holds the text itself.
 */
export class FormText {
  /** The document's URI, also after it was closed: its environment replaces the placeholders. */
  uri = newPayloadUri;
  private document: vscode.TextDocument | undefined;
  /** The text without a document; with one, its last text that was not empty. */
  private own = "";
  private loss: Loss | undefined;
  private readonly watching: vscode.Disposable;

  /** Calls `changed` when something else than `write` may have changed the text, its document or its note. */
  constructor(
    payload: string | vscode.TextDocument,
    onDidMove: vscode.Event<DocumentMove>,
    private readonly changed: () => void,
  ) {
    if (typeof payload === "string") this.own = payload;
    else this.attach(payload);
    this.watching = vscode.Disposable.from(
      vscode.workspace.onDidChangeTextDocument(({ document }) => {
        if (document !== this.document) return;
        // The editor empties an untitled document before it closes it.
        this.own = document.getText() || this.own;
        this.changed();
      }),
      // The event also fires for a new language mode, with the document still open.
      vscode.workspace.onDidCloseTextDocument((document) => {
        if (document === this.document && document.isClosed) this.lose("closed", this.own);
      }),
      onDidMove((move) => void this.follow(move)),
    );
  }

  /** The text now. */
  get text(): string {
    return this.document?.getText() ?? this.own;
  }

  /** The URI of the document that the form edits; undefined for none. */
  get editedUri(): string | undefined {
    return this.document && this.uri.toString();
  }

  /** Says which document the form edits, or why no longer; empty for a form that never had one. */
  get note(): string {
    const name = fileName(this.uri);
    if (this.document !== undefined) return vscode.l10n.t("This form edits {0}.", name);
    if (this.loss === undefined) return "";
    return this.loss === "closed"
      ? vscode.l10n.t("{0} was closed. This form keeps its payload.", name)
      : vscode.l10n.t("{0} cannot be changed. This form keeps your payload.", name);
  }

  /**
   * Replaces the part of the text that differs. Resolves to false if the text is no longer `before`. A document that
   * refuses the change keeps its text, and the form holds the new one.
   */
  async write(before: string, after: string): Promise<boolean> {
    const { document } = this;
    if (this.text !== before) return false;
    if (document === undefined) this.own = after;
    if (document === undefined || before === after) return true;
    const edit = workspaceEdit(document, [changedPart(before, after)]);
    if (await vscode.workspace.applyEdit(edit)) return true;
    if (this.document !== document || document.getText() !== before) return false;
    this.lose("unchangeable", after);
    return true;
  }

  /** Shows the document. Without one, `open` shows the text in a new one, which then holds it. */
  async show(open: (text: string) => Promise<vscode.TextEditor>): Promise<void> {
    if (this.document?.isClosed === false) {
      await showDocument(this.document);
      return;
    }
    const { own } = this;
    const { document } = await open(own);
    if (this.document !== undefined || this.own !== own || document.isClosed) return;
    this.attach(document);
    this.changed();
  }

  dispose(): void {
    this.watching.dispose();
  }

  private attach(document: vscode.TextDocument): void {
    this.document = document;
    this.uri = document.uri;
    this.loss = undefined;
    this.own = document.getText();
  }

  private lose(loss: Loss, own: string): void {
    this.document = undefined;
    this.loss = loss;
    this.own = own;
    this.changed();
  }

  /** Continues with the renamed document. The editor may close the old one before or after this. */
  private async follow({ from, to }: DocumentMove): Promise<void> {
    const before = this.uri.toString();
    if (this.uri === newPayloadUri || (before !== from && !before.startsWith(`${from}/`))) return;
    const { own } = this;
    const uri = vscode.Uri.parse(to.toString() + before.slice(from.length), true);
    const document =
      openDocument(uri) ??
      (await Promise.resolve(vscode.workspace.openTextDocument(uri)).catch(() => undefined));
    // A form that was changed since its document was closed keeps its change.
    const isMine = document !== undefined && this.uri.toString() === before && this.own === own;
    if (!isMine || this.loss === "unchangeable") return;
    this.attach(document);
    this.changed();
  }
}
