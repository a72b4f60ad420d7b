import * as vscode from "vscode";
import { registryName } from "../../core/invocation/record/invocationRecord";
import { type CiService, ciWorkflow, ciWorkflowPath } from "../../core/review/ciWorkflow";
import type { RegistryConnection } from "../connect/registryConnection";

/**
 * Shows a workflow that checks the skills of a folder in an unsaved editor: the user reads it, and saves it
 * or not. An existing workflow is changed only after a question, and also unsaved.
 */
export async function addCiWorkflow(
  root: vscode.WorkspaceFolder,
  connection: RegistryConnection,
  version: string,
): Promise<void> {
  const service = await chooseService();
  if (service === undefined) return;
  const current = await connection.current();
  const registry = current.ok ? current.registry : undefined;
  const registryUrl = registry === undefined || registry.isBuiltIn ? "" : registryName(registry);
  const text = ciWorkflow(service, { version, registryUrl });
  const file = vscode.Uri.joinPath(root.uri, ...ciWorkflowPath(service).split("/"));
  const isThere = await vscode.workspace.fs.stat(file).then(
    () => true,
    () => false,
  );
  if (isThere && !(await mayReplace(ciWorkflowPath(service)))) return;
  const shown = isThere ? file : file.with({ scheme: "untitled" });
  const document = await vscode.workspace.openTextDocument(shown);
  const edit = new vscode.WorkspaceEdit();
  const end = document.lineAt(document.lineCount - 1).range.end;
  edit.replace(shown, new vscode.Range(new vscode.Position(0, 0), end), text);
  await vscode.workspace.applyEdit(edit);
  await vscode.window.showTextDocument(document, { preview: false });
}

async function chooseService(): Promise<CiService | undefined> {
  const items = [
    { label: "GitHub Actions", description: ciWorkflowPath("github"), service: "github" },
    { label: "GitLab CI", description: ciWorkflowPath("gitlab"), service: "gitlab" },
  ] as const;
  const chosen = await vscode.window.showQuickPick(items, {
    title: vscode.l10n.t("Add CI Workflow"),
    placeHolder: vscode.l10n.t("It checks reviewed skills and runs suites. Nothing is saved yet."),
  });
  return chosen?.service;
}

async function mayReplace(path: string): Promise<boolean> {
  const replace = vscode.l10n.t("Replace in Editor");
  const answer = await vscode.window.showWarningMessage(
    vscode.l10n.t("{0} exists already. Replace its text?", path),
    { modal: true, detail: vscode.l10n.t("The file changes only when you save it.") },
    replace,
  );
  return answer === replace;
}
