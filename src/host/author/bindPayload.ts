import * as vscode from "vscode";
import { slugArgument } from "../discover/slugArguments";
import type { PayloadBindings } from "./payloadBindings";
import {
  documentOnScreen,
  payloadDocument,
  payloadLanguages,
  showDocument,
} from "./payloadDocument";

/** Binds the JSON in front of the user to a skill, so that it is checked and can be invoked. */
export async function bindPayload(
  bindings: PayloadBindings,
  pickSkill: (title: string) => Promise<string | undefined>,
  argument: unknown,
): Promise<void> {
  const document = payloadDocument(argument);
  if (document === undefined) {
    await vscode.window.showInformationMessage(
      vscode.l10n.t("Open the JSON you want to bind, then run this again."),
    );
    return;
  }
  if (!payloadLanguages.some(({ language }) => language === document.languageId)) {
    const change = vscode.l10n.t("Change Language Mode");
    const answer = await vscode.window.showInformationMessage(
      vscode.l10n.t(
        "Only JSON can be bound to a skill. Set the editor's language mode to JSON first.",
      ),
      change,
    );
    if (answer !== change) return;
    await showDocument(document);
    await vscode.commands.executeCommand("workbench.action.editor.changeLanguageMode");
    return;
  }
  const slug =
    slugArgument(argument) ?? (await pickSkill(vscode.l10n.t("Bind This JSON to a Skill")));
  if (slug !== undefined) await bindings.bind(document.uri, { slug });
}

/** Opens a file where it is not open, and binds it to a skill. */
export async function useAsPayload(
  bindings: PayloadBindings,
  pickSkill: (title: string) => Promise<string | undefined>,
  argument: unknown,
): Promise<void> {
  const uri = argument instanceof vscode.Uri ? argument : documentOnScreen()?.uri;
  if (uri === undefined) return bindPayload(bindings, pickSkill, undefined);
  try {
    await showDocument(await vscode.workspace.openTextDocument(uri));
  } catch {
    void vscode.window.showInformationMessage(
      vscode.l10n.t("This file cannot be opened as text. A payload is a JSON file."),
    );
    return;
  }
  await bindPayload(bindings, pickSkill, uri);
}

/** Ends the binding of the JSON in front of the user. */
export async function unbindPayload(bindings: PayloadBindings): Promise<void> {
  const document = documentOnScreen();
  if (document !== undefined) await bindings.unbind(document.uri);
}
