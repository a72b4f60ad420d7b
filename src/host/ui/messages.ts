import * as vscode from "vscode";
import {
  type DialogDetail,
  dialogText,
  labelText,
  notificationText,
} from "../../core/text/plainText";

/*
 * The extension's notifications and questions. Every text may contain text from a registry. It is escaped here, and
 * nowhere else.
 */

/** Shows a notification. Resolves to the title of the pressed button; undefined if the message was closed. */
export async function inform(
  message: string,
  ...buttons: readonly string[]
): Promise<string | undefined> {
  return vscode.window.showInformationMessage(notificationText(message), ...buttons);
}

/** Shows a warning, and resolves as `inform` does. */
export async function warn(
  message: string,
  ...buttons: readonly string[]
): Promise<string | undefined> {
  return vscode.window.showWarningMessage(notificationText(message), ...buttons);
}

/** Shows an error, and resolves as `inform` does. */
export async function showError(
  message: string,
  ...buttons: readonly string[]
): Promise<string | undefined> {
  return vscode.window.showErrorMessage(notificationText(message), ...buttons);
}

/**
 * Shows a notification with one button, through `show`. Runs `act` when the button is pressed. Resolves when the
 * notification is gone.
 */
export async function offer(
  message: string,
  button: string,
  act: () => unknown,
  show: typeof inform = inform,
): Promise<void> {
  if ((await show(message, button)) === button) await act();
}

/**
 * How long a confirmation stays in the status bar, in milliseconds: enough to read the longest. None needs a reaction.
 */
const statusMs = 8000;

/**
 * Confirms a command in the status bar for a few seconds. `icon` is the name of an icon of the editor; empty for none.
 */
export function showStatus(icon: string, message: string): void {
  const text = labelText(message, 200);
  vscode.window.setStatusBarMessage(icon === "" ? text : `$(${icon}) ${text}`, statusMs);
}

/** Copies a text to the clipboard and confirms it in the status bar. */
export async function copyText(text: string, done: string): Promise<void> {
  await vscode.env.clipboard.writeText(text);
  showStatus("copy", done);
}

/** A question in a modal dialog. */
export interface ModalQuestion {
  /** Default: a warning. */
  readonly severity?: "information" | "warning";
  readonly message: string;
  readonly detail?: string | DialogDetail;
  /** The maximum length of a line in the detail, in characters. Default: 300. */
  readonly maxLineLength?: number;
}

/** Asks in a modal dialog. Resolves to the button that was pressed; undefined if the user canceled. */
export async function askModal(
  { severity, message, detail = [], maxLineLength }: ModalQuestion,
  ...buttons: readonly string[]
): Promise<string | undefined> {
  const { showInformationMessage, showWarningMessage } = vscode.window;
  const show = severity === "information" ? showInformationMessage : showWarningMessage;
  const options = { modal: true, detail: dialogText([detail].flat(), maxLineLength) };
  return show(notificationText(message), options, ...buttons);
}

/** Asks in a modal dialog whether to continue, with one button for that. Resolves to false if the user canceled. */
export async function confirm(
  question: ModalQuestion & { readonly agree: string },
): Promise<boolean> {
  return (await askModal(question, question.agree)) !== undefined;
}

/** Opens an address in the browser after a question that shows all of it. */
export async function openInBrowser(question: string, address: string): Promise<boolean> {
  const agree = vscode.l10n.t("Open");
  const asked = { severity: "information", message: question, detail: address, agree } as const;
  if (!(await confirm({ ...asked, maxLineLength: address.length }))) return false;
  return vscode.env.openExternal(vscode.Uri.parse(address, true));
}
