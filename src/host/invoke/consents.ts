import * as vscode from "vscode";
import {
  agreedTerms,
  readAgreements,
  withAgreement,
} from "../../core/invocation/consent/agreements";
import { type CallTarget, consentQuestion } from "../../core/invocation/consent/consentQuestion";
import type { Terms } from "../../core/invocation/consent/terms";
import { termsChanged } from "../../core/invocation/consent/termsDifference";
import { notificationText } from "../../core/text/plainText";
import { hostLanguage } from "../words/hostLanguage";

const memoryName = "agreements";

/** Remembers what the user agreed to, and asks where the terms of a call are new or have changed. */
export class Consents {
  constructor(private readonly memory: vscode.Memento) {}

  /** Resolves to true where the user agrees, or agreed before to the same terms. */
  async obtain(terms: Terms, target: CallTarget): Promise<boolean> {
    const before = agreedTerms(this.agreements(), terms);
    const isKnown = before?.version === terms.version && !termsChanged(before, terms);
    const isPriceKnown = terms.isPriceUnanswered !== true;
    if (isKnown && isPriceKnown) return true;
    const { message, detail, agree } = consentQuestion(terms, before, target, hostLanguage());
    const answer = await vscode.window.showWarningMessage(
      notificationText(message, 200),
      { modal: true, detail: detail.map((line) => notificationText(line, 300)).join("\n") },
      agree,
    );
    if (answer !== agree) return false;
    if (!isPriceKnown) return true;
    // A memory that does not take it asks again next time; the call has its answer.
    this.memory
      .update(memoryName, withAgreement(this.agreements(), terms))
      .then(undefined, () => undefined);
    return true;
  }

  private agreements(): readonly Terms[] {
    return readAgreements(this.memory.get(memoryName));
  }
}
