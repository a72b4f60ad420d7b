import * as vscode from "vscode";
import { type DialogDetail, dialogText, notificationText } from "../../core/text/plainText";

/** A question in a modal dialog. All of it may contain text of a registry. */
interface ModalQuestion {
  readonly severity: "information" | "warning";
  readonly message: string;
  readonly detail: DialogDetail;
  /** Where a line of the detail is cut, in characters. Default: 300. */
  readonly maxLineLength?: number;
}

/** Asks in a modal dialog. Resolves to the button that was pressed; undefined where the user canceled. */
export async function askModal(
  { severity, message, detail, maxLineLength }: ModalQuestion,
  ...buttons: readonly string[]
): Promise<string | undefined> {
  const { showInformationMessage, showWarningMessage } = vscode.window;
  const show = severity === "warning" ? showWarningMessage : showInformationMessage;
  const options = { modal: true, detail: dialogText(detail, maxLineLength) };
  return show(notificationText(message, 400), options, ...buttons);
}
