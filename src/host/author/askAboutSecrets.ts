import * as vscode from "vscode";
import { type FoundSecret, findSecrets } from "../../core/payload/findSecrets";
import { localize } from "../../core/text/localizableText";
import { hostLanguage } from "../messages/hostLanguage";
import { showDocument } from "./payloadDocument";

/** What is about to be done with a text. */
export type SecretUse = "send" | "copy";

/**
 * Stops before a text is sent or copied that seems to hold a credential (`key` is the Project Key in
 * use): goes to the places and asks. Resolves to true where there is none, or the user does it this once.
 */
export async function askAboutSecrets(
  use: SecretUse,
  document: vscode.TextDocument,
  text: string,
  key: string | undefined,
): Promise<boolean> {
  const found = findSecrets(text, key === undefined ? [] : [key]);
  const [first] = found;
  if (first === undefined) return true;
  const editor = await showDocument(document);
  const places = found.map(
    ({ start, end }) => new vscode.Selection(document.positionAt(start), document.positionAt(end)),
  );
  editor.selections = places;
  const line = document.positionAt(first.start).line;
  editor.revealRange(document.lineAt(line).range, vscode.TextEditorRevealType.InCenter);
  const { goOn, detail } = wordsFor(use);
  const message = questionFor(use, line + 1, first, found.length - 1);
  const answer = await vscode.window.showWarningMessage(message, { modal: true, detail }, goOn);
  return answer === goOn;
}

function questionFor(use: SecretUse, line: number, { kind }: FoundSecret, more: number): string {
  const secret = localize(kind, hostLanguage());
  if (use === "send") {
    return more === 0
      ? vscode.l10n.t("Line {0} appears to contain {1}. Send anyway?", line, secret)
      : vscode.l10n.t(
          "Line {0} appears to contain {1} (and {2} more). Send anyway?",
          line,
          secret,
          more,
        );
  }
  return more === 0
    ? vscode.l10n.t("Line {0} appears to contain {1}. Copy anyway?", line, secret)
    : vscode.l10n.t(
        "Line {0} appears to contain {1} (and {2} more). Copy anyway?",
        line,
        secret,
        more,
      );
}

function wordsFor(use: SecretUse): { readonly goOn: string; readonly detail: string } {
  return use === "send"
    ? {
        goOn: vscode.l10n.t("Send This Once"),
        detail: vscode.l10n.t(
          "Whoever runs the skill could use it. Remove it from the payload, or send it this once if the skill is meant to have it.",
        ),
      }
    : {
        goOn: vscode.l10n.t("Copy This Once"),
        detail: vscode.l10n.t(
          "The copied text would contain it in plain sight. Remove it from the payload, or copy it this once.",
        ),
      };
}
