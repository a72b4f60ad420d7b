import * as vscode from "vscode";
import { startCodeEntry, type UserSession } from "../../core/workspace/account";
import type { SignInRoutes } from "../../registry/workspace/signInRoutes";
import { hostLanguage } from "../messages/hostLanguage";
import { showFailure } from "../messages/showNotice";
import { CodeInput } from "./codeInput";

/**
 * Signs in with a code that is sent by mail: asks for the address, then for the code, with the time and
 * tries that are left. Resolves to undefined where the user gave up.
 */
export async function askForCode(
  signIn: SignInRoutes,
  title: string,
): Promise<UserSession | undefined> {
  const email = await vscode.window.showInputBox({
    title,
    prompt: vscode.l10n.t("Email address of your account; the registry sends a code there."),
    ignoreFocusOut: true,
    validateInput: (text) =>
      text === "" || isAddress(text) ? undefined : vscode.l10n.t("Enter an email address."),
  });
  if (email === undefined || !isAddress(email)) return undefined;
  const stop = new AbortController();
  const challenge = await signIn.requestCode(email.trim(), stop.signal);
  if (!challenge.ok) {
    void showFailure(challenge.failure);
    return undefined;
  }
  const entry = startCodeEntry(email.trim(), challenge.value, Date.now());
  const box = vscode.window.createInputBox();
  box.title = title;
  box.ignoreFocusOut = true;
  return new CodeInput(box, signIn, entry, resendButton(), hostLanguage()).session;
}

function isAddress(text: string): boolean {
  return /^[^\s@]{1,64}@[^\s@]{1,250}$/.test(text.trim());
}

function resendButton(): vscode.QuickInputButton {
  return { iconPath: new vscode.ThemeIcon("mail"), tooltip: vscode.l10n.t("Send a New Code") };
}
