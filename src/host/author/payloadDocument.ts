import * as vscode from "vscode";

/**
 * Finds the document a payload command is meant for: the one whose address was passed, if it is
 * open, else the one on the screen. Undefined where there is neither.
 */
export function payloadDocument(argument: unknown): vscode.TextDocument | undefined {
  return argument instanceof vscode.Uri ? openDocument(argument) : documentOnScreen();
}

/**
 * Finds the document of the active editor. The Output panel's text is an editor too, and takes that
 * part when it is clicked; the document in the editor area stays the one that is meant.
 */
export function documentOnScreen(): vscode.TextDocument | undefined {
  const document = vscode.window.activeTextEditor?.document;
  if (document !== undefined && document.uri.scheme !== "output") return document;
  const shown = vscode.window.tabGroups.activeTabGroup.activeTab?.input;
  return shown instanceof vscode.TabInputText ? openDocument(shown.uri) : undefined;
}

function openDocument(uri: vscode.Uri): vscode.TextDocument | undefined {
  const address = uri.toString();
  return vscode.workspace.textDocuments.find((open) => open.uri.toString() === address);
}

/** Shows a document where it is visible already, or in the active column. */
export async function showDocument(document: vscode.TextDocument): Promise<vscode.TextEditor> {
  const address = document.uri.toString();
  const visible = vscode.window.visibleTextEditors.find(
    (editor) => editor.document.uri.toString() === address,
  );
  const column = visible?.viewColumn;
  return vscode.window.showTextDocument(document, {
    preview: false,
    ...(column === undefined ? {} : { viewColumn: column }),
  });
}

/** The languages of documents that may be payloads. */
export const payloadLanguages = [{ language: "json" }, { language: "jsonc" }];
