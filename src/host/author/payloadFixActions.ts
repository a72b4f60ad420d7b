import * as vscode from "vscode";
import { fixAllProblems } from "../../core/payload/fixes/fixAllProblems";
import type { FixInput, PayloadFix } from "../../core/payload/fixes/payloadFix";
import { maxOfferedValues, payloadFixes } from "../../core/payload/fixes/payloadFixes";
import type { TextEdit } from "../../core/payload/fixes/textEdit";
import type { PayloadProblem } from "../../core/payload/payloadCheck";
import { localize } from "../../core/text/localizableText";
import { labelText } from "../../core/text/plainText";
import { editorCommandIds } from "../ids";
import { hostLanguage } from "../words/hostLanguage";
import type { CheckedPayload, PayloadChecks } from "./payloadChecks";
import { payloadLanguages } from "./payloadLanguages";

const fixAllKind = vscode.CodeActionKind.SourceFixAll.append("skillRegistry");

/** Offers the ways to mend the problems of a payload, each alone and the unambiguous ones together. */
export class PayloadFixActions implements vscode.CodeActionProvider {
  private readonly registration: vscode.Disposable;

  constructor(private readonly checks: PayloadChecks) {
    this.registration = vscode.languages.registerCodeActionsProvider(payloadLanguages, this, {
      providedCodeActionKinds: [vscode.CodeActionKind.QuickFix, fixAllKind],
    });
  }

  async provideCodeActions(
    document: vscode.TextDocument,
    range: vscode.Range,
    context: vscode.CodeActionContext,
  ): Promise<vscode.CodeAction[]> {
    const wantsAll = context.only?.contains(fixAllKind) ?? false;
    const wantsFixes =
      context.only === undefined || context.only.contains(vscode.CodeActionKind.QuickFix);
    if (!wantsAll && !wantsFixes) return [];
    const input = await this.newestInput(document, wantsAll);
    if (input === undefined) return [];
    if (wantsAll) return fixAllActions(document, input, fixAllKind);
    const here = input.problems.filter((problem) => rangeOf(document, problem).intersection(range));
    const actions = here.flatMap((problem) => actionsFor(document, input, problem, context));
    if (input.problems.length < 2 || here.length === 0) return actions;
    return [...actions, ...fixAllActions(document, input, vscode.CodeActionKind.QuickFix)];
  }

  dispose(): void {
    this.registration.dispose();
  }

  /** What is known of the text as it stands; a save waits for the check, the light bulb does not. */
  private async newestInput(
    document: vscode.TextDocument,
    waits: boolean,
  ): Promise<FixInput | undefined> {
    const known = this.checks.find(document);
    if (known === undefined) return undefined;
    const text = document.getText();
    const isNewest = known.text === text && known.state.kind === "checked";
    const newest = isNewest || !waits ? known : await this.checks.check(document);
    return newest?.text === text ? inputOf(newest) : undefined;
  }
}

function inputOf({ text, state }: CheckedPayload): FixInput | undefined {
  if (state.kind !== "checked") return undefined;
  return { text, problems: state.check.problems, schema: state.skill.inputSchema };
}

function actionsFor(
  document: vscode.TextDocument,
  input: FixInput,
  problem: PayloadProblem,
  { diagnostics }: vscode.CodeActionContext,
): vscode.CodeAction[] {
  const range = rangeOf(document, problem);
  const meant = diagnostics.filter(
    (shown) => shown.code === problem.code && shown.range.isEqual(range),
  );
  const actions = payloadFixes(input, problem).map((fix) => actionOf(document, fix, meant));
  const { data } = problem;
  if (data?.kind === "allowedValues" && data.total > maxOfferedValues) {
    const title = vscode.l10n.t("Choose an allowed value…");
    const choose = new vscode.CodeAction(title, vscode.CodeActionKind.QuickFix);
    const command = editorCommandIds.chooseValue;
    choose.command = { title, command, arguments: [document.uri, range, data.values] };
    choose.diagnostics = meant;
    actions.push(choose);
  }
  return actions;
}

function actionOf(
  document: vscode.TextDocument,
  { title, edits, isPreferred }: PayloadFix,
  diagnostics: vscode.Diagnostic[],
): vscode.CodeAction {
  const action = new vscode.CodeAction(
    labelText(localize(title, hostLanguage())),
    vscode.CodeActionKind.QuickFix,
  );
  action.edit = workspaceEdit(document, edits);
  action.diagnostics = diagnostics;
  action.isPreferred = isPreferred;
  return action;
}

function fixAllActions(
  document: vscode.TextDocument,
  input: FixInput,
  kind: vscode.CodeActionKind,
): vscode.CodeAction[] {
  const { edits, count } = fixAllProblems(input);
  if (edits.length === 0 || (count < 2 && kind !== fixAllKind)) return [];
  const action = new vscode.CodeAction(vscode.l10n.t("Fix all unambiguous problems"), kind);
  action.edit = workspaceEdit(document, edits);
  return [action];
}

function workspaceEdit(
  document: vscode.TextDocument,
  edits: readonly TextEdit[],
): vscode.WorkspaceEdit {
  const edit = new vscode.WorkspaceEdit();
  for (const part of edits) edit.replace(document.uri, rangeOf(document, part), part.text);
  return edit;
}

function rangeOf(
  document: vscode.TextDocument,
  { start, end }: { readonly start: number; readonly end: number },
): vscode.Range {
  return new vscode.Range(document.positionAt(start), document.positionAt(end));
}
