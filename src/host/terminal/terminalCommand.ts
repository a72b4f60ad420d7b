import { chmod } from "node:fs/promises";
import { delimiter, dirname, join } from "node:path";
import * as vscode from "vscode";
import { makeFolder } from "../../engine/files/inFolder";
import { writeFileAtomic } from "../../engine/files/writeFileAtomic";
import { settingName } from "../settingRows";
import { readSettings } from "../settings";
import { batchLauncher, shellLauncher } from "./launcher";

/**
 * Puts `skill-registry` on the PATH of new terminals: a launcher in the extension's storage, which keeps its place over
 * updates, that runs the command line with the editor's own Node.js. Not in a window that is not trusted, and not where
 * the user turned it off. `failed` is called with the error where it could not be written.
 */
export function offerTerminalCommand(
  context: vscode.ExtensionContext,
  failed: (error: unknown) => void,
): vscode.Disposable {
  const follow = () => void apply(context).catch(failed);
  follow();
  return vscode.Disposable.from(
    vscode.workspace.onDidGrantWorkspaceTrust(follow),
    vscode.workspace.onDidChangeConfiguration((change) => {
      if (change.affectsConfiguration(settingName("terminalCommand"))) follow();
    }),
  );
}

async function apply(context: vscode.ExtensionContext): Promise<void> {
  const { environmentVariableCollection: variables } = context;
  const isWanted = () => readSettings().terminalCommand && vscode.workspace.isTrusted;
  if (!isWanted()) return variables.clear();
  const folder = dirname(await writeLauncher(context));
  // The setting may have been turned off meanwhile.
  if (!isWanted()) return variables.clear();
  variables.description = vscode.l10n.t(
    "The command skill-registry, of the Skill Registry extension.",
  );
  variables.prepend("PATH", `${folder}${delimiter}`);
}

/**
 * Writes the launchers of the command line into the extension's storage, where they stay over updates. Resolves to the
 * one for this platform.
 */
export async function writeLauncher({
  extensionUri,
  globalStorageUri,
}: vscode.ExtensionContext): Promise<string> {
  const folder = join(globalStorageUri.fsPath, "bin");
  const script = vscode.Uri.joinPath(extensionUri, "dist", "cli.js").fsPath;
  const [shell, batch] = [join(folder, "skill-registry"), join(folder, "skill-registry.cmd")];
  const launched = { program: process.execPath, script };
  await makeFolder(folder);
  await writeFileAtomic(batch, batchLauncher({ ...launched, launcher: batch }));
  await writeFileAtomic(shell, shellLauncher({ ...launched, launcher: shell }));
  await chmod(shell, 0o700);
  return process.platform === "win32" ? batch : shell;
}
