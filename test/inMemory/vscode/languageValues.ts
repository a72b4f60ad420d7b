import type * as vscode from "vscode";
import { MarkdownString, Range } from "./values";

export class CodeActionKind implements vscode.CodeActionKind {
  static readonly Empty = new CodeActionKind("");
  static readonly QuickFix = new CodeActionKind("quickfix");
  static readonly Refactor = new CodeActionKind("refactor");
  static readonly RefactorExtract = new CodeActionKind("refactor.extract");
  static readonly RefactorInline = new CodeActionKind("refactor.inline");
  static readonly RefactorMove = new CodeActionKind("refactor.move");
  static readonly RefactorRewrite = new CodeActionKind("refactor.rewrite");
  static readonly Source = new CodeActionKind("source");
  static readonly SourceOrganizeImports = new CodeActionKind("source.organizeImports");
  static readonly SourceFixAll = new CodeActionKind("source.fixAll");
  static readonly Notebook = new CodeActionKind("notebook");

  constructor(readonly value: string) {}

  append(parts: string): CodeActionKind {
    return new CodeActionKind(this.value === "" ? parts : `${this.value}.${parts}`);
  }

  intersects(other: vscode.CodeActionKind): boolean {
    return this.contains(other) || new CodeActionKind(other.value).contains(this);
  }

  contains(other: vscode.CodeActionKind): boolean {
    const isPart = this.value === "" || other.value.startsWith(`${this.value}.`);
    return isPart || this.value === other.value;
  }
}

export class CodeAction implements vscode.CodeAction {
  edit?: vscode.WorkspaceEdit;
  diagnostics?: vscode.Diagnostic[];
  command?: vscode.Command;
  isPreferred?: boolean;
  kind?: vscode.CodeActionKind;

  constructor(
    public title: string,
    kind?: vscode.CodeActionKind,
  ) {
    if (kind !== undefined) this.kind = kind;
  }
}

export class CodeLens implements vscode.CodeLens {
  command?: vscode.Command;

  constructor(
    public range: vscode.Range,
    command?: vscode.Command,
  ) {
    if (command !== undefined) this.command = command;
  }

  get isResolved(): boolean {
    return this.command !== undefined;
  }
}

export class CompletionItem implements vscode.CompletionItem {
  kind?: vscode.CompletionItemKind;

  constructor(
    public label: string | vscode.CompletionItemLabel,
    kind?: vscode.CompletionItemKind,
  ) {
    if (kind !== undefined) this.kind = kind;
  }
}

export class CompletionList<T extends vscode.CompletionItem = vscode.CompletionItem>
  implements vscode.CompletionList<T>
{
  constructor(
    public items: T[] = [],
    public isIncomplete = false,
  ) {}
}

export class Hover implements vscode.Hover {
  contents: vscode.MarkdownString[];
  range?: vscode.Range;

  constructor(
    contents: vscode.MarkdownString | vscode.MarkdownString[] | string,
    range?: vscode.Range,
  ) {
    if (range !== undefined) this.range = range;
    const all = Array.isArray(contents) ? contents : [contents];
    this.contents = all.map((one) => (typeof one === "string" ? new MarkdownString(one) : one));
  }
}

export class DocumentLink implements vscode.DocumentLink {
  tooltip?: string;
  target?: vscode.Uri;

  constructor(
    public range: vscode.Range,
    target?: vscode.Uri,
  ) {
    if (target !== undefined) this.target = target;
  }
}

export class Diagnostic implements vscode.Diagnostic {
  source?: string;
  code?: string | number | { value: string | number; target: vscode.Uri };
  relatedInformation?: vscode.DiagnosticRelatedInformation[];
  tags?: vscode.DiagnosticTag[];

  constructor(
    public range: vscode.Range,
    public message: string,
    public severity: vscode.DiagnosticSeverity = 0,
  ) {}
}

export class DiagnosticRelatedInformation implements vscode.DiagnosticRelatedInformation {
  constructor(
    public location: vscode.Location,
    public message: string,
  ) {}
}

export class TextEdit implements vscode.TextEdit {
  static replace(range: vscode.Range, text: string): TextEdit {
    return new TextEdit(range, text);
  }

  static insert(position: vscode.Position, text: string): TextEdit {
    return new TextEdit(new Range(position, position), text);
  }

  static delete(range: vscode.Range): TextEdit {
    return new TextEdit(range, "");
  }

  static setEndOfLine(): TextEdit {
    throw new Error("The editor in memory has no TextEdit.setEndOfLine.");
  }

  constructor(
    public range: vscode.Range,
    public newText: string,
  ) {}
}
/** An edit with tab stops, which this editor inserts as text. */
export class SnippetTextEdit extends TextEdit {
  constructor(
    range: vscode.Range,
    readonly snippet: vscode.SnippetString,
  ) {
    super(range, textOf(snippet));
  }

  static override replace(range: vscode.Range, snippet: unknown): SnippetTextEdit {
    return new SnippetTextEdit(range, snippet as SnippetString);
  }
}

function textOf({ value }: vscode.SnippetString): string {
  return value
    .replaceAll(/(?<!\\)\$\d+/g, "")
    .replaceAll(/(?<!\\)\$\{\d+:([^}]*)\}/g, "$1")
    .replaceAll(/\\(.)/gs, "$1");
}

/** Edits of texts and renames of files. */

export class WorkspaceEdit
  implements Pick<vscode.WorkspaceEdit, "size" | "entries" | "get" | "renameFile">
{
  /** The files and folders to be renamed, in order. */
  readonly renamings: (readonly [from: vscode.Uri, to: vscode.Uri])[] = [];
  private readonly edits = new Map<string, { readonly uri: vscode.Uri; edits: TextEdit[] }>();

  get size(): number {
    return this.edits.size;
  }

  replace(uri: vscode.Uri, range: vscode.Range, text: string): void {
    this.add(uri, new TextEdit(range, text));
  }

  insert(uri: vscode.Uri, position: vscode.Position, text: string): void {
    this.add(uri, TextEdit.insert(position, text));
  }

  delete(uri: vscode.Uri, range: vscode.Range): void {
    this.add(uri, TextEdit.delete(range));
  }

  set(uri: vscode.Uri, edits: readonly unknown[]): void {
    this.edits.set(uri.toString(), { uri, edits: edits.map((edit) => edit as TextEdit) });
  }

  renameFile(from: vscode.Uri, to: vscode.Uri): void {
    this.renamings.push([from, to]);
  }

  has(uri: vscode.Uri): boolean {
    return this.edits.has(uri.toString());
  }

  get(uri: vscode.Uri): TextEdit[] {
    return this.edits.get(uri.toString())?.edits ?? [];
  }

  entries(): [vscode.Uri, TextEdit[]][] {
    return [...this.edits.values()].map(({ uri, edits }) => [uri, edits]);
  }

  private add(uri: vscode.Uri, edit: TextEdit): void {
    this.edits.set(uri.toString(), { uri, edits: [...this.get(uri), edit] });
  }
}

export class SnippetString implements vscode.SnippetString {
  constructor(public value = "") {}

  appendText(text: string): this {
    this.value += text.replaceAll(/[$}\\]/g, "\\$&");
    return this;
  }

  appendTabstop(number = 1): this {
    this.value += `$${number}`;
    return this;
  }

  appendPlaceholder(value: string | ((snippet: this) => unknown), number = 1): this {
    if (typeof value === "string") this.value += `\${${number}:${value}}`;
    return this;
  }

  appendChoice(values: readonly string[], number = 1): this {
    this.value += `\${${number}|${values.join(",")}|}`;
    return this;
  }

  appendVariable(name: string): this {
    this.value += `\${${name}}`;
    return this;
  }
}
