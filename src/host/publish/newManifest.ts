import * as vscode from "vscode";
import { nameRule, skillNameFrom } from "../../core/manifest/manifestRules";
import { newManifestSnippet } from "../../core/manifest/newManifest";
import { localize } from "../../core/text/language";
import { editorColumn } from "../editorColumn";
import { hostLanguage } from "../ui/hostLanguage";
import { inform } from "../ui/messages";
import { ask } from "../ui/quickInput/ask";
import { newFilesFolder } from "../ui/saveText";
import { isThere } from "../workspaceFile";
import { chooseManifestStart, type ManifestStartParts } from "./manifestStart";

/**
 * Asks for the name of a skill and opens a new, unsaved manifest for it: in the folder of new files, or in a folder of
 * its own there if that has a manifest already. A manifest that is in both places is shown instead. The user chooses
 * where its schemas come from.
 */
export async function newManifest(parts: ManifestStartParts): Promise<void> {
  const folder = newFilesFolder();
  const language = hostLanguage();
  const name = await ask({
    title: vscode.l10n.t("New Skill Manifest"),
    prompt: vscode.l10n.t(
      "The name identifies the skill in the registry. It cannot be changed later.",
    ),
    value: skillNameFrom(folder.path.split("/").at(-1) ?? "") ?? "",
    problemOf: (text) => (skillNameFrom(text) === text ? "" : localize(nameRule, language)),
  });
  if (name === undefined) return;
  const first = vscode.Uri.joinPath(folder, "skillhub.json");
  const own = vscode.Uri.joinPath(folder, name, "skillhub.json");
  const file = (await isUsed(first)) ? own : first;
  if (await isUsed(file)) {
    const open = vscode.workspace.textDocuments.find(({ uri }) => uri.path === file.path);
    await vscode.window.showTextDocument(open ?? (await vscode.workspace.openTextDocument(file)));
    return void inform(vscode.l10n.t("{0} has a manifest already, which is shown.", name));
  }
  const start = await chooseManifestStart(parts);
  if (start === undefined) return;
  const document = await vscode.workspace.openTextDocument(file.with({ scheme: "untitled" }));
  const editor = await vscode.window.showTextDocument(document, {
    preview: false,
    viewColumn: editorColumn(),
  });
  await vscode.languages.setTextDocumentLanguage(document, "json");
  const snippet = new vscode.SnippetString(newManifestSnippet(name, start));
  await editor.insertSnippet(snippet, new vscode.Range(0, 0, 0, 0));
}

/** Returns whether a manifest is at a place, saved or not. */
async function isUsed(file: vscode.Uri): Promise<boolean> {
  const isOpen = vscode.workspace.textDocuments.some(({ uri }) => uri.path === file.path);
  return isOpen || (await isThere(file));
}
