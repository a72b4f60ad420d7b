import { readFile } from "node:fs/promises";
import * as vscode from "vscode";
import { registryName } from "../../core/registry/registryName";
import {
  type CiService,
  ciWorkflow,
  ciWorkflowPath,
  type PublishedCli,
  readPublishedCli,
} from "../../core/review/ciWorkflow";
import type { ConnectedRegistry } from "../connect/registryConnection";
import { wholeTextEdit } from "../marks";
import { openFile } from "../ui/documents";
import { confirm } from "../ui/messages";
import { choose } from "../ui/quickInput/choose";
import { isThere } from "../workspaceFile";

/**
 * Opens an unsaved editor with a CI workflow that checks the skills of a folder. Asks first if a workflow exists, and
 * changes it in its editor without saving. `extension` is the extension's folder; its build contains the name of the
 * matching command line.
 */
export async function addCiWorkflow(
  root: vscode.WorkspaceFolder,
  registry: ConnectedRegistry,
  extension: vscode.Uri,
): Promise<void> {
  const cli = await publishedCli(extension);
  const chosen = await chooseWorkflow(cli);
  if (chosen === undefined) return;
  const { service, isDownloaded } = chosen;
  const text = ciWorkflow(service, { registryUrl: registryName(registry), cli, isDownloaded });
  const file = vscode.Uri.joinPath(root.uri, ...ciWorkflowPath(service).split("/"));
  const isReplaced = await isThere(file);
  if (isReplaced && !(await mayReplace(ciWorkflowPath(service)))) return;
  const shown = isReplaced ? file : file.with({ scheme: "untitled" });
  const document = await openFile(shown);
  if (document === undefined) return;
  await vscode.workspace.applyEdit(wholeTextEdit(document, text));
  await vscode.window.showTextDocument(document, { preview: false });
}

async function publishedCli(extension: vscode.Uri): Promise<PublishedCli> {
  const file = vscode.Uri.joinPath(extension, "dist", "commandLine.json");
  const text = await readFile(file.fsPath, "utf8");
  const cli = readPublishedCli(text);
  if (cli === undefined) throw new Error("The build does not say which command line it has.");
  return cli;
}

/** A CI service, and whether its workflow downloads the command line instead of using npx. */
interface ChosenWorkflow {
  readonly service: CiService;
  readonly isDownloaded: boolean;
}

function chooseWorkflow({
  name,
  version,
  file,
}: PublishedCli): Promise<ChosenWorkflow | undefined> {
  const cli = `${name} ${version}`;
  const npx = { detail: vscode.l10n.t("Runs {0} with npx.", cli), isDownloaded: false };
  const download = {
    detail: vscode.l10n.t("Downloads {0} and checks its hash.", cli),
    isDownloaded: true,
  };
  const ways = file === undefined ? [npx] : [npx, download];
  const services = [
    { label: "GitHub Actions", service: "github" },
    { label: "GitLab CI", service: "gitlab" },
  ] as const;
  const rows = services.flatMap(({ label, service }) =>
    ways.map(({ detail, isDownloaded }) => {
      const value = { service, isDownloaded };
      return { label, description: ciWorkflowPath(service), detail, value };
    }),
  );
  return choose<ChosenWorkflow>(rows, {
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
