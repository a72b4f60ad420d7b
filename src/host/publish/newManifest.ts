import * as vscode from "vscode";
import { nameRule, skillNameFrom } from "../../core/manifest/manifestRules";
import { localize } from "../../core/text/language";
import { editorColumn } from "../editorColumn";
import { hostLanguage } from "../ui/hostLanguage";
import { inform } from "../ui/messages";
import { ask } from "../ui/quickInput/ask";
import { newFilesFolder } from "../ui/saveText";
import { isThere } from "../workspaceFile";

/**
 * Asks for the name of a skill and opens a new, unsaved manifest for it: in the folder of new files, or in a folder of
 * its own there if that has a manifest already. A manifest that is in both places is shown instead.
 */
export async function newManifest(): Promise<void> {
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
  const document = await vscode.workspace.openTextDocument(file.with({ scheme: "untitled" }));
  const editor = await vscode.window.showTextDocument(document, {
    preview: false,
    viewColumn: editorColumn(),
  });
  await vscode.languages.setTextDocumentLanguage(document, "json");
  const snippet = new vscode.SnippetString(newManifestSnippet(name));
  await editor.insertSnippet(snippet, new vscode.Range(0, 0, 0, 0));
}

/** Returns whether a manifest is at a place, saved or not. */
async function isUsed(file: vscode.Uri): Promise<boolean> {
  const isOpen = vscode.workspace.textDocuments.some(({ uri }) => uri.path === file.path);
  return isOpen || (await isThere(file));
}

/**
 * Writes a new manifest as a snippet of the editor, indented with tabs. Tab stops stand where only the publisher knows
 * the value. `name` is a valid name of a skill, so it has no character that a snippet would interpret.
 */
function newManifestSnippet(name: string): string {
  const words = name.replaceAll("-", " ");
  const object = { type: "object", properties: {} };
  const manifest = {
    schemaVersion: "0.1",
    name,
    displayName: `${words.charAt(0).toUpperCase()}${words.slice(1)}`,
    version: "1.0.0",
    description: "$1",
    tags: ["$2"],
    runtime: { type: "http", entrypoint: "https://$3" },
    permissions: { network: false, browser: false, filesystem: "none", secrets: [] },
    inputSchema: object,
    outputSchema: object,
  };
  return `${JSON.stringify(manifest, undefined, "\t")}\n`;
}
