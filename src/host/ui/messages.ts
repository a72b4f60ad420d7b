import * as vscode from "vscode";
import {
  type DialogDetail,
  dialogText,
  labelText,
  notificationText,
} from "../../core/text/plainText";

/*
 * The extension's notifications and questions. Every text may contain text of a registry: it is made safe here,
 * and nowhere else.
 */

/** Shows a notification. Resolves to the title of the pressed button; undefined where the message was closed. */
export async function inform(
  message: string,
  ...buttons: readonly string[]
): Promise<string | undefined> {
  return vscode.window.showInformationMessage(notificationText(message), ...buttons);
}

/** Warns of something, and resolves as `inform` does. */
export async function warn(
  message: string,
  ...buttons: readonly string[]
): Promise<string | undefined> {
  return vscode.window.showWarningMessage(notificationText(message), ...buttons);
}

/** Shows that something failed, and resolves as `inform` does. */
export async function showError(
  message: string,
  ...buttons: readonly string[]
): Promise<string | undefined> {
  return vscode.window.showErrorMessage(notificationText(message), ...buttons);
}

/** Long enough to read the longest of them; none needs a reaction. */
const statusMs = 8000;

/**
 * Confirms in the status bar, for a few seconds, what a command did. `icon` is the name of an icon of the editor;
 * empty for none.
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
  /** Where a line of the detail is cut, in characters. Default: 300. */
  readonly maxLineLength?: number;
}

/** Asks in a modal dialog. Resolves to the button that was pressed; undefined where the user canceled. */
export async function askModal(
  { severity, message, detail = [], maxLineLength }: ModalQuestion,
  ...buttons: readonly string[]
): Promise<string | undefined> {
  const { showInformationMessage, showWarningMessage } = vscode.window;
  const show = severity === "information" ? showInformationMessage : showWarningMessage;
  const options = { modal: true, detail: dialogText([detail].flat(), maxLineLength) };
  return show(notificationText(message), options, ...buttons);
}

/** Asks in a modal dialog whether to go on, with one button for it. Resolves to false where the user canceled. */
export async function confirm(
  question: ModalQuestion & { readonly agree: string },
): Promise<boolean> {
  return (await askModal(question, question.agree)) !== undefined;
}

/** Opens an address in the browser, which the question shows whole. */
export async function openInBrowser(question: string, address: string): Promise<boolean> {
  const agree = vscode.l10n.t("Open");
  const asked = { severity: "information", message: question, detail: address, agree } as const;
  if (!(await confirm({ ...asked, maxLineLength: address.length }))) return false;
  return vscode.env.openExternal(vscode.Uri.parse(address, true));
}
