import * as vscode from "vscode";
import { homeFolder } from "../../engine/files/machine";
import { isThere } from "../workspaceFile";
import { showError } from "./messages";

/** The texts and suggestion of a save dialog. */
interface SaveQuestion {
  readonly title: string;
  /** The suggested file name, in the first folder of the workspace, else in the user's home. */
  readonly name: string;
  readonly filters: Readonly<Record<string, string[]>>;
  /** The required ending of the name, which is added if missing. */
  readonly ending?: string;
}

/**
 * Asks where to save a text and saves it. Resolves to the file. Undefined if the user canceled, or if the disk failed
 * and they were notified.
 */
export async function saveText(
  question: SaveQuestion,
  text: string,
): Promise<vscode.Uri | undefined> {
  const target = await askForFile(question);
  if (target === undefined) return undefined;
  return (await writeText(target, text)) ? target : undefined;
}

/**
 * Asks where to save a file. Undefined if the user canceled. Also undefined, with a message, if a file with the added
 * ending exists, since the dialog did not ask about that one.
 */
export async function askForFile({
  title,
  name,
  filters,
  ending = "",
}: SaveQuestion): Promise<vscode.Uri | undefined> {
  const target = await vscode.window.showSaveDialog({
    title,
    filters: { ...filters },
    defaultUri: vscode.Uri.joinPath(newFilesFolder(), name),
  });
  if (target === undefined || target.path.endsWith(ending)) return target;
  const stem = ending.replace(/\.json$/, "");
  const start = [".json", stem].reduce(withoutEnd, target.path);
  const named = target.with({ path: `${start}${ending}` });
  if (!(await isThere(named))) return named;
  void showError(vscode.l10n.t("Nothing was saved: {0} is there already.", fileName(named)));
  return undefined;
}

function withoutEnd(text: string, end: string): string {
  return text.endsWith(end) ? text.slice(0, -end.length) : text;
}

/** Returns the name of a file without its folder. */
export function fileName({ path }: vscode.Uri): string {
  return path.slice(path.lastIndexOf("/") + 1);
}

/** Writes a file. Resolves to false if the disk failed, and the user was notified. */
export function writeText(target: vscode.Uri, text: string): Promise<boolean> {
  return writeBytes(target, new TextEncoder().encode(text));
}

/** Writes a binary file, as `writeText` does. */
export async function writeBytes(target: vscode.Uri, bytes: Uint8Array): Promise<boolean> {
  try {
    await vscode.workspace.fs.writeFile(target, bytes);
    return true;
  } catch (error) {
    const detail = error instanceof Error ? error.message : String(error);
    void showError(vscode.l10n.t("The file could not be saved. {0}", detail));
    return false;
  }
}

/**
 * Returns the default folder of new files: the first folder of the workspace, else the user's home. In a remote window,
 * the home also replaces a virtual folder, since the editor would look for the new file on the remote machine.
 */
export function newFilesFolder(): vscode.Uri {
  const folder = vscode.workspace.workspaceFolders?.[0]?.uri;
  const isReachable = vscode.env.remoteName === undefined || folder?.scheme === "file";
  return folder !== undefined && isReachable ? folder : vscode.Uri.file(homeFolder());
}
