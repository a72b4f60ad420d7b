import { homedir } from "node:os";
import * as vscode from "vscode";

/**
 * Answers the folder that new files belong into: the workspace's first, else the user's own. Where the
 * window runs elsewhere (a container, a server), the editor would look for a new file of a folder that
 * is on no disk over there: then the user's own as well.
 */
export function homeFolder(): vscode.Uri {
  const folder = vscode.workspace.workspaceFolders?.[0]?.uri;
  const isReachable = vscode.env.remoteName === undefined || folder?.scheme === "file";
  return folder !== undefined && isReachable ? folder : vscode.Uri.file(homedir());
}
