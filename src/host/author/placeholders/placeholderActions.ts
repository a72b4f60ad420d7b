import * as vscode from "vscode";
import { movableSecret } from "../../../core/environment/environmentsEdits";
import { findPlaceholders } from "../../../core/environment/placeholders";
import type { PayloadProblem } from "../../../core/payload/payloadCheck";
import { movedProblem } from "../../../core/suite/suiteText";
import type { EmbeddedPayloads } from "../../embeddedPayloads";
import { moveToSecret } from "../../environments/moveToSecret";
import { setSecret, setValue } from "../../environments/valueQuestions";
import type { WorkspaceEnvironments } from "../../environments/workspaceEnvironments";
import { commandIds, editorCommandIds } from "../../ids";
import { rangeIn } from "../../marks";
import { inform } from "../../ui/messages";
import { Owner } from "../../ui/owner";
import { payloadLanguages } from "../payloadBindings";
import type { PayloadChecks } from "../payloadChecks";
import { payloadDocument } from "../payloadDocument";

/**
 * Offers actions that give a placeholder its value: a secret, a value in the file, or another environment. At a
 * credential, offers to move it into a secret.
 */
export class PlaceholderActions extends Owner implements vscode.CodeActionProvider {
  constructor(
    private readonly checks: Pick<PayloadChecks, "find">,
    private readonly suites: Pick<EmbeddedPayloads, "checkedAt">,
    private readonly environments: WorkspaceEnvironments,
  ) {
    super();
    const { QuickFix, RefactorRewrite } = vscode.CodeActionKind;
    const kinds = { providedCodeActionKinds: [QuickFix, RefactorRewrite] };
    const { registerCommand } = vscode.commands;
    const forName = (run: typeof setValue) => async (uri: unknown, name: unknown) => {
      if (uri instanceof vscode.Uri && typeof name === "string") await run(environments, uri, name);
    };
    this.own(
      vscode.languages.registerCodeActionsProvider(payloadLanguages, this, kinds),
      registerCommand(editorCommandIds.setSecret, forName(setSecret)),
      registerCommand(editorCommandIds.setValue, forName(setValue)),
      registerCommand(editorCommandIds.moveToSecret, (uri, start) => this.move(uri, start)),
    );
  }

  async provideCodeActions(
    document: vscode.TextDocument,
    range: vscode.Range,
  ): Promise<vscode.CodeAction[]> {
    const here = this.problemsIn(document, document.offsetAt(range.start)).filter(
      (item) => rangeIn(document, item).intersection(range) !== undefined,
    );
    const missing = here.find(
      ({ code, data }) => code === "placeholder" || data?.kind === "undeclared",
    );
    const credential = here.find(({ data }) => data?.kind === "credential");
    const { QuickFix, RefactorRewrite } = vscode.CodeActionKind;
    return [
      ...(missing === undefined
        ? await this.changesAt(document, range, RefactorRewrite)
        : [actionOf(commandFor(document, missing), QuickFix)]),
      ...(credential === undefined ? [] : this.movesOf(document, credential, QuickFix)),
    ];
  }

  /** Offers another value for a placeholder that has one. */
  private async changesAt(
    document: vscode.TextDocument,
    range: vscode.Range,
    kind: vscode.CodeActionKind,
  ): Promise<vscode.CodeAction[]> {
    if (this.checks.find(document) === undefined) return [];
    const environment = await this.environments.of(document.uri);
    if (environment.kind !== "chosen") return [];
    const found = findPlaceholders(document.getText(), environment.declared).find(
      (placeholder) => rangeIn(document, placeholder).intersection(range) !== undefined,
    );
    if (found === undefined) return [];
    const { name } = found;
    return [actionOf(changeOf(document, name, environment.secretNames.has(name)), kind)];
  }

  private movesOf(
    document: vscode.TextDocument,
    { start, end }: PayloadProblem,
    kind: vscode.CodeActionKind,
  ): vscode.CodeAction[] {
    const isMovable = movableSecret(document.getText(), { start, end }) !== undefined;
    if (!isMovable || this.environments.folderFor(document.uri) === undefined) return [];
    const title = vscode.l10n.t("Move to a Secret…");
    const command = editorCommandIds.moveToSecret;
    return [actionOf({ title, command, arguments: [document.uri, start] }, kind)];
  }

  private async move(uri: unknown, start: unknown): Promise<void> {
    const document = uri instanceof vscode.Uri ? payloadDocument(uri) : undefined;
    if (document === undefined || typeof start !== "number") return;
    const problem = this.problemsIn(document, start).find(
      (item) => item.data?.kind === "credential" && item.start === start,
    );
    const found = problem && movableSecret(document.getText(), problem);
    if (found !== undefined) return moveToSecret(this.environments, document, found);
    await inform(
      vscode.l10n.t("The payload changed in the meantime, so nothing was written. Choose again."),
    );
  }

  /** Returns the problems of the current text: of a payload, or of the payload around an offset of a suite. */
  private problemsIn(document: vscode.TextDocument, offset: number): readonly PayloadProblem[] {
    const checked = this.checks.find(document);
    if (checked?.state.kind === "checked") {
      return checked.text === document.getText() ? checked.state.check.problems : [];
    }
    const part = this.suites.checkedAt(document, offset);
    return (part?.check.problems ?? []).map((item) => movedProblem(item, part?.from ?? 0));
  }
}

function commandFor(document: vscode.TextDocument, { data }: PayloadProblem): vscode.Command {
  if (data?.kind === "placeholder") return changeOf(document, data.name, data.isSecret);
  if (data?.kind === "undeclared") {
    const title = vscode.l10n.t("Declare “{0}”…", data.name);
    return { ...changeOf(document, data.name, false), title };
  }
  return { title: vscode.l10n.t("Choose Environment…"), command: commandIds.connect };
}

function changeOf({ uri }: vscode.TextDocument, name: string, isSecret: boolean): vscode.Command {
  return isSecret
    ? {
        title: vscode.l10n.t("Set Secret {0}…", name),
        command: editorCommandIds.setSecret,
        arguments: [uri, name],
      }
    : {
        title: vscode.l10n.t("Set Value of {0}…", name),
        command: editorCommandIds.setValue,
        arguments: [uri, name],
      };
}

function actionOf(command: vscode.Command, kind: vscode.CodeActionKind): vscode.CodeAction {
  const action = new vscode.CodeAction(command.title, kind);
  action.command = command;
  return action;
}
