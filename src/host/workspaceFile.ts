import * as vscode from "vscode";
import type { TeamText } from "../core/review/files/reviewFolder";
import { decodeUtf8 } from "../core/text/decodeUtf8";
import { readRepositoryFile } from "../engine/files/repositoryFile";

/**
 * Reads a file of the workspace as text, of at most `maxBytes`. No link may lead out of `folder`, by default the file's
 * folder of the workspace. Never rejects.
 */
export async function readWorkspaceFile(
  uri: vscode.Uri,
  maxBytes: number,
  folder?: vscode.Uri,
): Promise<TeamText> {
  try {
    const found = await readWorkspaceBytes(uri, maxBytes, folder);
    if (found.kind === "notAFile") return { kind: "refused", reason: "EINVAL" };
    return found.kind === "bytes" ? { kind: "text", text: decodeUtf8(found.bytes) } : found;
  } catch (error) {
    if (error instanceof TypeError) return { kind: "notText" };
    const { code } = error as { readonly code?: unknown };
    const reason = typeof code === "string" ? code : String(error);
    return noFile.includes(reason) ? { kind: "none" } : { kind: "refused", reason };
  }
}

/** Returns the unsaved text of an open editor, else the text on disk, which an editor shows a moment later. */
export async function readEditedFile(uri: vscode.Uri, maxBytes: number): Promise<TeamText> {
  const name = uri.toString();
  const open = vscode.workspace.textDocuments.find((document) => document.uri.toString() === name);
  const saved = await readWorkspaceFile(uri, maxBytes);
  // An editor keeps showing a deleted file.
  const isEdited = saved.kind !== "none" && open?.isDirty === true;
  return isEdited ? { kind: "text", text: open.getText() } : saved;
}

/** If a part of the path is no folder, the file does not exist either. */
const noFile = ["FileNotFound", "FileNotADirectory", "ENOENT", "ENOTDIR"];

/** Returns whether a file or folder exists at a URI. */
export async function isThere(uri: vscode.Uri): Promise<boolean> {
  return vscode.workspace.fs.stat(uri).then(
    () => true,
    () => false,
  );
}

/** Reads a file of the workspace as `readRepositoryFile` does, even without a disk. Rejects if it cannot be read. */
export async function readWorkspaceBytes(
  uri: vscode.Uri,
  maxBytes: number,
  folder = vscode.workspace.getWorkspaceFolder(uri)?.uri ?? vscode.Uri.joinPath(uri, ".."),
) {
  if (uri.scheme === "file") return readRepositoryFile(folder.fsPath, uri.fsPath, maxBytes);
  const { fs } = vscode.workspace;
  const { size, type } = await fs.stat(uri);
  if ((type & vscode.FileType.File) === 0) return { kind: "notAFile" } as const;
  if (size > maxBytes) return { kind: "tooLarge" } as const;
  return { kind: "bytes", bytes: await fs.readFile(uri) } as const;
}
