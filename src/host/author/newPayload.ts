import * as vscode from "vscode";
import type { PayloadBinding } from "../../core/payload/payloadBinding";
import { payloadFileName } from "../../core/payload/payloadFileName";
import {
  type MakeSample,
  type PayloadTemplate,
  payloadTemplate,
  sampleTemplate,
  type TemplateKind,
} from "../../core/payload/payloadTemplates";
import type { SkillDetail } from "../../core/skill/skill";
import { homeFolder } from "../homeFolder";
import type { SkillDetails } from "../inspect/skillDetails";
import { showFailure } from "../words/showNotice";
import { chooseTemplate } from "./chooseTemplate";
import type { PayloadBindings } from "./payloadBindings";
import { showDocument } from "./payloadDocument";
import { showTemplateNotes } from "./showTemplateNotes";

/** What opening an input for a named skill needs. */
export interface NewPayloadParts {
  readonly bindings: PayloadBindings;
  readonly sample: MakeSample;
  readonly details: SkillDetails;
}

/** Opens a new input for the skill of that slug, or tells why it cannot be read. */
export async function openNewPayloadFor(
  parts: NewPayloadParts,
  slug: string,
  kind?: TemplateKind,
): Promise<void> {
  const found = await parts.details.find(slug);
  if (found.ok) await openNewPayload(found.value, parts, kind);
  else void showFailure(found.failure);
}

/** Lets the user choose what a new input for a skill starts from, and opens it. */
export async function askForNewPayload(parts: NewPayloadParts, slug: string): Promise<void> {
  const found = await parts.details.find(slug);
  if (!found.ok) {
    void showFailure(found.failure);
    return;
  }
  const template = await chooseTemplate(
    found.value,
    parts.sample,
    vscode.l10n.t("New Payload for Skill"),
  );
  if (template !== undefined) await openTemplate(found.value, parts.bindings, template);
}

/**
 * Opens a new input for a skill: what `kind` says, or where it says nothing, the first example that
 * fits the schema, else one made from the schema.
 */
export async function openNewPayload(
  skill: SkillDetail,
  { bindings, sample }: Pick<NewPayloadParts, "bindings" | "sample">,
  kind?: TemplateKind,
): Promise<vscode.TextEditor> {
  const asked = kind === undefined ? undefined : await payloadTemplate(skill, kind, sample);
  if (asked !== undefined) return openTemplate(skill, bindings, asked);
  return openTemplate(skill, bindings, await sampleTemplate(skill, "example", sample));
}

async function openTemplate(
  { summary: { slug, version } }: SkillDetail,
  bindings: PayloadBindings,
  template: PayloadTemplate,
): Promise<vscode.TextEditor> {
  const binding = version === "" ? { slug } : { slug, version };
  const editor = await openPayloadText(
    binding,
    `${JSON.stringify(template.value, undefined, 2)}\n`,
    bindings,
  );
  showTemplateNotes(template);
  return editor;
}

/**
 * Opens a text as a new, unsaved input. Its name binds it to the skill wherever it is saved; an
 * open input with the same skill, version and text is shown instead of another one.
 */
export async function openPayloadText(
  binding: PayloadBinding,
  text: string,
  bindings: PayloadBindings,
): Promise<vscode.TextEditor> {
  const same = vscode.workspace.textDocuments.find(
    (open) => isSameBinding(bindings.find(open.uri), binding) && open.getText() === text,
  );
  if (same !== undefined) return showDocument(same);
  const uri = await freeAddress(binding.slug);
  await bindings.bind(uri, binding);
  const document = await vscode.workspace.openTextDocument(uri);
  const edit = new vscode.WorkspaceEdit();
  edit.replace(uri, new vscode.Range(0, 0, document.lineCount, 0), text);
  await vscode.workspace.applyEdit(edit);
  await vscode.languages.setTextDocumentLanguage(document, "json");
  // Set afterwards, the selection would move the cursor of who types or selects at once.
  return vscode.window.showTextDocument(document, {
    preview: false,
    selection: new vscode.Range(0, 0, 0, 0),
  });
}

function isSameBinding(found: PayloadBinding | undefined, wanted: PayloadBinding): boolean {
  return found?.slug === wanted.slug && found.version === wanted.version;
}

/**
 * An address below a folder, never a bare name: of a document with a bare name the editor loses the text
 * with a reload, and saves it at the root of the disk.
 */
async function freeAddress(slug: string): Promise<vscode.Uri> {
  const folder = homeFolder();
  for (let number = 1; ; number += 1) {
    const file = vscode.Uri.joinPath(folder, payloadFileName(slug, number));
    // Names that differ in case alone are one file on most machines.
    const path = file.path.toLowerCase();
    const taken = vscode.workspace.textDocuments.some(
      (open) => open.uri.path.toLowerCase() === path,
    );
    if (!taken && !(await exists(file))) return file.with({ scheme: "untitled" });
  }
}

function exists(file: vscode.Uri): Promise<boolean> {
  return Promise.resolve(vscode.workspace.fs.stat(file)).then(
    () => true,
    () => false,
  );
}
