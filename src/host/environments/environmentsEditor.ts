import * as vscode from "vscode";
import { readEnvironments } from "../../core/environment/environmentsFile";
import { environmentsPath } from "../../core/environment/environmentsPath";
import { wholeTextEdit } from "../marks";
import { openFile } from "../ui/documents";
import { hostLanguage } from "../ui/hostLanguage";
import { showError } from "../ui/messages";
import { writeText } from "../ui/saveText";
import { isThere } from "../workspaceFile";

/** Returns the URI of a folder's environments file. */
export function environmentsUri({ uri }: vscode.WorkspaceFolder): vscode.Uri {
  return vscode.Uri.joinPath(uri, environmentsPath);
}

/**
 * Edits the environments of a folder in an editor, including any unsaved text, and saves them. Resolves to whether they
 * were written. If not, shows the user the reason.
 */
export async function editEnvironments(
  folder: vscode.WorkspaceFolder,
  edit: (text: string) => string,
): Promise<boolean> {
  const document = await openFile(environmentsUri(folder));
  if (document === undefined) return false;
  const before = document.getText();
  const isReadable = (text: string) => readEnvironments(text, hostLanguage()).ok;
  const text = isReadable(before) ? edit(before) : before;
  if (!isReadable(text)) {
    void showError(
      vscode.l10n.t("{0} has a problem, so nothing was written to it.", environmentsPath),
    );
    return false;
  }
  if (text === before && !document.isDirty) return true;
  // The editor rejects an edit of a text that changed meanwhile.
  const isEdited = await vscode.workspace.applyEdit(wholeTextEdit(document, text));
  if (isEdited && (await document.save())) return true;
  void showError(vscode.l10n.t("{0} could not be saved.", environmentsPath));
  return false;
}

/** Writes the first environments of a folder. Resolves to false if some exist, or the disk failed. */
export async function createEnvironments(
  folder: vscode.WorkspaceFolder,
  text: string,
): Promise<boolean> {
  const uri = environmentsUri(folder);
  return !(await isThere(uri)) && writeText(uri, text);
}
