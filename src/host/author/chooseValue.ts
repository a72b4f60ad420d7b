import * as vscode from "vscode";
import { labelText } from "../../core/text/plainText";
import { payloadDocument, showDocument } from "./payloadDocument";

/**
 * Lets the user choose one of many allowed values (JSON texts) and writes it in place of a range.
 * Does nothing where the arguments are not what the quick fix passes, and writes nothing into a text
 * that changed in the meantime: the range may be another one in it.
 */
export async function chooseValue(uri: unknown, range: unknown, values: unknown): Promise<void> {
  const document = uri instanceof vscode.Uri ? payloadDocument(uri) : undefined;
  if (document === undefined || !(range instanceof vscode.Range) || !Array.isArray(values)) return;
  const texts = values.filter((value) => typeof value === "string");
  const { version } = document;
  const picked = await vscode.window.showQuickPick(
    texts.map((text) => ({ label: labelText(text), text })),
    { title: vscode.l10n.t("Choose an Allowed Value"), matchOnDescription: true },
  );
  if (picked === undefined) return;
  if (document.isClosed || document.version !== version) {
    void vscode.window.showInformationMessage(
      vscode.l10n.t("The payload changed in the meantime, so nothing was written. Choose again."),
    );
    return;
  }
  const editor = await showDocument(document);
  await editor.edit((edit) => edit.replace(range, picked.text));
}
