import * as vscode from "vscode";
import { indentedJson, textStyle } from "../../core/payload/fixes/textEdit";
import { unfilledSnippet, unfilledStops } from "../../core/payload/fixes/unfilledSnippet";
import { bindingTo, type PayloadBinding, payloadFileName } from "../../core/payload/payloadBinding";
import {
  fillTitle,
  type MakeSample,
  type PayloadTemplate,
  payloadTemplate,
  payloadTemplates,
  sampleTemplate,
  type TemplateKind,
  templateKinds,
  templateTitle,
  textWithoutSchemaAddress,
} from "../../core/payload/payloadTemplates";
import { isSameVersion } from "../../core/skill/isNewerVersion";
import type { SkillDetail } from "../../core/skill/skill";
import type { SkillAddress } from "../../core/skill/skillAddress";
import { oneLine } from "../../core/text/plainText";
import { editorColumn } from "../editorColumn";
import type { SkillDetails } from "../inspect/skillDetails";
import { rangeIn, wholeTextEdit, workspaceEdit } from "../marks";
import { hostLanguage } from "../ui/hostLanguage";
import { inform } from "../ui/messages";
import { Owner } from "../ui/owner";
import { readShown } from "../ui/progress";
import { choose } from "../ui/quickInput/choose";
import { newFilesFolder } from "../ui/saveText";
import { isThere } from "../workspaceFile";
import { type PayloadBindings, payloadLanguages } from "./payloadBindings";
import type { PayloadChecks } from "./payloadChecks";
import { checkedPayload, indentFor, showDocument } from "./payloadDocument";

/** The dependencies of opening a payload for a named skill. */
interface NewPayloadParts {
  readonly bindings: PayloadBindings;
  readonly unfilled: PayloadChecks["unfilled"];
  readonly sample: MakeSample;
  readonly details: SkillDetails;
}

/** Opens a new payload for the skill with this slug, or shows why the skill cannot be read. */
export async function openNewPayloadFor(
  parts: NewPayloadParts,
  slug: string,
  kind?: TemplateKind,
): Promise<void> {
  const skill = await readSkill(parts, slug);
  if (skill !== undefined) await openNewPayload(skill, parts, kind);
}

/** Lets the user choose the starting point of a new payload for a skill, and opens it. */
export async function askForNewPayload(parts: NewPayloadParts, slug: string): Promise<void> {
  const skill = await readSkill(parts, slug);
  const title = vscode.l10n.t("New Payload for Skill");
  const template = skill && (await chooseTemplate(skill, parts.sample, title));
  if (skill && template) await openTemplate(skill, parts, template);
}

function readSkill({ details }: NewPayloadParts, slug: string): Promise<SkillDetail | undefined> {
  return readShown(vscode.l10n.t("Loading {0}", slug), () => details.find(slug));
}

/**
 * Opens a new payload for a skill: of the given `kind`, else the first example that matches the schema, else one made
 * from the schema.
 */
export async function openNewPayload(
  skill: SkillDetail,
  parts: Omit<NewPayloadParts, "details">,
  kind?: TemplateKind,
): Promise<vscode.TextEditor> {
  const { sample } = parts;
  const requested = kind === undefined ? undefined : await payloadTemplate(skill, kind, sample);
  if (requested !== undefined) return openTemplate(skill, parts, requested);
  return openTemplate(skill, parts, await sampleTemplate(skill, "example", sample));
}

async function openTemplate(
  { summary }: SkillDetail,
  { bindings, unfilled }: Pick<NewPayloadParts, "bindings" | "unfilled">,
  template: PayloadTemplate,
): Promise<vscode.TextEditor> {
  const indent = indentFor(folderFor(bindings));
  const text = `${JSON.stringify(template.value, undefined, indent)}\n`;
  const editor = await openPayloadText(summary, text, bindings);
  await startFilling(editor, template);
  unfilled.add(summary.slug, editor.document.getText(), template.empty.length);
  showTemplateNotes(template);
  return editor;
}

/** Puts a tab stop at each value that a template left to the user, with the cursor at the first. */
async function startFilling(editor: vscode.TextEditor, { empty }: PayloadTemplate): Promise<void> {
  const { document } = editor;
  const stops = unfilledSnippet(document.getText(), empty);
  if (stops === undefined) return;
  const snippet = new vscode.SnippetString(stops.snippet);
  await editor.insertSnippet(snippet, rangeIn(document, stops), {
    undoStopBefore: false,
    undoStopAfter: false,
    keepWhitespace: true,
  });
}

/** Returns the folder that *Save* proposes for a new payload. */
function folderFor(bindings: PayloadBindings): vscode.Uri {
  return bindings.lastFolder ?? newFilesFolder();
}

/**
 * Opens a text as a new, unsaved payload for a skill, or a version of it. Its name binds it to the skill wherever the
 * user saves it. If a payload with the same skill, version and text is open, shows that instead.
 */
export async function openPayloadText(
  skill: SkillAddress,
  text: string,
  bindings: PayloadBindings,
): Promise<vscode.TextEditor> {
  const binding = bindingTo(skill);
  const same = vscode.workspace.textDocuments.find(
    (open) => isSameBinding(bindings.find(open.uri), binding) && open.getText() === text,
  );
  if (same !== undefined) {
    const editor = await showDocument(same);
    // A document that is being closed at this moment reopens without its text.
    if (editor.document.getText() !== "") return editor;
  }
  // The path needs a folder. Without one, the editor would lose the text of an untitled document on reload, and save it
  // at the root of the disk.
  const uri = same?.isUntitled
    ? same.uri
    : (await freePayloadFile(folderFor(bindings), binding.slug)).with({ scheme: "untitled" });
  await bindings.bind(uri, binding);
  const document = await vscode.workspace.openTextDocument(uri);
  await vscode.workspace.applyEdit(wholeTextEdit(document, text));
  await vscode.languages.setTextDocumentLanguage(document, "json");
  // Set afterwards, the selection would move the cursor of a user who already types.
  return vscode.window.showTextDocument(document, {
    preview: false,
    viewColumn: editorColumn(),
    selection: new vscode.Range(0, 0, 0, 0),
  });
}

/**
 * Opens a JSON text from elsewhere as a new payload, without a `$schema` that the editor would download. Reports that
 * it was removed.
 */
export async function openForeignPayload(
  skill: SkillAddress,
  foreign: string,
  bindings: PayloadBindings,
): Promise<void> {
  const { text, removedSchema } = textWithoutSchemaAddress(foreign);
  await openPayloadText(skill, text, bindings);
  showTemplateNotes({ removedSchema, notes: [] });
}

function isSameBinding(found: PayloadBinding | undefined, expected: PayloadBinding): boolean {
  return found?.slug === expected.slug && isSameVersion(found.version, expected.version);
}

/** Finds an unused name for a file in a folder. The name binds the file to a skill. */
export async function freePayloadFile(folder: vscode.Uri, slug: string): Promise<vscode.Uri> {
  for (let number = 1; ; number += 1) {
    const file = vscode.Uri.joinPath(folder, payloadFileName(slug, number));
    // Names that differ only in case are one file on most machines.
    const path = file.path.toLowerCase();
    const isTaken = vscode.workspace.textDocuments.some(
      (open) => open.uri.path.toLowerCase() === path,
    );
    if (!isTaken && !(await isThere(file))) return file;
  }
}

/** Reads the kind of payload from a command's argument: `minimal`, `full` or the number of an example, from 0. */
export function templateArgument(argument: unknown): TemplateKind | undefined {
  if (argument === "minimal" || argument === "full") return argument;
  return Number.isInteger(argument) && Number(argument) >= 0 ? Number(argument) : undefined;
}

/**
 * Lets the user choose the content of a payload for a skill. Asks only if there are several sensible choices. Undefined
 * if they canceled.
 */
async function chooseTemplate(
  skill: SkillDetail,
  makeSample: MakeSample,
  title: string,
): Promise<PayloadTemplate | undefined> {
  const templates = await payloadTemplates(skill, makeSample);
  const language = hostLanguage();
  return choose(
    templates.map((template) => ({
      label: templateTitle(skill, template.kind, language),
      detail: JSON.stringify(template.value),
      value: template,
    })),
    { title, placeHolder: vscode.l10n.t("Choose a starting point"), takesOnly: true },
  );
}

/**
 * Reports the part that was removed from a new payload, and the part that may be invalid. Shows nothing if there is
 * neither.
 */
function showTemplateNotes({
  removedSchema,
  notes,
}: Pick<PayloadTemplate, "removedSchema" | "notes">): void {
  if (removedSchema !== undefined) {
    void inform(
      vscode.l10n.t(
        "“$schema” was left out because the editor would download it: {0}. Add it by hand if the skill needs it.",
        oneLine(removedSchema, 200),
      ),
    );
  }
  const [first] = notes;
  if (first !== undefined) {
    void inform(vscode.l10n.t("The generated payload may not be valid yet: {0}", first));
  }
}

/** Replaces the active payload by an example or a generated payload that the user chooses. */
export async function fillPayload(checks: PayloadChecks, argument: unknown): Promise<void> {
  const checked = await checkedPayload(checks, argument);
  if (checked === undefined) return;
  const { document, skill } = checked;
  const template = await chooseTemplate(skill, checks.sample, vscode.l10n.t("Fill This Payload"));
  if (template === undefined) return;
  const editor = await showDocument(document);
  await vscode.workspace.applyEdit(wholeTextEdit(document, templateText(document, template)));
  await startFilling(editor, template);
  checks.unfilled.add(skill.summary.slug, document.getText(), template.empty.length);
  showTemplateNotes(template);
}

/** A code action that generates its payload when it is chosen. */
class FillAction extends vscode.CodeAction {
  constructor(
    readonly document: vscode.TextDocument,
    readonly skill: SkillDetail,
    readonly template: TemplateKind,
    kind: vscode.CodeActionKind,
  ) {
    super(fillTitle(skill, template, hostLanguage()), kind);
  }
}

/** Offers the examples and generated payloads as code actions of every bound document. */
export class PayloadFillActions extends Owner implements vscode.CodeActionProvider<FillAction> {
  constructor(private readonly checks: PayloadChecks) {
    super();
    this.own(
      vscode.languages.registerCodeActionsProvider(payloadLanguages, this, {
        providedCodeActionKinds: [vscode.CodeActionKind.RefactorRewrite],
      }),
    );
  }

  provideCodeActions(
    document: vscode.TextDocument,
    _range: vscode.Range,
    { only, triggerKind }: vscode.CodeActionContext,
  ): FillAction[] {
    const isEmpty = document.getText().trim() === "";
    // Otherwise the light bulb would appear at every position.
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
    if (template === undefined) return action;
    const text = templateText(document, template);
    const stops = unfilledStops(text, template.empty);
    const whole = { start: 0, end: document.getText().length, text, stops };
    action.edit = workspaceEdit(document, [whole]);
    this.checks.unfilled.add(skill.summary.slug, text, template.empty.length);
    return action;
  }
}

function templateText(document: vscode.TextDocument, { value }: PayloadTemplate): string {
  const style = textStyle(document.getText(), indentFor(document.uri));
  return indentedJson(value, style, "") + style.lineEnd;
}
