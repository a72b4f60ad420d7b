import * as vscode from "vscode";
import type { PayloadCheck } from "../../core/payload/payloadCheck";
import { failureNotice, type RegistryFailure } from "../../core/registry/registryFailure";
import type { SkillDetail } from "../../core/skill/skill";
import { addressText } from "../../core/skill/skillAddress";
import { labelText } from "../../core/text/plainText";
import { editorColumn } from "../editorColumn";
import { slugArgument } from "../registerCommands";
import { openFile } from "../ui/documents";
import { hostLanguage } from "../ui/hostLanguage";
import { inform, showStatus } from "../ui/messages";
import { showNotice } from "../ui/showNotice";
import { isJsonDocument, type PayloadBindings } from "./payloadBindings";
import type { PayloadChecks } from "./payloadChecks";

/**
 * Finds the document for a command: the open one with the passed URI; without a URI, the visible one. Undefined if
 * there is none.
 */
export function payloadDocument(argument: unknown): vscode.TextDocument | undefined {
  return argument instanceof vscode.Uri ? openDocument(argument) : documentOnScreen();
}

/**
 * Finds the document of the active editor. The Output panel is an editor too; after a click into it, returns the
 * document in the editor area.
 */
export function documentOnScreen(): vscode.TextDocument | undefined {
  const document = vscode.window.activeTextEditor?.document;
  if (document !== undefined && document.uri.scheme !== "output") return document;
  const shown = vscode.window.tabGroups.activeTabGroup.activeTab?.input;
  return shown instanceof vscode.TabInputText ? openDocument(shown.uri) : undefined;
}

/** Returns the open document of a URI. Undefined if it is not open. */
export function openDocument(uri: vscode.Uri): vscode.TextDocument | undefined {
  const address = uri.toString();
  return vscode.workspace.textDocuments.find((open) => open.uri.toString() === address);
}

/** Shows a document in its visible editor, else in the active column. */
export async function showDocument(document: vscode.TextDocument): Promise<vscode.TextEditor> {
  const viewColumn = editorOf(document.uri)?.viewColumn ?? editorColumn();
  return vscode.window.showTextDocument(document, { preview: false, viewColumn });
}

function editorOf(uri: vscode.Uri): vscode.TextEditor | undefined {
  const address = uri.toString();
  return vscode.window.visibleTextEditors.find(
    ({ document }) => document.uri.toString() === address,
  );
}

/** Returns whether a document is the user's own JSON, not one of this extension. */
export function isBindable(document: vscode.TextDocument): boolean {
  return isJsonDocument(document) && !document.uri.scheme.startsWith("skill-");
}

const usualTabSize = 4;

/** Returns one level of JSON indentation for a URI: by the editor that shows it, else by the setting. */
export function indentFor(uri: vscode.Uri): string {
  const shown = editorOf(uri);
  const set = vscode.workspace.getConfiguration("editor", { uri, languageId: "json" });
  const insertSpaces = shown?.options.insertSpaces ?? set.get("insertSpaces", true);
  if (insertSpaces === false) return "\t";
  const size = Number(shown?.options.tabSize ?? set.get("tabSize", usualTabSize));
  return " ".repeat(size >= 1 && size <= 10 ? size : usualTabSize);
}

/**
 * Binds the active JSON document, or the file that the command was run on, to a skill. From then on it is checked and
 * can be invoked.
 */
export async function bindPayload(
  bindings: PayloadBindings,
  pickSkill: (title: string) => Promise<string | undefined>,
  argument: unknown,
): Promise<void> {
  const document =
    payloadDocument(argument) ??
    (argument instanceof vscode.Uri ? await openFile(argument) : undefined);
  if (document === undefined) {
    if (argument instanceof vscode.Uri) return;
    await inform(vscode.l10n.t("Open the JSON you want to bind, then run this again."));
    return;
  }
  if (argument instanceof vscode.Uri) await showDocument(document);
  if (!isJsonDocument(document)) {
    const change = vscode.l10n.t("Change Language Mode");
    const answer = await inform(
      vscode.l10n.t(
        "Only JSON can be bound to a skill. Set the editor's language mode to JSON first.",
      ),
      change,
    );
    if (answer !== change) return;
    await showDocument(document);
    await vscode.commands.executeCommand("workbench.action.editor.changeLanguageMode");
    return;
  }
  const slug =
    slugArgument(argument) ?? (await pickSkill(vscode.l10n.t("Bind This JSON to a Skill")));
  if (slug !== undefined) await bindings.bind(document.uri, { slug });
}

/** Removes the binding of the active JSON document. */
export async function unbindPayload(bindings: PayloadBindings): Promise<void> {
  const document = documentOnScreen();
  if (document === undefined) void inform(noPayloadText());
  else await bindings.unbind(document.uri);
}

/** Returns the message for a command without a payload. */
export function noPayloadText(): string {
  return vscode.l10n.t("No payload is open. Open one, then run this again.");
}

/** Checks the active payload, shows the result and goes to the first problem. */
export async function validatePayload(checks: PayloadChecks, argument: unknown): Promise<void> {
  const checked = await checkedPayload(checks, argument);
  if (checked === undefined) return;
  const { document, skill, check } = checked;
  if (check.state !== "valid") return showFirstProblem(document, check);
  const name = labelText(addressText(skill.summary.slug, skill.summary.version), 80);
  showStatus("pass", vscode.l10n.t("The payload is valid for {0}.", name));
}

/**
 * Checks the payload of a command. Undefined without a payload, with an unreadable skill (which is shown), or after a
 * canceled check.
 */
export async function checkedPayload(
  checks: PayloadChecks,
  argument: unknown,
): Promise<
  | {
      readonly document: vscode.TextDocument;
      readonly skill: SkillDetail;
      readonly check: PayloadCheck;
    }
  | undefined
> {
  const document = payloadDocument(argument);
  const state = document && (await checks.check(document))?.state;
  if (document === undefined) await inform(noPayloadText());
  else if (state?.kind === "checked") return { document, ...state };
  else if (state?.kind === "unavailable") await presentUnavailable(state.failure);
  else if (state === undefined) {
    await inform(
      vscode.l10n.t(
        "This editor is not bound to a skill. Run “Skill Registry: Bind This JSON to a Skill…” first.",
      ),
    );
  }
  return undefined;
}

/** Shows why a payload's skill cannot be read. For a missing skill, offers to choose another. */
async function presentUnavailable(failure: RegistryFailure): Promise<void> {
  const notice = failureNotice(failure, hostLanguage());
  if (notice === undefined) return;
  const title = vscode.l10n.t("Bind to Another Skill…");
  const bind = failure.kind === "notFound" ? [{ action: "bindPayload", title } as const] : [];
  await showNotice({ ...notice, actions: [...bind, ...notice.actions] });
}

/** Moves the cursor to the first problem of a payload and shows its description there. */
export async function showFirstProblem(
  document: vscode.TextDocument,
  { problems }: PayloadCheck,
): Promise<void> {
  const editor = await showDocument(document);
  const first = problems.find(({ severity }) => severity === "error") ?? problems[0];
  if (first === undefined) return;
  const start = document.positionAt(first.start);
  editor.selection = new vscode.Selection(start, start);
  editor.revealRange(
    new vscode.Range(start, start),
    vscode.TextEditorRevealType.InCenterIfOutsideViewport,
  );
  await vscode.commands.executeCommand("editor.action.showHover");
}
