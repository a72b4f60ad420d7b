import * as vscode from "vscode";
import type { TextRange } from "../core/json/token";
import type { TextEdit } from "../core/payload/fixes/textEdit";
import { editSnippet } from "../core/payload/fixes/unfilledSnippet";
import type { PositionRange } from "../core/payload/payloadCheck";
import { diagnosticSource } from "./ids";

/** Returns the range of a document between two offsets. */
export function rangeIn(document: vscode.TextDocument, { start, end }: TextRange): vscode.Range {
  return new vscode.Range(document.positionAt(start), document.positionAt(end));
}

/** Converts positions to a range of the editor. */
export function rangeAt({ start, end }: PositionRange): vscode.Range {
  return new vscode.Range(start.line, start.character, end.line, end.character);
}

/** Creates the edit that replaces parts of a document by offsets, counted from `from`. */
export function workspaceEdit(
  document: vscode.TextDocument,
  edits: readonly TextEdit[],
  from = 0,
): vscode.WorkspaceEdit {
  const moved = edits.map((edit) => ({ ...edit, start: edit.start + from, end: edit.end + from }));
  return severalEdits([{ document, edits: moved }]);
}

/** Changes of one document. */
export interface DocumentEdits {
  readonly document: vscode.TextDocument;
  readonly edits: readonly TextEdit[];
}

/** Creates the edit that replaces parts of several documents by offsets. */
export function severalEdits(all: readonly DocumentEdits[]): vscode.WorkspaceEdit {
  const edit = new vscode.WorkspaceEdit();
  for (const { document, edits } of all) {
    if (edits.some(({ stops = [] }) => stops.length > 0)) {
      edit.set(document.uri, snippetEdits(document, edits));
      continue;
    }
    for (const { text, ...range } of edits) {
      edit.replace(document.uri, rangeIn(document, range), text);
    }
  }
  return edit;
}

/** Creates edits with tab stops, which the editor lets a user step through in the order of the document. */
function snippetEdits(
  document: vscode.TextDocument,
  edits: readonly TextEdit[],
): vscode.SnippetTextEdit[] {
  let next = 1;
  return edits
    .toSorted((left, right) => left.start - right.start)
    .map((edit) => {
      const snippet = new vscode.SnippetString(editSnippet(edit, next));
      next += edit.stops?.length ?? 0;
      const replaced = vscode.SnippetTextEdit.replace(rangeIn(document, edit), snippet);
      return Object.assign(replaced, { keepWhitespace: true });
    });
}

/** Creates the edit that replaces the whole text of a document. */
export function wholeTextEdit(document: vscode.TextDocument, text: string): vscode.WorkspaceEdit {
  return workspaceEdit(document, [{ start: 0, end: document.getText().length, text }]);
}

/** Creates a code action with its edit or command. Default: a quick fix. */
export function codeAction(
  title: string,
  effect: Pick<vscode.CodeAction, "edit" | "command" | "diagnostics" | "isPreferred">,
  kind = vscode.CodeActionKind.QuickFix,
): vscode.CodeAction {
  return Object.assign(new vscode.CodeAction(title, kind), effect);
}

const severities = {
  error: vscode.DiagnosticSeverity.Error,
  warning: vscode.DiagnosticSeverity.Warning,
  information: vscode.DiagnosticSeverity.Information,
  note: vscode.DiagnosticSeverity.Hint,
};

/** Creates a diagnostic. Default: a warning. */
export function mark(
  range: vscode.Range,
  message: string,
  code: string,
  severity: keyof typeof severities = "warning",
): vscode.Diagnostic {
  const diagnostic = new vscode.Diagnostic(range, message, severities[severity]);
  return Object.assign(diagnostic, { source: diagnosticSource, code });
}
