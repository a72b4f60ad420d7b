import { readFileSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { basename, extname } from "node:path";
import type * as vscode from "vscode";
import { EndOfLine, TextDocumentSaveReason } from "../vscode/enums";
import { TextEdit, type WorkspaceEdit } from "../vscode/languageValues";
import { EventEmitter, Position, Range, Uri } from "../vscode/values";
import type { Board } from "./board";
import type { Files } from "./files";

/** A document of the editor. */
export class MemoryDocument implements vscode.TextDocument {
  version = 1;
  isDirty = false;
  isClosed = false;
  readonly encoding = "utf8";

  constructor(
    private readonly owner: Documents,
    readonly uri: vscode.Uri,
    public languageId: string,
    private text: string,
  ) {}

  get fileName(): string {
    return this.uri.fsPath;
  }

  get isUntitled(): boolean {
    return this.uri.scheme === "untitled";
  }

  get eol(): vscode.EndOfLine {
    return this.text.includes("\r\n") ? EndOfLine.CRLF : EndOfLine.LF;
  }

  get lineCount(): number {
    return this.lines.length;
  }

  private get lines(): readonly string[] {
    return this.text.split(/\r\n|\r|\n/);
  }

  getText(range?: vscode.Range): string {
    if (range === undefined) return this.text;
    return this.text.slice(this.offsetAt(range.start), this.offsetAt(range.end));
  }

  /** Replaces the whole text. `Documents` fires the event. */
  setText(text: string): void {
    this.text = text;
    this.version += 1;
  }

  offsetAt(position: vscode.Position): number {
    const { line, character } = this.validatePosition(position);
    return (this.starts[line] ?? 0) + character;
  }

  positionAt(offset: number): Position {
    const bounded = Math.min(Math.max(offset, 0), this.text.length);
    const line = this.starts.findLastIndex((start) => start <= bounded);
    const start = this.starts[line] ?? 0;
    const character = Math.min(bounded - start, this.lines[line]?.length ?? 0);
    return new Position(line, character);
  }

  lineAt(where: number | vscode.Position): vscode.TextLine {
    const line = typeof where === "number" ? where : where.line;
    const text = this.lines[line];
    if (text === undefined) throw new Error("Illegal value for `line`");
    const range = new Range(line, 0, line, text.length);
    const isLast = line === this.lineCount - 1;
    return {
      lineNumber: line,
      text,
      range,
      rangeIncludingLineBreak: isLast ? range : new Range(line, 0, line + 1, 0),
      firstNonWhitespaceCharacterIndex: /^\s*/.exec(text)?.[0].length ?? 0,
      isEmptyOrWhitespace: text.trim() === "",
    };
  }

  getWordRangeAtPosition(position: vscode.Position, pattern = /[\w-]+/g): Range | undefined {
    const { line, character } = this.validatePosition(position);
    for (const { index, 0: word } of (this.lines[line] ?? "").matchAll(
      new RegExp(pattern, pattern.flags.includes("g") ? pattern.flags : `${pattern.flags}g`),
    )) {
      if (index <= character && character <= index + word.length) {
        return new Range(line, index, line, index + word.length);
      }
    }
    return undefined;
  }

  validatePosition({ line, character }: vscode.Position): Position {
    if (line >= this.lineCount) {
      const last = this.lineCount - 1;
      return new Position(last, this.lines[last]?.length ?? 0);
    }
    return new Position(line, Math.min(character, this.lines[line]?.length ?? 0));
  }

  validateRange({ start, end }: vscode.Range): Range {
    return new Range(this.validatePosition(start), this.validatePosition(end));
  }

  save(): Promise<boolean> {
    return this.owner.save(this);
  }

  private get starts(): readonly number[] {
    const starts = [0];
    for (const { index, 0: end } of this.text.matchAll(/\r\n|\r|\n/g)) {
      starts.push(index + end.length);
    }
    return starts;
  }
}

const languages: Readonly<Record<string, string>> = {
  ".json": "json",
  ".jsonc": "jsonc",
  ".jsonl": "jsonl",
  ".md": "markdown",
  ".csv": "csv",
  ".yml": "yaml",
  ".yaml": "yaml",
};

/** The documents that are open, and what happens to them. */
export class Documents {
  private readonly opened = new EventEmitter<vscode.TextDocument>();
  private readonly closed = new EventEmitter<vscode.TextDocument>();
  private readonly changed = new EventEmitter<vscode.TextDocumentChangeEvent>();
  private readonly willSave = new EventEmitter<vscode.TextDocumentWillSaveEvent>();
  private readonly saved = new EventEmitter<vscode.TextDocument>();
  private readonly opening = new Map<string, Promise<MemoryDocument>>();
  private untitled = 0;
  private readonly renamed = new EventEmitter<vscode.FileRenameEvent>();
  /** Fires with a document whose file was renamed, and the document that replaces it. */
  readonly moved = new EventEmitter<readonly [from: MemoryDocument, to: MemoryDocument]>();
  open: MemoryDocument[] = [];
  /** Whether the editor refuses to change texts, as it does for read-only files. */
  isReadOnly = false;

  readonly onDidOpen = this.opened.event;
  readonly onDidClose = this.closed.event;
  readonly onDidChange = this.changed.event;
  readonly onWillSave = this.willSave.event;
  readonly onDidSave = this.saved.event;
  readonly onDidRename = this.renamed.event;

  constructor(
    private readonly board: Board,
    private readonly files: Files,
  ) {}

  find(uri: vscode.Uri): MemoryDocument | undefined {
    const address = uri.toString();
    return this.open.find((document) => document.uri.toString() === address);
  }

  /** Opens a document, or returns the open one. Rejects if it cannot be read. */
  async get(
    what?: vscode.Uri | string | { language?: string; content?: string },
  ): Promise<MemoryDocument> {
    if (typeof what === "string") return this.get(Uri.file(what));
    if (what === undefined || !("scheme" in what)) {
      this.untitled += 1;
      const uri = Uri.from({ scheme: "untitled", path: `Untitled-${this.untitled}` });
      const { content = "", language = "plaintext" } = what ?? {};
      return this.add(uri, content, language, content !== "");
    }
    const known = this.find(what);
    if (known !== undefined) return known;
    const address = what.toString();
    const opening =
      this.opening.get(address) ??
      this.read(what).then((text) =>
        // A document with an address but without a file is waiting to be saved.
        this.add(what, text, languageOf(what), what.scheme === "untitled"),
      );
    this.opening.set(address, opening);
    return opening.finally(() => this.opening.delete(address));
  }

  /** Opens a file that was open when the window was closed: it exists before any extension runs. */
  restore(uri: vscode.Uri): MemoryDocument {
    return this.add(uri, readFileSync(uri.fsPath, "utf8"), languageOf(uri));
  }

  /** Closes a document that no tab shows any more. */
  close(document: MemoryDocument): void {
    if (document.isClosed) return;
    document.isClosed = true;
    this.open = this.open.filter((one) => one !== document);
    this.closed.fire(document);
    this.board.changed();
  }

  /** Changes texts, opening documents where needed. */
  async apply(edit: vscode.WorkspaceEdit): Promise<boolean> {
    if (this.isReadOnly) return false;
    for (const [uri, edits] of edit.entries()) {
      const document = await this.get(uri);
      this.change(document, edits);
    }
    const { renamings } = edit as unknown as WorkspaceEdit;
    for (const [from, to] of renamings) await this.rename(from, to);
    return true;
  }

  /** Renames a file or folder. Its open documents are closed and opened at the new address. */
  async rename(from: vscode.Uri, to: vscode.Uri): Promise<void> {
    await this.files.move(from, to);
    for (const document of this.open) {
      const { path } = document.uri;
      if (path !== from.path && !path.startsWith(`${from.path}/`)) continue;
      const fresh = await this.get(to.with({ path: to.path + path.slice(from.path.length) }));
      this.moved.fire([document, fresh]);
      this.close(document);
    }
    this.renamed.fire({ files: [{ oldUri: from, newUri: to }] });
  }

  /** Changes a text as a person or an edit does. */
  change(document: MemoryDocument, edits: readonly vscode.TextEdit[]): void {
    const contentChanges = edits
      .map(({ range, newText: text }) => {
        const valid = document.validateRange(range);
        const rangeOffset = document.offsetAt(valid.start);
        const rangeLength = document.offsetAt(valid.end) - rangeOffset;
        return { range: valid, rangeOffset, rangeLength, text };
      })
      .sort((one, other) => other.rangeOffset - one.rangeOffset);
    let text = document.getText();
    for (const { rangeOffset, rangeLength, text: fresh } of contentChanges) {
      text = text.slice(0, rangeOffset) + fresh + text.slice(rangeOffset + rangeLength);
    }
    if (text === document.getText()) return;
    document.setText(text);
    document.isDirty = true;
    this.changed.fire({ document, contentChanges, reason: undefined });
    this.board.changed();
  }

  /** Replaces all of a text. */
  replace(document: MemoryDocument, text: string): void {
    this.change(document, [new TextEdit(new Range(0, 0, document.lineCount, 0), text)]);
  }

  async save(document: MemoryDocument): Promise<boolean> {
    if (document.isUntitled) throw new Error("An untitled document is saved with saveAs.");
    const waiting: Promise<unknown>[] = [];
    this.willSave.fire({
      document,
      reason: TextDocumentSaveReason.Manual,
      waitUntil: (work: Thenable<unknown>) => waiting.push(Promise.resolve(work)),
    });
    for (const edits of await Promise.all(waiting)) {
      if (Array.isArray(edits)) this.change(document, edits);
    }
    await this.files.write(document.uri, new TextEncoder().encode(document.getText()));
    document.isDirty = false;
    this.saved.fire(document);
    this.board.changed();
    return true;
  }

  /**
   * Saves a document under another name like *Save As*: writes and opens the file, then empties an untitled document.
   * Resolves to the file's document; the caller closes the old one.
   */
  async saveAs(document: MemoryDocument, uri: vscode.Uri): Promise<MemoryDocument> {
    await writeFile(uri.fsPath, document.getText());
    const file = await this.get(uri);
    if (document.languageId !== file.languageId) this.setLanguage(file, document.languageId);
    this.saved.fire(file);
    this.files.announce(uri, "created");
    if (document.isUntitled) {
      document.isDirty = false;
      document.setText("");
      this.changed.fire({ document, contentChanges: [], reason: undefined });
    }
    return file;
  }

  /** Changes the language. Like the editor, fires the events of closing one document and opening another. */
  setLanguage(document: MemoryDocument, languageId: string): MemoryDocument {
    if (document.languageId === languageId) return document;
    this.closed.fire(document);
    document.languageId = languageId;
    this.opened.fire(document);
    this.board.changed();
    return document;
  }

  /** Rereads open documents without edits when a provider reports a change of their files. */
  follow(provider: vscode.FileSystemProvider): vscode.Disposable {
    return provider.onDidChangeFile((events) => {
      for (const { uri } of events) {
        const document = this.find(uri);
        if (document === undefined || document.isDirty) continue;
        void this.read(uri).then((text) => {
          if (document.isClosed || document.isDirty) return;
          this.replace(document, text);
          document.isDirty = false;
        });
      }
    });
  }

  private async read(uri: vscode.Uri): Promise<string> {
    if (uri.scheme === "untitled") return "";
    return new TextDecoder().decode(await this.files.read(uri));
  }

  private add(uri: vscode.Uri, text: string, languageId: string, isDirty = false) {
    const document = new MemoryDocument(this, uri, languageId, text);
    document.isDirty = isDirty;
    this.open.push(document);
    this.opened.fire(document);
    this.board.changed();
    return document;
  }
}

function languageOf({ path }: vscode.Uri): string {
  return languages[extname(basename(path))] ?? "plaintext";
}
