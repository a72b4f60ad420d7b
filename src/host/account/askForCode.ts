import * as vscode from "vscode";
import type { RegistryFailure } from "../../core/registry/registryFailure";
import type { UserSession } from "../../core/workspace/account";
import {
  type CodeEntry,
  codeEntryPrompt,
  codeEntryState,
  codeFailureText,
  findCode,
  startCodeEntry,
  wrongCode,
} from "../../core/workspace/signIn";
import type { SignInRoutes } from "../../registry/workspace/signInRoutes";
import { hostLanguage } from "../messages/hostLanguage";
import { showFailure } from "../messages/showNotice";

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
  return new CodeInput(signIn, title, entry).session;
}

function isAddress(text: string): boolean {
  return /^[^\s@]{1,64}@[^\s@]{1,250}$/.test(text.trim());
}

/** The input box for a code: counts down, and stays open until there is a session or it is closed. */
class CodeInput {
  /** Settles when the box has closed. */
  readonly session: Promise<UserSession | undefined>;
  private readonly box = vscode.window.createInputBox();
  private readonly language = hostLanguage();
  private readonly stop = new AbortController();
  private readonly ticking: NodeJS.Timeout;
  private isBusy = false;
  private end: (session?: UserSession) => void = () => undefined;

  constructor(
    private readonly signIn: SignInRoutes,
    title: string,
    private entry: CodeEntry,
  ) {
    const { box } = this;
    box.title = title;
    box.ignoreFocusOut = true;
    box.placeholder = vscode.l10n.t("Six digits");
    this.session = new Promise((resolve) => {
      this.end = (session) => {
        // What comes first counts: closing the box ends it once more.
        resolve(session);
        clearInterval(this.ticking);
        this.stop.abort();
        box.dispose();
      };
    });
    box.onDidChangeValue(() => {
      box.validationMessage = undefined;
    });
    box.onDidAccept(() => this.accept());
    box.onDidTriggerButton(() => this.resend());
    box.onDidHide(() => this.end());
    this.ticking = setInterval(() => this.draw(), 1000);
    this.draw();
    box.show();
  }

  private draw(): void {
    const now = Date.now();
    const { canTry, canResend } = codeEntryState(this.entry, now);
    this.box.prompt = codeEntryPrompt(this.entry, now, this.language);
    this.box.enabled = !this.isBusy && (canTry || canResend);
    const has = this.box.buttons.length > 0;
    if (canResend !== has) this.box.buttons = canResend ? [resendButton()] : [];
  }

  private async accept(): Promise<void> {
    const { canTry } = codeEntryState(this.entry, Date.now());
    if (this.isBusy || !canTry) return;
    const code = findCode(this.box.value);
    if (code === undefined) {
      this.box.validationMessage = vscode.l10n.t("This text contains no six-digit code.");
      return;
    }
    const { challengeId } = this.entry;
    const answer = await this.during(this.signIn.verifyCode(challengeId, code, this.stop.signal));
    if (answer.ok) return this.end(answer.value);
    this.entry = wrongCode(this.entry, answer.failure);
    this.showFailure(answer.failure);
  }

  private async resend(): Promise<void> {
    const { email } = this.entry;
    if (this.isBusy || !codeEntryState(this.entry, Date.now()).canResend) return;
    const answer = await this.during(this.signIn.requestCode(email, this.stop.signal));
    if (!answer.ok) return this.showFailure(answer.failure);
    this.entry = startCodeEntry(email, answer.value, Date.now());
    this.box.value = "";
    this.box.validationMessage = undefined;
    this.draw();
  }

  private async during<Value>(work: Promise<Value>): Promise<Value> {
    this.isBusy = true;
    this.box.busy = true;
    this.draw();
    const value = await work;
    this.isBusy = false;
    this.box.busy = false;
    this.draw();
    return value;
  }

  private showFailure(failure: RegistryFailure): void {
    this.box.validationMessage = codeFailureText(failure, this.language) || undefined;
  }
}

function resendButton(): vscode.QuickInputButton {
  return { iconPath: new vscode.ThemeIcon("mail"), tooltip: vscode.l10n.t("Send a New Code") };
}
