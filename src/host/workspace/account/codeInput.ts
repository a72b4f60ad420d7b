import type * as vscode from "vscode";
import type { UserSession } from "../../../core/account/sessions";
import {
  type CodeEntry,
  codeEntryPrompt,
  codeEntryState,
  entryFailureText,
  findCode,
  startCodeEntry,
  wrongCode,
} from "../../../core/account/signIn";
import type { Language } from "../../../core/text/language";
import { Timer } from "../../../registry/wait";
import type { SignInRoutes } from "../../../registry/workspace/userRoutes";
import { submitInBox } from "../../ui/quickInput/quickInput";

/**
 * Asks for the code from the email in an input box that shows the remaining time. The box stays open until the user is
 * signed in. Resolves to undefined if the user closes it first.
 */
export function enterCode(
  box: vscode.InputBox,
  signIn: Pick<SignInRoutes, "requestCode" | "verifyCode">,
  first: CodeEntry,
  resendButton: vscode.QuickInputButton,
  language: Language,
): Promise<UserSession | undefined> {
  let entry = first;
  const draw = () => {
    const now = Date.now();
    const { canTry, canResend } = codeEntryState(entry, now);
    box.prompt = codeEntryPrompt(entry, now, language);
    box.enabled = !box.busy && (canTry || canResend);
    const hasButton = box.buttons.length > 0;
    if (canResend !== hasButton) box.buttons = canResend ? [resendButton] : [];
  };
  const resend = async (ended: AbortSignal) => {
    const { email } = entry;
    if (box.busy || !codeEntryState(entry, Date.now()).canResend) return;
    box.busy = true;
    draw();
    const answer = await signIn.requestCode(email, ended);
    box.busy = false;
    if (answer.ok) {
      entry = startCodeEntry(email, answer.value, Date.now());
      box.value = "";
    }
    box.validationMessage = answer.ok
      ? undefined
      : entryFailureText(answer.failure, "code", language) || undefined;
    draw();
  };
  box.placeholder = language.t("Six digits");
  return submitInBox<UserSession>(box, {
    problemOf: () => "",
    submit: async (text, ended) => {
      const problem = (of: string) => ({ ok: false, problem: of }) as const;
      if (!codeEntryState(entry, Date.now()).canTry) return problem("");
      const code = findCode(text);
      if (code === undefined) return problem(language.t("This text contains no six-digit code."));
      const answer = await signIn.verifyCode(entry.challengeId, code, ended);
      if (answer.ok) return answer;
      entry = wrongCode(entry, answer.failure);
      draw();
      return problem(entryFailureText(answer.failure, "code", language));
    },
    opened: (ended) => {
      const ticking = new Timer();
      ticking.every(1000, draw);
      ended.addEventListener("abort", () => ticking.dispose());
      box.onDidTriggerButton(() => resend(ended));
      draw();
    },
  });
}
