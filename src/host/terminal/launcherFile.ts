import { existsSync } from "node:fs";
import { chmod } from "node:fs/promises";
import { join } from "node:path";
import * as vscode from "vscode";
import { makeFolder } from "../../engine/files/inFolder";
import { writeFileAtomic } from "../../engine/files/writeFileAtomic";
import { batchLauncher, shellLauncher } from "./launcher";

/**
 * Writes the launchers of the command line into the extension's storage, where they stay over updates. Resolves to the
 * path of this platform's launcher.
 */
export async function writeLauncher({
  extensionUri,
  globalStorageUri,
}: vscode.ExtensionContext): Promise<string> {
  const folder = folderIn(globalStorageUri);
  const script = vscode.Uri.joinPath(extensionUri, "dist", "cli.js").fsPath;
  const [shell, batch] = [join(folder, "skill-registry"), join(folder, "skill-registry.cmd")];
  const launched = { program: process.execPath, script };
  await makeFolder(folder);
  await writeFileAtomic(batch, batchLauncher({ ...launched, launcher: batch }));
  await writeFileAtomic(shell, shellLauncher({ ...launched, launcher: shell }));
  await chmod(shell, 0o700);
  return process.platform === "win32" ? batch : shell;
}

/**
 * Rewrites existing launchers, since an update moves the program that they start. The setup of agents contains the
 * launchers' paths, so these must keep working.
 */
export async function renewLauncher(context: vscode.ExtensionContext): Promise<void> {
  if (existsSync(folderIn(context.globalStorageUri))) await writeLauncher(context);
}

function folderIn(storage: vscode.Uri): string {
  return join(storage.fsPath, "bin");
}
