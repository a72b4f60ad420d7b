import type * as vscode from "vscode";
import type { UserSession } from "../../core/account/sessions";
import {
  type CodeEntry,
  codeEntryPrompt,
  codeEntryState,
  entryFailureText,
  findCode,
  startCodeEntry,
  wrongCode,
} from "../../core/account/signIn";
import type { RegistryFailure } from "../../core/registry/registryFailure";
import type { Language } from "../../core/text/language";
import { Timer } from "../../registry/wait";
import type { SignInRoutes } from "../../registry/workspace/userRoutes";
import { type EndInput, untilEnded } from "../ui/quickInput";

/** The parts of an input box that entering a code needs. */
export type CodeBox = Pick<
  vscode.InputBox,
  | "value"
  | "placeholder"
  | "prompt"
  | "validationMessage"
  | "enabled"
  | "busy"
  | "buttons"
  | "onDidChangeValue"
  | "onDidAccept"
  | "onDidTriggerButton"
  | "onDidHide"
  | "show"
  | "dispose"
>;

/** Asks for a code in a box: counts down, and stays open until there is a session or the box is closed. */
export class CodeInput {
  /** Settles when the box has closed; undefined where that was before there was a session. */
  readonly session: Promise<UserSession | undefined>;
  private isBusy = false;
  private end: EndInput<UserSession> = () => undefined;
  private signal = new AbortController().signal;

  constructor(
    private readonly box: CodeBox,
    private readonly signIn: Pick<SignInRoutes, "requestCode" | "verifyCode">,
    private entry: CodeEntry,
    private readonly resendButton: vscode.QuickInputButton,
    private readonly language: Language,
  ) {
    box.placeholder = language.t("Six digits");
    this.session = untilEnded(box, (end, ended) => {
      this.end = end;
      this.signal = ended;
      const ticking = new Timer();
      ticking.every(1000, () => this.draw());
      ended.addEventListener("abort", () => ticking.dispose());
      box.onDidChangeValue(() => {
        box.validationMessage = undefined;
      });
      box.onDidAccept(() => this.accept());
      box.onDidTriggerButton(() => this.resend());
      this.draw();
    });
  }

  private draw(): void {
    const now = Date.now();
    const { canTry, canResend } = codeEntryState(this.entry, now);
    this.box.prompt = codeEntryPrompt(this.entry, now, this.language);
    this.box.enabled = !this.isBusy && (canTry || canResend);
    const has = this.box.buttons.length > 0;
    if (canResend !== has) this.box.buttons = canResend ? [this.resendButton] : [];
  }

  private async accept(): Promise<void> {
    const { canTry } = codeEntryState(this.entry, Date.now());
    if (this.isBusy || !canTry) return;
    const code = findCode(this.box.value);
    if (code === undefined) {
      this.box.validationMessage = this.language.t("This text contains no six-digit code.");
      return;
    }
    const { challengeId } = this.entry;
    const answer = await this.during(this.signIn.verifyCode(challengeId, code, this.signal));
    if (answer.ok) return this.end(answer.value);
    this.entry = wrongCode(this.entry, answer.failure);
    this.draw();
    this.showFailure(answer.failure);
  }

  private async resend(): Promise<void> {
    const { email } = this.entry;
    if (this.isBusy || !codeEntryState(this.entry, Date.now()).canResend) return;
    const answer = await this.during(this.signIn.requestCode(email, this.signal));
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
    this.box.validationMessage = entryFailureText(failure, "code", this.language) || undefined;
  }
}
