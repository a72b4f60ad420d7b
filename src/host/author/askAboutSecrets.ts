import * as vscode from "vscode";
import { findSecrets } from "../../core/payload/findSecrets";
import { spoken } from "../../core/text/wording";
import { hostLanguage } from "../words/hostLanguage";
import { showDocument } from "./payloadDocument";

/**
 * Stops before a text is sent that seems to hold a credential (`key` is the Project Key in use): goes
 * to the places and asks. Resolves to true where there is none, or the user sends it this once.
 */
export async function askAboutSecrets(
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
  const kind = spoken(first.kind, hostLanguage());
  const send = vscode.l10n.t("Send This Once");
  const answer = await vscode.window.showWarningMessage(
    found.length === 1
      ? vscode.l10n.t("Not sent yet: line {0} seems to hold {1}.", line + 1, kind)
      : vscode.l10n.t(
          "Not sent yet: line {0} seems to hold {1} and {2} more like it.",
          line + 1,
          kind,
          found.length - 1,
        ),
    {
      modal: true,
      detail: vscode.l10n.t(
        "Whoever runs the skill could use it. Remove it from the input, or send it this once if the skill is meant to have it.",
      ),
    },
    send,
  );
  return answer === send;
}
