import * as vscode from "vscode";

/**
 * Finds the document a payload command is meant for: the one whose address was passed, if it is
 * open, else the active editor's. Undefined where there is neither.
 */
export function payloadDocument(argument: unknown): vscode.TextDocument | undefined {
  if (!(argument instanceof vscode.Uri)) return vscode.window.activeTextEditor?.document;
  const address = argument.toString();
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
