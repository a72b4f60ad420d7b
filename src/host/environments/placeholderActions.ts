import * as vscode from "vscode";
import { environmentsPath } from "../../core/environment/environmentsFile";
import { shortestSecret } from "../../core/environment/payloadEnvironment";
import type { PayloadProblem } from "../../core/payload/payloadCheck";
import { payloadLanguages } from "../author/payloadBindings";
import type { PayloadChecks } from "../author/payloadChecks";
import { commandIds, editorCommandIds } from "../ids";
import { rangeIn } from "../marks";
import { Owner } from "../ui/owner";
import { ask } from "../ui/quickInput/ask";
import type { WorkspaceEnvironments } from "./workspaceEnvironments";

/** Offers what gives a placeholder without a value one: a secret, the file, or another environment. */
export class PlaceholderActions extends Owner implements vscode.CodeActionProvider {
  constructor(
    private readonly checks: Pick<PayloadChecks, "find">,
    private readonly environments: WorkspaceEnvironments,
  ) {
    super();
    const kinds = { providedCodeActionKinds: [vscode.CodeActionKind.QuickFix] };
    this.own(
      vscode.languages.registerCodeActionsProvider(payloadLanguages, this, kinds),
      vscode.commands.registerCommand(editorCommandIds.setSecret, (uri, name) =>
        this.setSecret(uri, name),
      ),
    );
  }

  async provideCodeActions(
    document: vscode.TextDocument,
    range: vscode.Range,
  ): Promise<vscode.CodeAction[]> {
    const state = this.checks.find(document)?.state;
    if (state?.kind !== "checked") return [];
    const found = state.check.problems.find(
      (one) =>
        one.code === "placeholder" && rangeIn(document, one).intersection(range) !== undefined,
    );
    return found === undefined ? [] : [await this.actionFor(document, found)];
  }

  private async actionFor(
    { uri }: vscode.TextDocument,
    { data }: PayloadProblem,
  ): Promise<vscode.CodeAction> {
    if (data?.kind !== "placeholder") {
      const title = vscode.l10n.t("Choose Environment…");
      return actionOf({ title, command: commandIds.connect });
    }
    const { name, isSecret } = data;
    if (isSecret) {
      const title = vscode.l10n.t("Set Secret {0}…", name);
      return actionOf({ title, command: editorCommandIds.setSecret, arguments: [uri, name] });
    }
    const title = vscode.l10n.t("Set Value of {0}…", name);
    const folder = (await this.environments.inUse(uri))?.folder.uri ?? uri;
    const file = vscode.Uri.joinPath(folder, environmentsPath);
    return actionOf({ title, command: "vscode.open", arguments: [file] });
  }

  private async setSecret(uri: unknown, name: unknown): Promise<void> {
    const found = uri instanceof vscode.Uri ? await this.environments.inUse(uri) : undefined;
    if (found === undefined || typeof name !== "string" || !found.secrets.has(name)) return;
    const value = await ask({
      title: vscode.l10n.t("Set Secret {0}…", name),
      prompt: vscode.l10n.t(
        "Its value for {0} stays in the editor's secret storage and is sent to {1} only.",
        found.name,
        found.registry,
      ),
      password: true,
      problemOf: (text) =>
        text.trim().length < shortestSecret
          ? vscode.l10n.t("A secret has at least {0} characters.", shortestSecret)
          : "",
    });
    if (value !== undefined) await this.environments.secrets.set(found, name, value);
  }
}

function actionOf(command: vscode.Command): vscode.CodeAction {
  const action = new vscode.CodeAction(command.title, vscode.CodeActionKind.QuickFix);
  action.command = command;
  return action;
}
