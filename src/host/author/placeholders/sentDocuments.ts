import * as vscode from "vscode";
import { editorCommandIds, sentScheme } from "../../ids";
import { Documents, unavailableText } from "../../ui/documents";
import { fileName } from "../../ui/saveText";
import type { PayloadChecks } from "../payloadChecks";
import { payloadDocument } from "../payloadDocument";

/**
 * Shows the sent text of payloads as read-only documents: with the values of the environment in use, and dots in place
 * of secrets. They follow their payload.
 */
export class SentDocuments extends Documents {
  constructor(private readonly checks: Pick<PayloadChecks, "check" | "find" | "onDidChange">) {
    super(sentScheme);
    this.own(
      vscode.commands.registerCommand(editorCommandIds.showSent, (uri) => this.show(uri)),
      checks.onDidChange(({ uri }) => {
        const name = this.addressOf(uri).toString();
        const { textDocuments } = vscode.workspace;
        if (textDocuments.some((open) => open.uri.toString() === name)) {
          this.reread(this.addressOf(uri));
        }
      }),
    );
  }

  private async show(uri: unknown): Promise<void> {
    const document = payloadDocument(uri);
    if (document === undefined || (await this.checks.check(document)) === undefined) return;
    await this.openAt(this.addressOf(document.uri), vscode.ViewColumn.Beside);
  }

  /** Uses the last check. A check of its own would make the editor reread the document again and again. */
  protected textOf({ query }: vscode.Uri): string {
    const name = new URLSearchParams(query).get("payload");
    const document = vscode.workspace.textDocuments.find(({ uri }) => uri.toString() === name);
    const resolution = document && this.checks.find(document)?.resolution;
    if (resolution?.ok === true) return resolution.value.written?.shown ?? resolution.value.text;
    const [problem] = resolution?.check.problems ?? [];
    const unavailable =
      problem?.message ?? vscode.l10n.t("The payload is not open, or not checked.");
    return unavailableText(unavailable);
  }

  private addressOf(payload: vscode.Uri): vscode.Uri {
    const name = fileName(payload).replace(/(?:\.skill-input)?\.jsonc?$/, "");
    return this.uriOf(`/${name}.sent.json`, { payload: payload.toString() });
  }
}
