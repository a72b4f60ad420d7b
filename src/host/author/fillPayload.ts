import * as vscode from "vscode";
import { indentedJson, textStyle } from "../../core/payload/fixes/textEdit";
import {
  type PayloadTemplate,
  payloadTemplate,
  type TemplateKind,
  templateKinds,
} from "../../core/payload/payloadTemplates";
import type { SkillDetail } from "../../core/skill/skill";
import { labelText } from "../../core/text/plainText";
import { chooseTemplate, showTemplateNotes } from "./newPayload";
import type { PayloadChecks } from "./payloadChecks";
import { payloadDocument, payloadLanguages, showDocument } from "./payloadDocument";

/** Replaces the payload in front of the user by an example or a generated input of their choice. */
export async function fillPayload(checks: PayloadChecks, argument: unknown): Promise<void> {
  const document = payloadDocument(argument);
  const checked = document === undefined ? undefined : await checks.check(document);
  if (document === undefined || checked?.state.kind !== "checked") {
    await vscode.window.showInformationMessage(
      vscode.l10n.t(
        "This editor is not bound to a skill that can be read. Run “Skill Registry: Bind This JSON to a Skill…” first.",
      ),
    );
    return;
  }
  const template = await chooseTemplate(
    checked.state.skill,
    checks.sample,
    vscode.l10n.t("Fill This Payload"),
  );
  if (template === undefined) return;
  await showDocument(document);
  await vscode.workspace.applyEdit(templateEdit(document, template));
  showTemplateNotes(template);
}

/** A fill that is made when it is chosen. */
class FillAction extends vscode.CodeAction {
  constructor(
    readonly document: vscode.TextDocument,
    readonly skill: SkillDetail,
    readonly template: TemplateKind,
    kind: vscode.CodeActionKind,
  ) {
    super(labelText(titleOf(skill, template)), kind);
  }
}

/** Offers the examples and generated inputs as code actions of every bound document. */
export class PayloadFillActions implements vscode.CodeActionProvider<FillAction> {
  private readonly registration: vscode.Disposable;

  constructor(private readonly checks: PayloadChecks) {
    this.registration = vscode.languages.registerCodeActionsProvider(payloadLanguages, this, {
      providedCodeActionKinds: [vscode.CodeActionKind.RefactorRewrite],
    });
  }

  provideCodeActions(
    document: vscode.TextDocument,
    _range: vscode.Range,
    { only, triggerKind }: vscode.CodeActionContext,
  ): FillAction[] {
    const isEmpty = document.getText().trim() === "";
    // Else the light bulb would be lit wherever the cursor stands.
    if (!isEmpty && triggerKind === vscode.CodeActionTriggerKind.Automatic) return [];
    const kind = isEmpty ? vscode.CodeActionKind.QuickFix : vscode.CodeActionKind.RefactorRewrite;
    const state = this.checks.find(document)?.state;
    if (state?.kind !== "checked" || only?.contains(kind) === false) return [];
    const { skill } = state;
    return templateKinds(skill).map((template) => new FillAction(document, skill, template, kind));
  }

  async resolveCodeAction(action: FillAction): Promise<FillAction> {
    const { document, skill } = action;
    const template = await payloadTemplate(skill, action.template, this.checks.sample);
    if (template !== undefined) action.edit = templateEdit(document, template);
    return action;
  }

  dispose(): void {
    this.registration.dispose();
  }
}

function titleOf(skill: SkillDetail, kind: TemplateKind): string {
  if (kind === "minimal") return vscode.l10n.t("Fill with required properties");
  if (kind === "full") return vscode.l10n.t("Fill with all properties");
  const name = skill.examples[kind]?.name ?? "";
  return vscode.l10n.t("Fill from example {0}: {1}", kind + 1, name);
}

function templateEdit(
  document: vscode.TextDocument,
  { value }: PayloadTemplate,
): vscode.WorkspaceEdit {
  const style = textStyle(document.getText());
  const edit = new vscode.WorkspaceEdit();
  const whole = new vscode.Range(0, 0, document.lineCount, 0);
  edit.replace(document.uri, whole, indentedJson(value, style, "") + style.lineEnd);
  return edit;
}
