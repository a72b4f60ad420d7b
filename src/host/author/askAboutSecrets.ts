import * as vscode from "vscode";
import { findSecrets } from "../../core/payload/findSecrets";
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
  const more = found.length > 1 ? ` and ${found.length - 1} more like it` : "";
  const send = "Send This Once";
  const answer = await vscode.window.showWarningMessage(
    `Not sent yet: line ${line + 1} seems to hold ${first.kind}${more}.`,
    {
      modal: true,
      detail:
        "Whoever runs the skill could use it. Remove it from the input, or send it this once if the skill is meant to have it.",
    },
    send,
  );
  return answer === send;
}
