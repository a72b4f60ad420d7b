import * as vscode from "vscode";
import { registryName } from "../../core/invocation/record/invocationRecord";
import {
  type CiService,
  ciWorkflow,
  ciWorkflowPath,
  cliFiles,
  cliFolder,
  cliPackage,
} from "../../core/review/ciWorkflow";
import { maxTextBytes } from "../../engine/files/repositoryFile";
import type { ConnectedRegistry } from "../connect/registryConnection";
import { wholeTextEdit } from "../marks";
import { openFile } from "../ui/documents";
import { confirm, showError } from "../ui/messages";
import { choose } from "../ui/quickInput/choose";
import { isThere, readWorkspaceBytes } from "../workspaceFile";

/**
 * Shows a workflow that checks the skills of a folder in an unsaved editor: the user reads it, and saves it
 * or not. An existing workflow is changed only after a question, and also unsaved. The command line that it runs is
 * written into the folder, after a question as well; `extension` is where it comes from.
 */
export async function addCiWorkflow(
  root: vscode.WorkspaceFolder,
  registry: ConnectedRegistry,
  extension: vscode.Uri,
): Promise<void> {
  const service = await chooseService();
  if (service === undefined) return;
  const text = ciWorkflow(service, { registryUrl: registryName(registry) });
  const file = vscode.Uri.joinPath(root.uri, ...ciWorkflowPath(service).split("/"));
  const isReplaced = await isThere(file);
  if (isReplaced && !(await mayReplace(ciWorkflowPath(service)))) return;
  if (!(await hasCommandLine(root, extension))) return;
  const shown = isReplaced ? file : file.with({ scheme: "untitled" });
  const document = await openFile(shown);
  if (document === undefined) return;
  await vscode.workspace.applyEdit(wholeTextEdit(document, text));
  await vscode.window.showTextDocument(document, { preview: false });
}

/** Brings the files of the command line along that are missing in a folder, or of another version. */
async function hasCommandLine(
  root: vscode.WorkspaceFolder,
  extension: vscode.Uri,
): Promise<boolean> {
  const { fs } = vscode.workspace;
  const sources = cliFiles.map(async (name) => {
    const bytes = await fs.readFile(vscode.Uri.joinPath(extension, "dist", name));
    return [name, bytes] as const;
  });
  const [packageName, packageText] = cliPackage;
  const files = [...(await Promise.all(sources)), [packageName, Buffer.from(packageText)] as const];
  const missing: { readonly uri: vscode.Uri; readonly bytes: Uint8Array }[] = [];
  for (const [name, bytes] of files) {
    const uri = vscode.Uri.joinPath(root.uri, ...cliFolder.split("/"), name);
    const found = await readWorkspaceBytes(uri, maxTextBytes).catch(() => undefined);
    if (found?.kind === "outside") {
      void showError(
        vscode.l10n.t("{0} is a link that leads out of the folder. Remove it first.", cliFolder),
      );
      return false;
    }
    const isSame = found?.kind === "bytes" && Buffer.compare(found.bytes, bytes) === 0;
    if (!isSame) missing.push({ uri, bytes });
  }
  if (missing.length > 0 && !(await mayWrite(missing.map(({ bytes }) => bytes.length)))) {
    return false;
  }
  for (const { uri, bytes } of missing) await fs.writeFile(uri, bytes);
  return true;
}

async function mayWrite(sizes: readonly number[]): Promise<boolean> {
  const kilobytes = Math.ceil(sizes.reduce((sum, size) => sum + size, 0) / 1000);
  return confirm({
    message: vscode.l10n.t("Add the command line to this repository?"),
    detail: vscode.l10n.t(
      "The workflow runs it with Node.js: {0} files, {1} KB, in {2}. Commit them with the workflow.",
      sizes.length,
      kilobytes,
      cliFolder,
    ),
    agree: vscode.l10n.t("Add Command Line"),
  });
}

function chooseService(): Promise<CiService | undefined> {
  const rows = [
    { label: "GitHub Actions", description: ciWorkflowPath("github"), value: "github" },
    { label: "GitLab CI", description: ciWorkflowPath("gitlab"), value: "gitlab" },
  ] as const;
  return choose<CiService>(rows, {
    title: vscode.l10n.t("Add CI Workflow"),
    placeHolder: vscode.l10n.t("It checks reviewed skills and runs suites. Nothing is saved yet."),
    closesOnBlur: true,
  });
}

function mayReplace(path: string): Promise<boolean> {
  return confirm({
    message: vscode.l10n.t("{0} exists already. Replace its text?", path),
    detail: vscode.l10n.t("The file changes only when you save it."),
    agree: vscode.l10n.t("Replace in Editor"),
  });
}
