import * as vscode from "vscode";
import type { PayloadTemplate } from "../../core/payload/payloadTemplates";
import { notificationText } from "../../core/text/plainText";

/** Says what was left out of an input that was written, and which part could not be made valid. Silent where there is nothing to say. */
export function showTemplateNotes({ leftOut, notes }: PayloadTemplate): void {
  if (leftOut !== undefined) {
    tell(
      vscode.l10n.t(
        "“$schema” was left out, since the editor would fetch what it names: {0}. Add it by hand if the skill needs it.",
        notificationText(leftOut, 200),
      ),
    );
  }
  const [first] = notes;
  if (first !== undefined) {
    tell(vscode.l10n.t("The generated payload may not be valid yet: {0}", first));
  }
}

function tell(text: string): void {
  void vscode.window.showInformationMessage(notificationText(text));
}
