import * as vscode from "vscode";
import { notificationText } from "../../core/text/plainText";
import { homeFolder } from "../homeFolder";

/** What a save dialog says and suggests. */
export interface SaveQuestion {
  readonly title: string;
  /** The file's name, suggested in the first folder of the workspace, else in the user's own. */
  readonly name: string;
  readonly filters: Readonly<Record<string, string[]>>;
}

/**
 * Asks where to save a text and saves it; `write` makes it for the file chosen. Resolves to the file,
 * or to undefined where the user gave up or the disk refused, which is told.
 */
export async function saveText(
  { title, name, filters }: SaveQuestion,
  write: (target: vscode.Uri) => string,
): Promise<vscode.Uri | undefined> {
  const target = await vscode.window.showSaveDialog({
    title,
    filters: { ...filters },
    defaultUri: vscode.Uri.joinPath(homeFolder(), name),
  });
  if (target === undefined) return undefined;
  try {
    await vscode.workspace.fs.writeFile(target, new TextEncoder().encode(write(target)));
    return target;
  } catch (error) {
    const detail = error instanceof Error ? error.message : String(error);
    void vscode.window.showErrorMessage(
      notificationText(vscode.l10n.t("The file could not be saved. {0}", detail), 400),
    );
    return undefined;
  }
}
